/* Pairs of runs of which a limit cut some short.
 *
 * Of an unsolved run only what it had spent when it ended is known: it would have needed more.
 * Dropping such pairs would keep the instances that the solver finds easy, and could reverse a
 * comparison. They are compared in three ways, none of which drops them:
 *
 * 1. Order. An unsolved run is worse than every solved one, and two unsolved runs tie. That is a
 *    total order, INFINITY as the cost of an unsolved run: paired_order counts wins, ties and
 *    losses by it, and paired_differences (harness/analysis/signed_rank.h) gives an unsolved run
 *    against a solved one an infinite difference, which Wilcoxon's test ranks above all finite
 *    ones, tied among themselves. It is the right order for "which solver do I want under this
 *    limit"; it says nothing of other limits, because ties of two unsolved runs may go either way
 *    and the size of a difference is not known.
 * 2. Bounds of the difference. censored_differences gives the smallest and the largest that each
 *    pair's difference can be. The signed-rank statistic rises with every difference (it counts
 *    positive Walsh averages), and so do the sign test's count and the mean: computed from all
 *    smallest and from all largest differences it encloses what runs without a limit would give.
 *    "a needs more" can be said when the test of the *smallest* differences says so, "b needs more"
 *    when that of the *largest* does; otherwise it cannot be said. A verdict of this kind never
 *    contradicts one from a larger limit.
 * 3. Bounds of the ratio. censored_ratio: see there.
 *
 * All this is true of costs that only rise while a run goes on. Of others (`open`: nodes on the
 * open list at the end) an unsolved run says nothing: its pair is no win, tie or loss, its
 * difference can be anything, and so can the ratio.
 *
 * Costs are what was spent, solved or not, in one unit, not negative; NaN makes the pair's
 * difference NaN, and is not counted in orders and ratios. */
#pragma once

#include "harness/analysis/signed_rank.h"
#include "harness/analysis/statistics.h"

/* One solver's runs of the instances. */
struct censored_runs {
    const double *spent;
    const bool *solved;
    bool open; /* what was spent bounds nothing; of both solvers or of none */
};

struct paired_order {
    size_t wins, ties, losses; /* a win: a needed less; both solved at the same cost or both
                                  unsolved: a tie; `open`: of those both solved alone */
    size_t both, only_a, only_b, neither; /* solved; `neither` is among the ties */
};

/* O(n). */
struct paired_order paired_order(struct censored_runs a, struct censored_runs b, size_t count);

/* Writes the smallest and largest difference (a against b) that the pairs can have. Both solved:
 * the same number twice. Only b solved: from what a had spent, to INFINITY. Only a solved: from
 * -INFINITY, to what b had spent. Neither: from -INFINITY to INFINITY. Ties by value, within `low`
 * and within `high`, as paired_differences. O(n log n). */
void censored_differences(struct censored_runs a, struct censored_runs b, size_t count,
                          enum scale scale, double *low, double *high);

enum ratio_bound {
    RATIO_KNOWN,    /* all pairs that are in are solved: `spent` is the ratio, as is `solved` */
    RATIO_AT_LEAST, /* only runs of a unsolved: the ratio is `spent` or more */
    RATIO_AT_MOST,  /* only runs of b unsolved: `spent` or less */
    RATIO_UNKNOWN,  /* both have unsolved runs: it can be anything */
};

struct censored_ratio {
    struct estimate solved; /* of geometric means over the pairs both solved; the interval is that
                               of mean_estimate. It is about those instances alone */
    size_t solved_pairs;
    double spent; /* the same over all pairs with unsolved runs at what they had spent */
    size_t spent_pairs;
    enum ratio_bound bound;
};

/* The ratio of the geometric means of costs, a over b. An unsolved run would have needed more than
 * it had spent, and a ratio rises with a's costs and falls with b's: so putting in what was spent
 * bounds the ratio where only one side has unsolved runs. Pairs with a cost of 0 have no logarithm
 * and are left out of all; `spent_pairs` of all pairs are in. Where an unsolved run that had spent
 * 0 is what leaves one out, nothing bounds the ratio. NaN where there are none. */
struct censored_ratio censored_ratio(struct censored_runs a, struct censored_runs b, size_t count);
