/* Statistics on GSL; sums are over a few thousand instances at most, so plain loops will do. */
#include "harness/analysis/statistics.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

double mean_of(const double *values, size_t count)
{
    return count == 0 ? NAN : gsl_stats_mean(values, 1, count);
}

double median_of(double *values, size_t count)
{
    return count == 0 ? NAN : gsl_stats_median(values, 1, count);
}

double sd_of(const double *values, size_t count)
{
    return count < 2 ? NAN : gsl_stats_sd(values, 1, count);
}

static double sorted_quantile(const double *sorted, size_t count, double share)
{
    if (count == 0 || isnan(sorted[0]) || isnan(sorted[count - 1]))
        return NAN;
    const double place = (double)(count - 1) * share;
    const size_t below = (size_t)place;
    const double rest = place - (double)below;
    if (rest == 0 || sorted[below] == sorted[below + 1])
        return sorted[below];
    return (1 - rest) * sorted[below] + rest * sorted[below + 1];
}

double quantile_of(double *values, size_t count, double share)
{
    sort_values(values, count);
    return sorted_quantile(values, count, share);
}

struct quartiles quartiles_of(double *values, size_t count)
{
    sort_values(values, count);
    return (struct quartiles){
        sorted_quantile(values, count, 0),   sorted_quantile(values, count, 0.25),
        sorted_quantile(values, count, 0.5), sorted_quantile(values, count, 0.75),
        sorted_quantile(values, count, 1),
    };
}

struct spread spread_of(double *values, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[used++] = values[i];
    struct spread spread = {.count = used, .quartiles = quartiles_of(values, used)};
    spread.mean = mean_of(values, used);
    spread.sd = sd_of(values, used);
    return spread;
}

struct spread spread_of_whole(double *values, size_t count)
{
    bool whole = true;
    for (size_t i = 0; i < count; i++)
        whole = whole && !isnan(values[i]);
    return spread_of(values, whole ? count : 0);
}

struct estimate mean_estimate(const double *values, size_t count)
{
    struct estimate estimate = {NAN, {NAN, NAN}};
    if (count == 0)
        return estimate;
    SCOPED double *sorted = heap_take(count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    sort_values(sorted, count);
    const bool same = sorted[0] == sorted[count - 1];
    estimate.value = same ? sorted[0] : mean_of(sorted, count);
    if (count >= 3) {
        const double n = (double)count;
        const double sd = same ? 0 : sd_of(sorted, count);
        const double reach = gsl_cdf_tdist_Pinv(0.975, n - 1) * sd / sqrt(n);
        estimate.interval = (struct interval){estimate.value - reach, estimate.value + reach};
    }
    return estimate;
}

/* The logarithm of b + b^2 + .. + b^depth with b = exp(x), without cancellation near b = 1; and its
 * derivative by x. */
static double log_power_sum(double x, double depth, double *slope)
{
    if (x == 0) {
        *slope = (depth + 1) / 2;
        return log(depth);
    }
    const double one = expm1(x);
    const double all = expm1(depth * x);
    *slope = 1 + depth * (all + 1) / all - (one + 1) / one;
    return x + log(all / one);
}

double effective_branching_factor(double generated, double depth)
{
    double nodes = generated - 1; /* below the root */
    if (isnan(nodes) || isnan(depth) || depth <= 0 || nodes < 0)
        return NAN;
    if (nodes == 0)
        return 0;
    if (nodes == depth)
        return 1;
    /* Newton's method on logarithms: the sum is convex in x, so the method approaches the root from
     * any point above it without passing it. For b > 1 the sum is at least b^depth, for b < 1 at
     * least b: that gives a first point. */
    const double wanted = log(nodes);
    double x = nodes > depth ? wanted / depth : fmin(0, wanted);
    for (;;) {
        double slope;
        const double excess = log_power_sum(x, depth, &slope) - wanted;
        const double next = x - excess / slope;
        if (!(next < x)) /* no more than rounding is left */
            return exp(x);
        x = next;
    }
}
