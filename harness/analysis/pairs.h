/* Each solver against a baseline, paired by instance, over the instances both solved: the
 * comparison that unsolved instances cannot flatter.
 *
 * Differences and ratios are solver to baseline, so a ratio below 1 and wins speak for the solver.
 * The tests use all pairs. A geometric mean needs positive values: pairs where either value is 0
 * (expanded is 0 where the start is the goal) are left out of the ratio and its interval only, and
 * ratio_pairs says how many are in. Holm's correction is over the solvers compared, for each metric
 * by itself. A board that cannot be solved is no instance to compare on. */
#ifndef HARNESS_ANALYSIS_PAIRS_H
#define HARNESS_ANALYSIS_PAIRS_H

#include "harness/analysis/results.h"
#include "harness/analysis/statistics.h"
#include "harness/text/tidy.h"
#include <stdio.h>

enum { PAIRS_SEED = 1 }; /* of every bootstrap */

struct pair {
    enum metric metric;
    size_t solver;
    size_t pairs;              /* instances both solved, with a value of the metric on both sides */
    size_t unverified;         /* of the pairs: with an unverified run on either side */
    size_t no_value;           /* instances both solved, but without a value on one side */
    size_t wins, ties, losses; /* win: the solver needed less */
    size_t ratio_pairs;        /* pairs whose values are both positive */
    double ratio;              /* of the geometric means; NaN for no pairs */
    struct interval interval;  /* 95 %, bootstrap over instances */
    double p, p_holm;          /* Wilcoxon's signed-rank test, two-sided */
    size_t only_solver, only_baseline, neither; /* of the instances both attempted */
    size_t unsolvable; /* instances that cannot be solved: they count nowhere else */
    size_t unshared;   /* instances that only one of the two attempted: they count nowhere else */
};

struct pairs {
    size_t baseline;
    size_t solvers;     /* without the baseline */
    struct pair *pairs; /* by metric * solvers + solver in order of appearance */
};

struct pairs pairs_of(const struct results *results, size_t baseline);
void pairs_print(const struct pairs *pairs, const struct results *results, enum metric metric,
                 FILE *file);

/* The table for programs; without results (NULL) its columns alone. */
struct tidy pairs_tidy(const struct pairs *pairs, const struct results *results);
void pairs_end(struct pairs *pairs);

#endif
