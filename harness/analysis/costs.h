/* The costs of all solvers of a block on one metric, side by side: over the instances that all of
 * them tried, that can be solved, and for which each solver that solved one has the metric. A
 * solver that does not report the metric (results_reported) is left out. */
#pragma once

#include "harness/analysis/results.h"

struct costs {
    size_t *solvers; /* the numbers of those that have runs in the block, ascending */
    size_t *numbers; /* of the instances, ascending */
    size_t count, instances;
    /* The rest by solver * instances + instance. */
    double *cost;   /* INFINITY: unsolved */
    double *spent;  /* what was spent, solved or not; 0 if it is not known */
    double *limit;  /* in the unit of the metric; NaN: none is known */
    bool *censored; /* unsolved */
};

/* Whether runs have limits in the unit of the metric: of times, memory and generated nodes. There
 * is no limit of expanded nodes. */
bool has_limit(enum metric metric);

/* The results must be settled. Free with costs_end. */
struct costs costs_of(const struct results *results, const struct block *block, enum metric metric);
void costs_end(struct costs *costs);

/* Whether some run is unsolved. */
bool costs_unsolved(const struct costs *costs);
