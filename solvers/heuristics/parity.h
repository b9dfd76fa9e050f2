/* Rounding a lower bound up by parity: a way between two boards is odd or even as the blank's steps
 * between its two cells are, so that a bound that is not may be raised by 1. */
#ifndef HEURISTICS_PARITY_H
#define HEURISTICS_PARITY_H

/* The least number from `bound` on that is odd where `distance` is. */
static inline unsigned parity_raise(unsigned bound, unsigned distance)
{
    return bound + ((bound ^ distance) & 1);
}

#endif
