/* All solvers of a block side by side on one metric, over the instances that all of them tried (and
 * that can be solved): penalised averages, the virtual best solver, Kaplan and Meier's restricted
 * mean, performance profiles, average ranks.
 *
 * Unsolved runs have an infinite cost in ranks and profiles, penalised in PAR2 and PAR10 and
 * censored at what they had spent in Kaplan and Meier's curve. Of metrics that do not only rise
 * (metric_rises) unsolved runs have neither rank nor bound: then there is no curve, rank and test.
 */
#pragma once

#include "harness/analysis/friedman.h"
#include "harness/analysis/results.h"
#include "harness/analysis/survival.h"

/* The performance ratios at which the profiles are read. */
enum { PROFILE_RATIOS = 4 };
extern const double profile_ratios[PROFILE_RATIOS];

struct standing {
    size_t solver;
    size_t solved;
    double par2, par10; /* NaN where no limit is in the metric's unit (has_limit), and where a run
                           is unsolved whose limit is not known */
    double restricted_mean; /* up to `limit` of the standings */
    double median;          /* by which half of the instances are solved: of the curve */
    double logrank_p;       /* against the baseline; NaN for itself and for whole populations */
    double rank;            /* the average; 1 is best */
    double within[PROFILE_RATIOS]; /* share of instances within each factor of the best */
    size_t best;                   /* instances on which no other needed less, solved ones */
};

struct standings {
    enum metric metric;
    size_t instances; /* that all solvers tried, with the metric */
    size_t count;     /* solvers that have runs in the block */
    struct standing *rows;
    struct standing virtual_best; /* of each instance the smallest cost; solver SIZE_MAX */
    double limit;                 /* up to which the restricted means are taken */
    struct friedman friedman;     /* of three and more solvers; all NaN for whole populations */
    struct logrank logrank;       /* of all solvers at once; the same */
    double critical_difference;   /* Nemenyi's, at 5 % */
};

struct standings standings_of(const struct results *results, const struct block *block,
                              enum metric metric, size_t baseline);
void standings_end(struct standings *standings);
