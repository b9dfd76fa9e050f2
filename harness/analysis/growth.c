#include "harness/analysis/growth.h"
#include "base/heap.h"
#include "harness/analysis/ranks.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static const struct growth none = {NAN, {NAN, NAN}, NAN, NAN};

/* The points sorted by x, then y; NULL where they have no line. */
static struct point *points_of(const double *x, const double *y, size_t count)
{
    if (count < 2)
        return NULL;
    struct point *points = heap_take(count, sizeof *points);
    bool finite = true;
    for (size_t i = 0; i < count; i++) {
        finite &= isfinite(x[i]) && isfinite(y[i]);
        points[i] = (struct point){x[i], y[i]};
    }
    if (finite)
        qsort(points, count, sizeof *points, compare_points);
    return heap_keep(finite && points[0].x != points[count - 1].x, points);
}

struct growth growth_least_squares(const double *x, const double *y, size_t count)
{
    SCOPED struct point *points = points_of(x, y, count);
    if (points == NULL)
        return none;
    const size_t stride = sizeof *points / sizeof(double);
    const double *xs = &points->x;
    const double *ys = &points->y;
    struct growth growth = none;
    double cov00, cov01, cov11, residue;
    gsl_fit_linear(xs, stride, ys, stride, count, &growth.intercept, &growth.slope, &cov00, &cov01,
                   &cov11, &residue);
    const double total = gsl_stats_tss(ys, stride, count);
    if (total > 0)
        growth.r_squared = 1 - residue / total;
    if (count > 2) {
        const double reach = gsl_cdf_tdist_Pinv(0.975, (double)count - 2) * sqrt(cov11);
        growth.interval = (struct interval){growth.slope - reach, growth.slope + reach};
    }
    return growth;
}

struct slopes {
    const struct point *points; /* each once */
    const uint64_t *weight;     /* how often it occurs */
    size_t count;
    struct weighed *rest; /* room for the points' y above a line */
    double bound;         /* no slope is steeper, up or down */
    double number;        /* of pairs with different x */
};

/* How many slopes are less than one: pairs whose order above the line of that slope is the reverse
 * of theirs in x. Points of one x ascend and stay so. */
static double slopes_below(const struct slopes *slopes, double slope)
{
    for (size_t i = 0; i < slopes->count; i++)
        slopes->rest[i] =
            (struct weighed){slopes->points[i].y - slope * slopes->points[i].x, slopes->weight[i]};
    return (double)inversions(slopes->rest, slopes->count);
}

/* The k-th smallest slope, k from 1. */
static double slope_at(const struct slopes *slopes, double k)
{
    double low = -slopes->bound;
    double high = slopes->bound;
    while (high - low > 1e-16 * slopes->bound) { /* what rounding leaves of y */
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (slopes_below(slopes, middle) < k)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

/* Lists the points, each once, with how often it occurs; returns how many they are. `points` are
 * sorted. */
static size_t merge_equal(const struct point *points, size_t count, struct point *distinct,
                          uint64_t *weight)
{
    size_t found = 0;
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && compare_points(&points[start], &points[end]) == 0;
             end++)
            ;
        weight[found] = end - start;
        distinct[found++] = points[start];
    }
    return found;
}

struct growth growth_theil_sen(const double *x, const double *y, size_t count)
{
    SCOPED struct point *points = points_of(x, y, count);
    if (points == NULL)
        return none;
    const double n = (double)count;
    double variance = n * (n - 1) * (2 * n + 5) / 18; /* of Kendall's score, for ties in x */
    double gap = INFINITY;
    struct slopes slopes = {.number = n * (n - 1) / 2};
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && points[end].x == points[start].x; end++)
            ;
        const double t = (double)(end - start);
        variance -= t * (t - 1) * (2 * t + 5) / 18;
        slopes.number -= t * (t - 1) / 2;
        if (end < count)
            gap = fmin(gap, points[end].x - points[start].x);
    }
    double low_y, high_y;
    gsl_stats_minmax(&low_y, &high_y, &points->y, 2, count);
    slopes.bound = 2 * (high_y - low_y) / gap;

    SCOPED double *rest = heap_take(count, sizeof *rest);
    SCOPED uint64_t *weight = heap_take(count, sizeof *weight);
    SCOPED struct point *distinct = heap_take(count, sizeof *distinct);
    slopes.points = distinct;
    slopes.weight = weight;
    slopes.count = merge_equal(points, count, distinct, weight);
    slopes.rest = heap_take(slopes.count, sizeof *slopes.rest);

    struct growth growth = none;
    const double middle = floor((slopes.number + 1) / 2);
    growth.slope = slope_at(&slopes, middle);
    if (2 * middle == slopes.number)
        growth.slope = growth.slope / 2 + slope_at(&slopes, middle + 1) / 2;
    for (size_t i = 0; i < count; i++)
        rest[i] = points[i].y - growth.slope * points[i].x;
    growth.intercept = median_of(rest, count);
    const double reach = gsl_cdf_ugaussian_Pinv(0.975) * sqrt(variance);
    const double k = floor((slopes.number - reach) / 2);
    if (count > 2 && k >= 1)
        growth.interval =
            (struct interval){slope_at(&slopes, k), slope_at(&slopes, slopes.number + 1 - k)};
    free(slopes.rest);
    return growth;
}
