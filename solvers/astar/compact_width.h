/* The compact A* is compiled for two widths of boards: for up to 16 cells (compact_64.h), and once
 * more, by compact_128.c, for 17 to 25 cells (compact_128.h). The two headers define the same types
 * and functions; all else is one source. So are the two forms of the search, each of which keeps a
 * note of its own with a state: compact_astar.c, and compact_reopening.c for either width. */
#ifndef ASTAR_COMPACT_WIDTH_H
#define ASTAR_COMPACT_WIDTH_H

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
#include "astar/compact_128.h"
#define compact_astar_run     compact_astar_128
#define compact_reopening_run compact_reopening_128
#define word_buckets_start    word_buckets_start_128
#define word_buckets_end      word_buckets_end_128
#define word_buckets_next_row word_buckets_next_row_128
#define word_buckets_grow     word_buckets_grow_128
#else
#include "astar/compact_64.h"
#define compact_astar_run     compact_astar_64
#define compact_reopening_run compact_reopening_64
#endif

/* Bits of a state's note in the closed list. */
#ifdef COMPACT_REOPENING
enum { CLOSED_NOTE_BITS = 10 };
#ifdef COMPACT_128
#define CLOSED_NAME(name) name##_reopening_128
#else
#define CLOSED_NAME(name) name##_reopening
#endif
#else
enum { CLOSED_NOTE_BITS = 4 };
#ifdef COMPACT_128
#define CLOSED_NAME(name) name##_128
#else
#define CLOSED_NAME(name) name
#endif
#endif
#define closed_start     CLOSED_NAME(closed_start)
#define closed_end       CLOSED_NAME(closed_end)
#define closed_go_behind CLOSED_NAME(closed_go_behind)
#define closed_grow      CLOSED_NAME(closed_grow)

#endif
