/* The tables of the heuristic `walking_distance`, which its subtree counter
 * (subtree/walking_distance_bits.h) reads as well, and where it is defined.
 *
 * What it looks at in one direction is the arrangement of the tiles: how many in each line have
 * their goal in each line, and the line of the blank. A move across the lines exchanges the blank
 * with one tile of a neighbouring line; which of that line's tiles with the same goal line it is
 * makes no difference. Arrangements are numbered in the order in which a breadth-first search from
 * the goal's meets them: the goal's is 0. */
#ifndef HEURISTICS_WALKING_DISTANCE_H
#define HEURISTICS_WALKING_DISTANCE_H

#include "heuristics/heuristic.h"

/* A direction has links where it has at most four lines and 32,768 arrangements, as on 4x4. */
enum { LINKED_LINES = 4, LINKED_ARRANGEMENTS = 1 << 15 };

/* The arrangement that a move leads to, doubled, and 1 more if it is farther from the goal's. By
 * where the blank goes (0: to the line before, 1: to the one behind) and the tile's goal line; 0
 * where there is no such move. */
struct arrangement_links {
    uint16_t to[2][LINKED_LINES];
};

/* All arrangements of a number of lines of one length, with one goal line of the blank. */
struct arrangements {
    unsigned lines;
    unsigned length;
    unsigned blank_line; /* in the goal */
    unsigned count;
    uint64_t *keys;                  /* of each arrangement: the sum of the weights of its tiles */
    uint8_t *distance;               /* of each: moves from the goal's */
    struct arrangement_links *links; /* of each; NULL where there are none */
    uint32_t *slots;                 /* 1 + arrangement by key; 0: free */
    unsigned slot_bits;
};

/* Boards on which it is defined have at most so many cells. */
enum { WALKING_CELLS = 16 };

/* What heuristic->data is. The arrangements are shared, see walking_distance_prepare. */
struct walking {
    const struct arrangements *rows;
    const struct arrangements *columns;
    uint64_t row_weight[WALKING_CELLS][WALKING_CELLS]; /* tile (0: the blank), cell */
    uint64_t column_weight[WALKING_CELLS][WALKING_CELLS];
};

/* Whether it is defined on a shape: where neither direction has more than 1,000,000 arrangements.
 */
bool walking_distance_defined(struct shape shape);

/* The number of the arrangement of a board's rows or columns. */
unsigned walking_rows(const struct walking *walking, const struct board *board);
unsigned walking_columns(const struct walking *walking, const struct board *board);

#endif
