/* The tables of the heuristic `walking_distance`, which its subtree counters
 * (subtree/walking_distance_bits.h, subtree/walking_distance_large.h) read too, and the shapes on
 * which it is defined.
 *
 * In one direction it sees only the arrangement of the tiles, pdb/arrangements.h. */
#ifndef HEURISTICS_WALKING_DISTANCE_H
#define HEURISTICS_WALKING_DISTANCE_H

#include "heuristics/heuristic.h"
#include "heuristics/walking_lines.h"
#include "pdb/marked_arrangements.h"

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

/* The last moves, walking_last.c: whether `last` of them may be looked at on a shape on which it is
 * defined; the ends that they make, for a walking that has all else; and the value of a board whose
 * arrangements have these numbers, and whose walking distance is `plain`. */
bool walking_last_defined(struct shape shape, unsigned last);
void walking_last_prepare(struct walking *walking, const struct heuristic *heuristic,
                          unsigned last);
unsigned walking_last_evaluate(const struct walking *walking, const struct board *board,
                               unsigned rows, unsigned columns, unsigned plain);

#endif
