/* Rounding a lower bound up by parity. The number of moves between two boards is odd or even as the
 * distance between the cells of their blanks is; a lower bound of the other parity can be raised
 * by 1. */
#pragma once

/* The smallest number from `bound` on that is odd if `distance` is. */
static inline unsigned parity_raise(unsigned bound, unsigned distance)
{
    return bound + ((bound ^ distance) & 1);
}
