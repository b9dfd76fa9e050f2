/* The Hodges-Lehmann estimate: the pseudo-median of differences, the median of their Walsh averages
 * (x[i] + x[j]) / 2, i <= j, with the interval that Wilcoxon's signed-rank test leaves.
 *
 * It is in the unit of the differences: of logarithms, exp() of all three is a ratio. */
#pragma once

#include "harness/analysis/statistics.h"

struct hodges_lehmann {
    double estimate;
    struct interval interval; /* 95 % at least */
};

/* The interval holds the shifts that the two-sided test at 5 % does not reject: from the k-th
 * smallest to the k-th largest Walsh average, k the 2.5 % quantile of the rank sum without ties:
 * exact up to 300 differences, above by its normal approximation with Cornish and Fisher's term for
 * the fourth cumulant (which is then right to a rank or two of thousands). With ties it is, if
 * anything, too wide. Zeros are ordinary differences here: leaving them out would move the estimate
 * away from zero. NaN for no differences, and the interval below 6, where even all of one sign are
 * not rejected.
 *
 * Differences may be infinite (harness/analysis/censored.h). The average of one that is +infinity
 * and one that is -infinity may be anything: the low end takes it as the smallest, the high end as
 * the largest, and where the estimate depends on it, it is NaN. A NaN among the differences makes
 * all NaN.
 *
 * The n (n + 1) / 2 averages are not held: they are counted in O(n) below a value, and the value is
 * found by bisection over the doubles, until n are left. O(n log n) time, O(n) memory.
 *
 * Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd edition, sections
 * 3.2 and 3.3; Johnson and Mizoguchi, Selecting the Kth Element in X + Y and X1 + .. + Xm, SIAM
 * Journal on Computing 7 (1978), for the counting. */
struct hodges_lehmann hodges_lehmann(const double *differences, size_t count);
