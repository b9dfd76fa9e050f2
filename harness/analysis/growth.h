/* How a cost grows: the line of y over x. With y the logarithm of nodes and x the optimal length,
 * exp(slope) is the factor that one more move costs.
 *
 * Both estimates sort the points first, so that their order changes no bit. Points must be finite:
 * an unsolved run has no nodes to give (leaving such runs out bends the line: say so). All NaN for
 * fewer than two points, points of one x only, or a value that is not finite; the interval is NaN
 * below three points. */
#pragma once

#include "harness/analysis/statistics.h"

struct growth {
    double slope;
    struct interval interval; /* of the slope, 95 % */
    double intercept;
    double r_squared; /* least squares only; NaN where all y are equal */
};

/* Least squares, with Student's t interval for residuals that spread alike everywhere. O(n log n).
 */
struct growth growth_least_squares(const double *x, const double *y, size_t count);

/* Theil and Sen: the slope is the median of the slopes between all pairs of points with different
 * x, the intercept the median of y - slope * x. Up to 29 % of the points may be anything. The
 * interval is Sen's: the slopes which Kendall's test does not reject, by its normal approximation,
 * outwards rounded; NaN where all slopes together are too few. The slopes are not held but counted
 * by inversions below a value that bisection finds, to 15 digits: O(n log n) time for each of up to
 * 64 steps, O(n log x) where x takes few values. Sources: Theil, A Rank-Invariant Method of Linear
 * and Polynomial Regression Analysis, Proc. KNAW 53 (1950); Sen, Estimates of the Regression
 * Coefficient Based on Kendall's Tau, JASA 63 (1968). */
struct growth growth_theil_sen(const double *x, const double *y, size_t count);
