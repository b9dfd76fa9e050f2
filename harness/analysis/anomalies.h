/* Boards on which a better heuristic expands more nodes.
 *
 * Of two built-in solvers that differ in their heuristic alone, both admissible, one has the better
 * heuristic here if its value is above the other's at some start of the block and below it at none.
 * (Only starts are compared, not the states between.) Its anomalies are the boards
 * that both solved and on which it expanded more. Source of the question: Holte, Common
 * Misconceptions Concerning Heuristic Search, SoCS 2010. */
#pragma once

#include "harness/analysis/results.h"

struct better_pair {
    size_t better, worse;     /* solvers */
    size_t boards;            /* that both solved, with their nodes */
    size_t fewer, same, more; /* of these: what the better one expanded */
    size_t first;             /* its anomalies are `more` from here on */
};

struct anomaly {
    size_t instance;
    double h_better, h_worse, expanded_better, expanded_worse;
};

struct anomalies {
    struct better_pair *pairs; /* by the order of the solvers */
    size_t pair_count;
    struct anomaly *boards; /* of a pair the largest factor first */
    size_t count;
};

struct anomalies anomalies_of(const struct results *results, const struct block *block);
void anomalies_end(struct anomalies *anomalies);
