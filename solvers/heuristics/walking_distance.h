/* The tables of the heuristic `walking_distance`, which its subtree counters
 * (subtree/walking_distance_bits.h, subtree/walking_distance_large.h) read too, and the shapes on
 * which it is defined.
 *
 * In one direction it sees only the arrangement of the tiles, pdb/arrangements.h. */
#ifndef HEURISTICS_WALKING_DISTANCE_H
#define HEURISTICS_WALKING_DISTANCE_H

#include "heuristics/heuristic.h"
#include "pdb/marked_arrangements.h"

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

/* The maximum number of cells of a board on which it is defined. */
enum { WALKING_CELLS = 25 };

/* The most last moves that are looked at; how many ends of solutions they make, at most; and the
 * most entries of a table for them. */
enum { MAX_LAST = MAX_MARKED, MAX_ENDS = 4 * 3, MAX_LAST_ENTRIES = 1 << 20 };

/* One direction of an end: the tiles that move in it, and the distances to where it begins. */
struct end_lines {
    const uint8_t *distance; /* by marked_entry */
    unsigned tiles;
    uint8_t tile[MAX_MARKED];
};

/* The last moves of a solution: one way of the blank to its goal cell, and so the board from which
 * it leads to the goal. */
struct solution_end {
    struct end_lines rows;
    struct end_lines columns;
};

/* What heuristic->data is. The tables are shared, see walking_distance_prepare. */
struct walking {
    struct walking_lines rows;
    struct walking_lines columns;
    unsigned last; /* how many last moves are looked at; 0: none */
    unsigned ends;
    struct solution_end end[MAX_ENDS];
};

/* Whether it is defined on a shape: if neither direction has more than MAX_ARRANGEMENTS. */
bool walking_distance_defined(struct shape shape);

/* Whether it needs no file: if neither direction has more than UNKEPT_ARRANGEMENTS. */
bool walking_distance_small(struct shape shape);

/* The number of the arrangement of a board's rows or columns. */
unsigned walking_number(const struct walking_lines *lines, const struct board *board);

/* The last moves, walking_last.c: whether `last` of them may be looked at on a shape on which it is
 * defined; the ends that they make, for a walking that has all else; and the value of a board whose
 * arrangements have these numbers, and whose walking distance is `plain`. */
bool walking_last_defined(struct shape shape, unsigned last);
void walking_last_prepare(struct walking *walking, const struct heuristic *heuristic,
                          unsigned last);
unsigned walking_last_evaluate(const struct walking *walking, const struct board *board,
                               unsigned rows, unsigned columns, unsigned plain);

#endif
