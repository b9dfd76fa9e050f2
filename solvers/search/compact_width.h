/* The compact A* is compiled for two widths of boards: for up to 16 cells (compact_64.h), and once
 * more, by compact_128.c, for 17 to 25 cells (compact_128.h). The two headers define the same types
 * and functions; all else is one source. */
#ifndef SEARCH_COMPACT_WIDTH_H
#define SEARCH_COMPACT_WIDTH_H

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

#ifdef COMPACT_128
#include "search/compact_128.h"
#define compact_astar_run    compact_astar_128
#define closed_start         closed_start_128
#define closed_end           closed_end_128
#define closed_go_behind     closed_go_behind_128
#define closed_grow          closed_grow_128
#define bucket_open_start    bucket_open_start_128
#define bucket_open_end      bucket_open_end_128
#define bucket_open_next_row bucket_open_next_row_128
#define bucket_open_grow     bucket_open_grow_128
#else
#include "search/compact_64.h"
#define compact_astar_run compact_astar_64
#endif

enum { CLOSED_NOTE_BITS = 4 }; /* of a state's note in the closed list */

#endif
