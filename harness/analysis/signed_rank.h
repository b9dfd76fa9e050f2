/* Are the differences of pairs symmetric about zero? Wilcoxon's signed-rank test, the sign test,
 * and the effect size that belongs to the former.
 *
 * Differences are first minus second. They may be infinite: an unsolved run against a solved one
 * has the largest size of all (harness/analysis/censored.h). A NaN among them makes every result
 * NaN, so the caller leaves out pairs without a value.
 *
 * p is two-sided, twice the smaller tail and at most 1. Tails are summed from their small end,
 * never taken as 1 minus something, so that they are right however small they are; log10_p goes on
 * where p is too small for a double. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum scale {
    SCALE_LOG, /* log(a / b): asks about the ratio */
    SCALE_RAW, /* a - b */
};

/* differences[i] = a[i] against b[i] on a scale, such that differences of equal size are the very
 * same number, and comparing them with == finds ties by value:
 * - Whole numbers up to 2^53 (counters): a - b is exact, and a logarithm is computed from a / b or,
 *   within a factor of 2, from (a - b) / b, whose rounding depends on the ratio alone; the smaller
 *   value is divided into the larger. So 6 : 4 and 30 : 20 and (with the other sign) 2 : 3 tie.
 * - Other numbers (seconds) are decimals that were rounded when they were read. Sizes that lie no
 *   further apart than that rounding can move them are one size, as are all that hang together in
 *   this way; what rounding can move to zero is zero.
 * Hence all data times 10, or in other units, have the same ties.
 * Values must not be negative; an unsolved run is INFINITY, two of them tie (0). On the scale of
 * logarithms 0 against 0 is a tie, 0 against more is infinitely less; metrics that are often 0 want
 * SCALE_RAW. NaN where a or b is. O(n log n). */
void paired_differences(const double *a, const double *b, size_t count, enum scale scale,
                        double *differences);

enum zeros {
    ZEROS_DROPPED, /* Wilcoxon: they say nothing, and the rest is ranked without them */
    ZEROS_PRATT,   /* Pratt: they take the smallest ranks, which are then left out */
};

struct signed_rank {
    size_t count;              /* differences that are not 0 */
    size_t zeros;              /* and those that are */
    double positive, negative; /* the sums of their ranks */
    double p, log10_p;
    double biserial; /* (positive - negative) / (positive + negative), -1 to 1: Kerby's
                        matched-pairs rank-biserial correlation; NaN when count is 0 */
    bool exact;      /* how p was computed */
};

/* Wilcoxon's signed-rank test. p is 1 when all differences are zero, NaN when there are none.
 *
 * p is exact given the ranks at hand, ties included, for every set of up to 340 differences, and
 * near the end of the distribution for up to SIGNED_RANK_EXACT: as long as counting the sign
 * patterns of each doubled rank sum up to the one seen, by dynamic programming, takes no more than
 * SIGNED_RANK_WORK additions. Otherwise it is Lugannani and Rice's saddlepoint approximation of
 * the sum of independent two-point variables, with Daniels' second correction for continuity on
 * the lattice of the rank sums. For 1,000 differences without ties its relative error is below
 * 3e-4 down to p = 1e-166 and below 2e-5 above 1e-30; it is worst for the last sum of all, p =
 * 2^(1 - n), of which it gives 87 % (tests/unit/test_signed_rank.c).
 * O(n log n + n * min(sum, SIGNED_RANK_WORK / n)).
 *
 * Sources: Wilcoxon, Individual Comparisons by Ranking Methods, Biometrics Bulletin 1 (1945);
 * Pratt, Remarks on Zeros and Ties in the Wilcoxon Signed Rank Procedures, JASA 54 (1959);
 * Lugannani and Rice, Saddle Point Approximation for the Distribution of the Sum of Independent
 * Random Variables, Advances in Applied Probability 12 (1980); Daniels, Tail Probability
 * Approximations, International Statistical Review 55 (1987); Kerby, The Simple Difference Formula,
 * Comprehensive Psychology 3 (2014). */
enum { SIGNED_RANK_EXACT = 1000, SIGNED_RANK_WORK = 20000000 };

struct signed_rank signed_rank_test(const double *differences, size_t count, enum zeros zeros);

/* Bounds of the test's p where infinite differences represent unknown ones, larger in
 * size than all others, in whatever order among themselves, tied or not.
 *
 * The sums of ranks are the same in all these orders; how likely they are is not. With signs drawn
 * at random, those of k differences that are negative have ranks whose sum differs between a given
 * order and one without ties by at most floor(k^2 / 4) / 2. So p is at least that of ranks without
 * ties for a sum so much smaller, and at most that for one so much larger. For k = 1 both are the
 * test's. */
struct rank_bounds {
    double positive, negative; /* the sums of ranks */
    double least, most, log10_most;
};

struct rank_bounds signed_rank_bounds(const double *differences, size_t count, enum zeros zeros);

struct sign_test {
    double p, log10_p;
};

/* The sign test: how likely a fair coin is at least so far from even; ties of pairs count nowhere.
 * The exact binomial tail, summed. p is 1 for no wins and no losses. O(min(wins, losses)). Source:
 * Conover, Practical Nonparametric Statistics, 3rd edition, section 3.4. */
struct sign_test sign_test(size_t wins, size_t losses);
