/* The tables of the heuristic `walking_distance`, which its subtree counters
 * (idastar/walking_distance_bits.h, idastar/walking_distance_large.h) read too, and the shapes on
 * which it is defined.
 *
 * In one direction it sees only the arrangement of the tiles, pdb/arrangements.h. */
#pragma once

#include "heuristics/heuristic.h"
#include "pdb/arrangements.h"
#include "puzzle/board.h"

/* The maximum number of cells of a board on which it is defined. */
enum { WALKING_CELLS = 25 };

/* A direction has links if it has at most four lines and 32,767 arrangements, as on 4x4. More than
 * a million are a pattern database, built once and kept in a file (pdb/pattern_store.h). */
enum { LINKED_LINES = 4, LINKED_ARRANGEMENTS = (1 << 15) - 1, UNKEPT_ARRANGEMENTS = 1000000 };

enum { NO_LINK = UINT16_MAX };

/* Twice the number of the arrangement that a move leads to, + 1 if that is farther from the goal's.
 * By the line that the blank goes to (0: the one before, 1: the one after) and the tile's goal
 * line; NO_LINK if there is no such move. */
struct arrangement_links {
    uint16_t to[2][LINKED_LINES];
};

/* One direction: rows, or columns. */
struct walking_lines {
    const struct numbering *numbering;
    bool reversed;           /* its lines are numbered from the last one of the board back */
    const uint8_t *distance; /* of each arrangement: moves from the goal's */
    const struct arrangement_links *links; /* of each; NULL where there are none */
    uint16_t weight[MAX_CELLS];            /* by tile, in its line's sum; 0 for the blank */
    uint8_t cell[MAX_CELLS];               /* line by line, as they are numbered */
};

/* The shape whose rows are a board's columns. */
static inline struct shape on_its_side(struct shape shape)
{
    return (struct shape){shape.height, shape.width, shape.cells};
}

/* Whether walking distance needs no file on a shape: if it is defined, and neither direction has
 * more than UNKEPT_ARRANGEMENTS. */
bool walking_small(struct shape shape);

/* The number of the arrangement of a board's rows or columns. */
unsigned walking_number(const struct walking_lines *lines, const struct board *board);

/* What heuristic->data is. The tables are shared, see walking_distance_prepare. */
struct walking {
    struct walking_lines rows;
    struct walking_lines columns;
};

/* Whether it is defined on a shape: if neither direction has more than MAX_ARRANGEMENTS. */
bool walking_distance_defined(struct shape shape);
