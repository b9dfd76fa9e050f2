/* The tables of the heuristic `walking_distance`, which its subtree counter
 * (subtree/walking_distance_bits.h) reads too, and the shapes on which it is defined.
 *
 * In one direction it sees only the arrangement of the tiles: how many tiles in each line have
 * their goal in which line, and the line of the blank. A move across the lines exchanges the blank
 * with a tile of a neighbouring line; which of that line's tiles with the same goal line makes no
 * difference. Arrangements are numbered as a breadth-first search from the goal's arrangement meets
 * them: that one is 0. */
#ifndef HEURISTICS_WALKING_DISTANCE_H
#define HEURISTICS_WALKING_DISTANCE_H

#include "heuristics/heuristic.h"

/* A direction has links if it has at most four lines and 32,768 arrangements, as on 4x4. */
enum { LINKED_LINES = 4, LINKED_ARRANGEMENTS = 1 << 15 };

/* Twice the number of the arrangement that a move leads to, + 1 if that is farther from the goal's.
 * By the line that the blank goes to (0: the one before, 1: the one after) and the tile's goal
 * line; 0 if there is no such move. */
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

/* The maximum number of cells of a board on which it is defined. */
enum { WALKING_CELLS = 16 };

/* What heuristic->data is. The arrangements are shared, see walking_distance_prepare. */
struct walking {
    const struct arrangements *rows;
    const struct arrangements *columns;
    uint64_t row_weight[WALKING_CELLS][WALKING_CELLS]; /* tile (0: the blank), cell */
    uint64_t column_weight[WALKING_CELLS][WALKING_CELLS];
};

/* Whether it is defined on a shape: if neither direction has more than 1,000,000 arrangements. */
bool walking_distance_defined(struct shape shape);

/* The number of the arrangement of a board's rows or columns. */
unsigned walking_rows(const struct walking *walking, const struct board *board);
unsigned walking_columns(const struct walking *walking, const struct board *board);

#endif
