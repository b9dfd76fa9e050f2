/* Each solver against a baseline, or every solver against every other, paired by instance: unsolved
 * runs count.
 *
 * An unsolved run is worse than every solved one, and two unsolved ones tie: so wins, ties, losses,
 * the sign test, A12 and Cliff's delta compare the solvers under the given limits; but of metrics
 * that do not only rise (metric_rises) unsolved runs say nothing. Ratio and
 * Wilcoxon's test are about the costs themselves, of which an unsolved run gives a bound
 * (harness/analysis/censored.h): p is at least the largest, and p_min at most the smallest, that
 * the unsolved runs' true costs could give. A conclusion that one needs less asks that the ranks
 * show it and that the ratio of geometric means does not contradict it, whatever the unsolved runs
 * would have needed. The mean of a solver with unsolved runs has no upper bound: so it cannot be
 * said to need less. Hence no conclusion is taken back when limits are raised.
 *
 * Differences and ratios are solver to baseline, so a ratio below 1 and wins speak for the solver.
 * A geometric mean needs positive values: pairs where either value is 0 (expanded is 0 where the
 * start is the goal) are left out of the ratio, and ratio_pairs says how many are in. A block that
 * is a whole population has no sampling error: no p and no interval. A board that cannot be solved
 * is not compared. */
#pragma once

#include "harness/analysis/censored.h"
#include "harness/analysis/hodges_lehmann.h"
#include "harness/analysis/multiplicity.h"
#include "harness/analysis/results.h"

#define PAIRS_LEVEL 0.05

/* What can be said of a solver against the baseline, at PAIRS_LEVEL. */
enum conclusion {
    CONCLUSION_NOTHING,    /* no instance that both tried, with the metric */
    CONCLUSION_NOT_ENOUGH, /* even differences of one sign would give no adjusted p below the level
                            */
    CONCLUSION_SAME,       /* the same cost on every instance */
    CONCLUSION_FEWER,      /* the solver needs less */
    CONCLUSION_MORE,       /* it needs more */
    CONCLUSION_NONE_SHOWN, /* no difference is shown, whatever the unsolved runs would have needed
                            */
    CONCLUSION_UNKNOWN,    /* it depends on what they would have needed: that the ranks show a
                              difference, or that the geometric means agree with them */
    CONCLUSION_DIVIDED,    /* ranks say that one needs less, geometric means the other */
};

struct pair {
    enum metric metric;
    size_t solver, baseline;
    bool whole;       /* the block is a population, and both tried all of it */
    size_t instances; /* that both tried, with the metric: what wins, ties, losses sum to, where the
                         metric rises (metric_rises) */
    struct paired_order order; /* a: the solver, b: the baseline */
    size_t limited[2]; /* unsolved ones of the solver and of the baseline which limits ended */
    enum reported lacking[2]; /* the solver, the baseline: where it does not report the metric of
                                 every board that it solved, nothing is compared; else 0 */
    size_t unverified;        /* instances with an unverified run on either side */
    size_t impossible;        /* of counters: instances with one on either side that no search can
                                 count */
    size_t drifted;           /* of times: instances with one on either side beside a control run
                                 that drifted */
    size_t no_value;          /* instances both solved, but without a value on one side */
    size_t unsolvable;        /* instances that cannot be solved: they count nowhere else */
    size_t unshared; /* instances that only one of the two tried: they count nowhere else */
    size_t apart;    /* instances that the two ran on different machines, if it is about times */
    struct censored_ratio ratio;
    enum scale scale;  /* of Wilcoxon's test */
    double p, log10_p; /* Wilcoxon's signed-rank test, two-sided */
    double p_min;
    double p_adjusted, p_min_adjusted;
    enum conclusion by_ranks; /* FEWER or MORE: to which side p is; else NOTHING */
    double biserial;          /* NaN where runs are unsolved */
    double sign_p;
    double a12, cliffs_delta;
    struct hodges_lehmann shift; /* of logarithms of ratios; with unsolved runs the interval holds
                                    what they allow, and the estimate is NaN unless they leave it */
    enum conclusion conclusion;
};

struct pairs_options {
    size_t baseline;
    bool all; /* every solver against every other; p is adjusted over all these pairs */
    enum correction correction;
    bool raw;   /* Wilcoxon's test on differences, not on ratios */
    bool pratt; /* zeros keep their ranks */
};

struct pairs {
    const struct block *block;
    struct pairs_options options;
    size_t solvers;     /* without the baseline */
    size_t count;       /* pairs of a metric: the solvers against the baseline, then the others */
    struct pair *pairs; /* by metric * count + number; solvers in order of appearance */
};

struct pairs pairs_of(const struct results *results, const struct block *block,
                      const struct pairs_options *options);

/* The pairs of one metric, pairs->count of them. */
const struct pair *pairs_by(const struct pairs *pairs, enum metric metric);

/* How many hypotheses p is adjusted for. */
size_t pairs_family(const struct pairs *pairs, enum metric metric);

/* How many instances one of the pairs needs at least to show a difference, the others of its family
 * having those they have. */
size_t pairs_needed(const struct pairs *pairs, const struct pair *pair);

/* "Holm" and so on. */
const char *correction_name(enum correction correction);

/* Adds the rows of all metrics to the table for programs (table_start(TABLE_PAIRS)). */
void pairs_add(struct tidy *tidy, const struct pairs *pairs, const struct results *results);

void pairs_end(struct pairs *pairs);
