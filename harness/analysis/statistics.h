/* The numbers behind a comparison of solvers: pure functions of arrays of doubles.
 *
 * What does not exist (a mean of nothing, a branching factor at depth 0) is NaN throughout; writers
 * leave such a cell blank. Counters come as doubles, exact up to 2^53. */
#ifndef HARNESS_ANALYSIS_STATISTICS_H
#define HARNESS_ANALYSIS_STATISTICS_H

#include <stddef.h>

enum {
    BOOTSTRAP_RESAMPLES = 10000,
    BOOTSTRAP_MOST_PAIRS = 10000,
    WILCOXON_EXACT = 50, /* up to so many differences the distribution is exact */
};

/* The arithmetic mean. */
double mean_of(const double *values, size_t count);

/* The median; puts `values` into another order. */
double median_of(double *values, size_t count);

/* The standard deviation of a sample (divided by count - 1); NaN below two values. */
double sd_of(const double *values, size_t count);

/* The quantile for a share from 0 to 1: at (count - 1) * share in the sorted values, numbered from
 * 0, on the line between the two next to it. This is R's type 7, and the median is the one
 * everybody knows. Values may be infinite (unsolved runs): between a finite and an infinite one
 * lies infinity. NaN for no values, and where one is NaN. Puts `values` into ascending order. O(n
 * log n). Source: Hyndman and Fan, Sample Quantiles in Statistical Packages, The American
 * Statistician 50 (1996). */
double quantile_of(double *values, size_t count, double share);

struct quartiles {
    double min, lower, median, upper, max;
};

/* quantile_of at 0, 1/4, 1/2, 3/4 and 1. */
struct quartiles quartiles_of(double *values, size_t count);

/* A sample in figures. */
struct spread {
    size_t count;
    double mean, sd; /* NaN of none; sd below two values */
    struct quartiles quartiles;
};

/* Of the values that are not NaN; puts `values` into another order, on which nothing depends. O(n
 * log n). */
struct spread spread_of(double *values, size_t count);

/* The effective branching factor b*: the root b >= 0 of
 *     generated = 1 + b + b^2 + .. + b^depth.
 * Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th edition, section 3.6.1, write
 * N + 1 for the left side, as their N leaves the root out and `generated` counts it. Both arguments
 * may be means. It is 1 where generated = depth + 1, less where fewer nodes were generated than a
 * path has, 0 where only the root was; NaN where depth = 0 or nothing was generated at all. */
double effective_branching_factor(double generated, double depth);

/* The ratio of the geometric means of a and b, which is the geometric mean of the ratios a[i] /
 * b[i]. All values must be positive. */
double geometric_mean_ratio(const double *a, const double *b, size_t count);

struct interval {
    double low, high;
};

struct estimate {
    double value;
    struct interval interval; /* 95 % */
};

/* The mean with Student's t interval. Of differences of logarithms, exp() of all three is the ratio
 * of the geometric means with its interval. NaN interval below three values, where it would say
 * nothing (t is 12.7 for two); the mean itself is NaN for none. Values that are all equal have the
 * mean as their interval. The values are sorted first, in a copy, so that their order changes no
 * bit of the result. O(n log n).
 *
 * Of 1,000 data sets each, the interval covers the true ratio in 94 to 96 % for n = 3, 5, 10, 20
 * and 50, for normal logarithms and for the ratios of nodes expanded by A* with misplaced tiles and
 * with Manhattan distance on boards drawn from the whole 8-puzzle: tests/property/test_inference.c
 * with TILELAB_LONG=1 prints the coverages. The percentile bootstrap covers 75 to 95 % there, the
 * BCa bootstrap no better at small n: resampling three values cannot know how wide they spread. */
struct estimate mean_estimate(const double *values, size_t count);

/* The 95 % percentile bootstrap interval of geometric_mean_ratio: the pairs are drawn with
 * replacement BOOTSTRAP_RESAMPLES times, and the interval lies between the 2.5 % and 97.5 %
 * quantiles. The generator is GSL's mt19937 with `seed`, so the same input gives the same interval.
 * NaN below two pairs; with fewer than some ten pairs the interval is known to be too narrow.
 * Of more than BOOTSTRAP_MOST_PAIRS pairs none are drawn: the means of so many logarithms lie as a
 * normal distribution does, with the variance that drawing would give them (their own over the
 * count), and the interval is the one between its quantiles.
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 5 and 13. */
struct interval bootstrap_ratio_interval(const double *a, const double *b, size_t count,
                                         unsigned long seed);

/* The two-sided p of Wilcoxon's signed-rank test that the differences are symmetric about zero.
 * Differences of zero are dropped, as Wilcoxon did; equal sizes share their mean rank. With up to
 * WILCOXON_EXACT differences left, p is exact given the ranks at hand, ties included: the
 * distribution of the rank sum over all sign patterns is counted by dynamic programming on doubled
 * (whole) ranks. With more it is the normal approximation with corrections for ties and for
 * continuity. 1 when all differences are zero, NaN when there are none. Source: Wilcoxon,
 * Individual Comparisons by Ranking Methods, Biometrics Bulletin 1 (1945); Hollander, Wolfe and
 * Chicken, Nonparametric Statistical Methods, 3rd edition, section 3.1. */
double wilcoxon_signed_rank(const double *differences, size_t count);

/* Holm's step-down correction of `count` p values for testing them all: the i-th smallest of m is
 * multiplied by m - i + 1, made no less than those before it and no more than 1. NaN stays NaN and
 * does not count in m. Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure,
 * Scandinavian Journal of Statistics 6 (1979). */
void holm(const double *p, size_t count, double *adjusted);

#endif
