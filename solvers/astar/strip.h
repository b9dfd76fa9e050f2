/* Strips: neighbouring cells of a row that the blank can be on, for the keys of astar/closed.h. */
#pragma once

#include "puzzle/shape.h"

/* The number of the strip a cell belongs to: rows are cut into strips of `length` cells, the last
 * of a row may be shorter. */
static inline unsigned strip_of(struct shape shape, unsigned cell, unsigned length)
{
    const unsigned strips = (shape.width + length - 1) / length;
    return cell / shape.width * strips + cell % shape.width / length;
}

/* Which of its strip's cells it is, from 0. */
static inline unsigned strip_place(struct shape shape, unsigned cell, unsigned length)
{
    return cell % shape.width % length;
}
