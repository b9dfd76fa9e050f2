/* Statistics on GSL; sums are over at most some thousand instances, so plain loops do. */
#include "harness/analysis/statistics.h"
#include "base/heap.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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
    if (count == 0 || isnan(sorted[0]))
        return NAN;
    const double place = (double)(count - 1) * share;
    const size_t below = (size_t)place;
    const double rest = place - (double)below;
    if (rest == 0 || sorted[below] == sorted[below + 1])
        return sorted[below];
    return (1 - rest) * sorted[below] + rest * sorted[below + 1];
}

/* Ascending, NaN first. */
static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return isnan(x) || isnan(y) ? isnan(y) - isnan(x) : (x > y) - (x < y);
}

double quantile_of(double *values, size_t count, double share)
{
    if (count > 0)
        qsort(values, count, sizeof *values, compare_values);
    return sorted_quantile(values, count, share);
}

struct quartiles quartiles_of(double *values, size_t count)
{
    if (count > 0)
        qsort(values, count, sizeof *values, compare_values);
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

struct estimate mean_estimate(const double *values, size_t count)
{
    struct estimate estimate = {NAN, {NAN, NAN}};
    if (count == 0)
        return estimate;
    double *sorted = heap_take(count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_values);
    const bool same = sorted[0] == sorted[count - 1];
    estimate.value = same ? sorted[0] : mean_of(sorted, count);
    if (count >= 3) {
        const double n = (double)count;
        const double sd = same ? 0 : sd_of(sorted, count);
        const double reach = gsl_cdf_tdist_Pinv(0.975, n - 1) * sd / sqrt(n);
        estimate.interval = (struct interval){estimate.value - reach, estimate.value + reach};
    }
    free(sorted);
    return estimate;
}

/* b + b^2 + .. + b^depth with b = exp(x), without cancellation near b = 1. */
static double power_sum(double x, double depth)
{
    return x == 0 ? depth : exp(x) * expm1(depth * x) / expm1(x);
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
    /* Bisection over the logarithm of b. For b > 1 the sum lies between b^depth and depth *
     * b^depth, for b < 1 between b and depth * b: that gives the two ends. */
    bool above = nodes > depth;
    double low = above ? log(nodes / depth) / depth : log(nodes / depth);
    double high = above ? log(nodes) / depth : fmin(0, log(nodes));
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return exp(middle);
        if (power_sum(middle, depth) < nodes)
            low = middle;
        else
            high = middle;
    }
}

/* log(a[i] / b[i]) of every pair. */
static double *log_ratios(const double *a, const double *b, size_t count)
{
    double *logs = heap_take(count, sizeof *logs);
    for (size_t i = 0; i < count; i++)
        logs[i] = log(a[i]) - log(b[i]);
    return logs;
}

double geometric_mean_ratio(const double *a, const double *b, size_t count)
{
    double *logs = log_ratios(a, b, count);
    double ratio = exp(mean_of(logs, count));
    free(logs);
    return ratio;
}

static bool all_equal(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (values[i] != values[0])
            return false;
    }
    return true;
}

/* What the bootstrap of the mean comes to where there are many values. */
static struct interval normal_interval(const double *logs, size_t count)
{
    const double mean = gsl_stats_mean(logs, 1, count);
    const double error =
        sqrt(gsl_stats_variance_with_fixed_mean(logs, 1, count, mean) / (double)count);
    const double reach = gsl_cdf_ugaussian_Pinv(0.975) * error;
    return (struct interval){exp(mean - reach), exp(mean + reach)};
}

struct interval bootstrap_ratio_interval(const double *a, const double *b, size_t count,
                                         unsigned long seed)
{
    if (count < 2)
        return (struct interval){NAN, NAN};
    double *logs = log_ratios(a, b, count);
    if (all_equal(logs, count)) { /* every resample is the same; common for optimal lengths */
        double ratio = exp(logs[0]);
        free(logs);
        return (struct interval){ratio, ratio};
    }
    if (count > BOOTSTRAP_MOST_PAIRS) {
        struct interval normal = normal_interval(logs, count);
        free(logs);
        return normal;
    }
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    if (random == NULL)
        heap_exhausted();
    gsl_rng_set(random, seed);
    double *means = heap_take(BOOTSTRAP_RESAMPLES, sizeof *means);
    for (size_t resample = 0; resample < BOOTSTRAP_RESAMPLES; resample++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            /* 32 random bits scaled to 0 .. count - 1: no division, and a bias below count / 2^32
             */
            uint64_t bits = gsl_rng_get(random);
            sum += logs[(bits * count) >> 32];
        }
        means[resample] = sum / (double)count;
    }
    gsl_rng_free(random);
    gsl_sort(means, 1, BOOTSTRAP_RESAMPLES);
    struct interval interval = {
        exp(gsl_stats_quantile_from_sorted_data(means, 1, BOOTSTRAP_RESAMPLES, 0.025)),
        exp(gsl_stats_quantile_from_sorted_data(means, 1, BOOTSTRAP_RESAMPLES, 0.975)),
    };
    free(means);
    free(logs);
    return interval;
}

/* The chance that a sum of ranks with random signs is at most `most`; ranks and sum are doubled. */
static double exact_tail(const size_t *ranks, size_t count, size_t most)
{
    double *patterns = heap_take(most + 1, sizeof *patterns); /* sign patterns by their sum */
    patterns[0] = 1;
    for (size_t i = 0; i < count; i++) {
        for (size_t sum = most; sum >= ranks[i]; sum--)
            patterns[sum] += patterns[sum - ranks[i]];
    }
    double tail = 0;
    for (size_t sum = 0; sum <= most; sum++)
        tail += patterns[sum];
    free(patterns);
    return ldexp(tail, -(int)count);
}

static double normal_tail(double rank_sum, double count, double tied)
{
    double mean = count * (count + 1) / 4;
    double variance = count * (count + 1) * (2 * count + 1) / 24 - tied / 48;
    double z = fmax(0, fabs(rank_sum - mean) - 0.5) / sqrt(variance);
    return gsl_cdf_ugaussian_Q(z);
}

static int compare_sizes(const void *a, const void *b)
{
    double x = fabs(*(const double *)a);
    double y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

double wilcoxon_signed_rank(const double *differences, size_t count)
{
    if (count == 0)
        return NAN;
    double *kept = heap_take(count, sizeof *kept);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (differences[i] != 0)
            kept[n++] = differences[i];
    }
    qsort(kept, n, sizeof *kept, compare_sizes);
    size_t *ranks = heap_take(n, sizeof *ranks); /* doubled */
    size_t positive = 0;                         /* the doubled sum of the ranks of gains */
    double tied = 0;                             /* the sum of t^3 - t over groups of t ties */
    for (size_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && fabs(kept[end]) == fabs(kept[start]); end++)
            ;
        double group = (double)(end - start);
        tied += group * group * group - group;
        for (size_t i = start; i < end; i++) {
            ranks[i] = start + 1 + end;
            if (kept[i] > 0)
                positive += ranks[i];
        }
    }
    size_t negative = n * (n + 1) - positive;
    size_t smaller = positive < negative ? positive : negative;
    double tail = n <= WILCOXON_EXACT ? exact_tail(ranks, n, smaller)
                                      : normal_tail((double)smaller / 2, (double)n, tied);
    free(ranks);
    free(kept);
    return fmin(1, 2 * tail);
}

void holm(const double *p, size_t count, double *adjusted)
{
    double *sorted = heap_take(count, sizeof *sorted);
    size_t *order = heap_take(count, sizeof *order);
    size_t *place = heap_take(count, sizeof *place);
    size_t tests = 0;
    for (size_t i = 0; i < count; i++) {
        adjusted[i] = NAN;
        if (!isnan(p[i])) {
            place[tests] = i;
            sorted[tests++] = p[i];
        }
    }
    gsl_sort_index(order, sorted, 1, tests);
    double least = 0;
    for (size_t i = 0; i < tests; i++) {
        least = fmax(least, fmin(1, (double)(tests - i) * sorted[order[i]]));
        adjusted[place[order[i]]] = least;
    }
    free(place);
    free(order);
    free(sorted);
}
