/* What optimal lengths, or costs by the model of a block, say of a solver: how what it spends grows
 * with them, and how near its heuristic comes to lengths. Over the instances of a block whose
 * optimal length is known and that can be solved.
 */
#pragma once

#include "harness/analysis/growth.h"
#include "harness/analysis/kendall.h"
#include "harness/analysis/results.h"

/* log(cost) against the optimal length; exp(slope) is the factor for one more move. */
struct trend {
    size_t solver;
    size_t solved,
        unsolved; /* instances in it, and left out as they are not solved: the harder ones */
    struct growth least_squares, theil_sen;
};

/* Over the boards of one shape: several sizes have no common line. No interval for a whole
 * population. */
struct trend trend_of(const struct results *results, const struct block *block, struct shape shape,
                      size_t solver, enum metric metric);

/* The heuristic of a solver at the starts, from the column h_start. */
struct heuristic_quality {
    size_t instances; /* whose h and optimal length are known; 0: it has none */
    double mean_h, mean_length;
    double error;       /* mean of (length - h) / length, where the length is not 0 */
    double above;       /* the share of instances where h is above the length: not admissible */
    struct kendall tau; /* of h against the length; p NaN for a whole population */
    double eta; /* Clausecker and Schintke's, over all instances with h; it says something of
                   boards drawn uniformly only; NaN where the branching factor is not known */
};

struct heuristic_quality heuristic_quality_of(const struct results *results,
                                              const struct block *block, size_t solver);

/* The mean of h over the boards of a shape at an optimal length; NaN where there is none. */
double mean_h_at(const struct results *results, const struct block *block, struct shape shape,
                 size_t solver, long length);
