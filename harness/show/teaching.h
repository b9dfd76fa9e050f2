/* The best-first search of the textbooks, one loop with its conventions as settings: an open list,
 * a closed list, and what programs do differently about them (Russell and Norvig, chapter 3; Pearl,
 * Heuristics, 1984, chapter 2). It shows why counts differ, and is not fast. With the settings of
 * one of tilelab's solvers it expands the same nodes in the same order, and counts the same. */
#pragma once

#include "algorithms/solver.h"

enum repeats {
#define REPEATS(id, word, meaning) REPEATS_##id,
#include "harness/show/conventions.def"
    REPEATS_ALL
};

enum ordered {
#define ORDERED(id, word, meaning) ORDERED_##id,
#include "harness/show/conventions.def"
    ORDERED_ALL
};

struct convention {
    const char *word, *meaning;
};
extern const struct convention repeats_rows[REPEATS_ALL], ordered_rows[ORDERED_ALL];

struct teaching {
    int64_t g_weight, h_weight; /* of the cost */
    enum ordered ordered;
    enum repeats repeats;
    bool stack;           /* the children go in operator order, though the newest goes first */
    bool back;            /* the way back to the parent is generated */
    bool early;           /* the goal test when a node is generated; else when its turn comes */
    uint64_t depth_limit; /* nodes of this depth are not expanded */
};

/* What a search counted, of which all ways of counting follow. */
struct tally {
    enum status status;
    bool goal_taken; /* the goal was found when its turn came */
    uint64_t expanded, generated, duplicates, max_open, max_depth, length;
    uint64_t kept;    /* nodes that were put on the open list, the root among them */
    uint64_t taken;   /* nodes taken from it, those passed over and the goal among them */
    uint64_t deepest; /* the largest depth of an expanded node */
    uint64_t rounds, last_expanded, last_generated;
};

/* The settings of a solver that is such a search, or false. */
bool teaching_of(const struct solver *solver, struct teaching *settings);

/* Searches by the solver's heuristic, if it has one, in operator order, up to `nodes` generated
 * nodes. `expands` (may be NULL) sees each expansion. */
void teaching_search(const struct teaching *settings, const struct solver *solver,
                     const struct task *task, uint64_t nodes, const struct observer *observer,
                     struct tally *tally);
