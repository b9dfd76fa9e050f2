#include "harness/analysis/signed_rank.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include "harness/analysis/ranks.h"
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_erf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

static bool is_whole(double value)
{
    return floor(value) == value;
}

/* The size of a difference, rounded in a way that depends on the exact one alone where both values
 * are whole numbers: hi - lo is exact up to a factor of 2 (Sterbenz). */
static double size_of(double lo, double hi, enum scale scale)
{
    if (lo == hi) /* infinities too */
        return 0;
    if (scale == SCALE_RAW)
        return hi - lo;
    return hi <= 2 * lo ? log1p((hi - lo) / lo) : log(hi / lo);
}

/* How far the rounding of the two values, as they were read, and of the size itself can move it. */
static double rounding_of(double lo, double hi, double size, enum scale scale)
{
    if (!isfinite(size) || (is_whole(lo) && is_whole(hi)))
        return 0;
    return scale == SCALE_RAW ? DBL_EPSILON * (fabs(lo) + fabs(hi)) : 2 * DBL_EPSILON * (1 + size);
}

void paired_differences(const double *a, const double *b, size_t count, enum scale scale,
                        double *differences)
{
    double *sizes = heap_take(count, sizeof *sizes);
    double *rounding = heap_take(count, sizeof *rounding);
    size_t *order = heap_take(count, sizeof *order);
    size_t *place = heap_take(count, sizeof *place);
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const double lo = fmin(a[i], b[i]);
        const double hi = fmax(a[i], b[i]);
        differences[i] = NAN;
        if (isnan(a[i]) || isnan(b[i]) || (scale == SCALE_LOG && lo < 0))
            continue;
        sizes[known] = size_of(lo, hi, scale);
        rounding[known] = rounding_of(lo, hi, sizes[known], scale);
        place[known++] = i;
    }
    sort_numbers(order, sizes, known);
    double group = 0; /* the size that those which hang together are given */
    double last = 0;  /* the size before, and how far it can have moved */
    double last_rounding = 0;
    for (size_t k = 0; k < known; k++) {
        const double size = sizes[order[k]];
        const size_t i = place[order[k]];
        if (size != last && !(size - last <= last_rounding + rounding[order[k]]))
            group = size;
        last = size;
        last_rounding = rounding[order[k]];
        differences[i] = a[i] < b[i] ? -group : group;
    }
    free(place);
    free(order);
    free(rounding);
    free(sizes);
}

struct tail {
    double p, log10_p;
};

/* Twice the chance that a sum of ranks with random signs is at most `most`, for up to
 * SIGNED_RANK_EXACT ranks: there are at most 2^1000 sign patterns, which a double can count. */
static struct tail exact_tail(const size_t *ranks, size_t count, size_t most)
{
    double *patterns = heap_take(most + 1, sizeof *patterns); /* sign patterns by their sum */
    size_t reach = 0;                                         /* the largest sum so far */
    patterns[0] = 1;
    for (size_t i = 0; i < count; i++) {
        reach = GSL_MIN(most, reach + ranks[i]);
        for (size_t sum = reach; sum >= ranks[i]; sum--)
            patterns[sum] += patterns[sum - ranks[i]];
    }
    double tail = 0;
    for (size_t sum = 0; sum <= reach; sum++)
        tail += patterns[sum];
    free(patterns);
    const double p = ldexp(tail, 1 - (int)count);
    if (p >= 1)
        return (struct tail){1, 0};
    return (struct tail){p, log10(tail) + (1 - (double)count) * (M_LN2 / M_LN10)};
}

/* The sum of independent variables that are a rank or 0, each with chance 1/2. */
struct rank_sum {
    const size_t *ranks;
    size_t count;
    double value; /* in question */
};

/* The first derivative of the cumulant generating function at s, less the value in question. */
static double slope_at(double s, void *of)
{
    const struct rank_sum *sum = of;
    double slope = -sum->value;
    for (size_t i = 0; i < sum->count; i++) {
        const double rank = (double)sum->ranks[i];
        slope += rank / (1 + exp(-s * rank));
    }
    return slope;
}

/* Where the first derivative is the value: the saddlepoint. */
static double saddlepoint_of(struct rank_sum *sum, double mean, double variance)
{
    gsl_function function = {slope_at, sum};
    double high = 2 * (sum->value - mean) / variance;
    while (slope_at(high, sum) < 0)
        high *= 2;
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (solver == NULL)
        heap_exhausted();
    gsl_root_fsolver_set(solver, &function, 0, high);
    double s = high;
    for (int step = 0; step < 200; step++) {
        gsl_root_fsolver_iterate(solver);
        s = gsl_root_fsolver_root(solver);
        if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 0, 1e-14) == GSL_SUCCESS)
            break;
    }
    gsl_root_fsolver_free(solver);
    return s;
}

/* The same as exact_tail where that takes too long. The tail from total - most upwards is as likely
 * and has a positive saddlepoint; the correction for continuity takes half a step off. */
static struct tail saddlepoint_tail(const size_t *ranks, size_t count, size_t most)
{
    double mean = 0;
    double variance = 0;
    for (size_t i = 0; i < count; i++) {
        mean += (double)ranks[i] / 2;
        variance += (double)ranks[i] * (double)ranks[i] / 4;
    }
    struct rank_sum sum = {ranks, count, 2 * mean - (double)most - 0.5};
    if (sum.value <= mean)
        return (struct tail){1, 0};
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    const double s = saddlepoint_of(&sum, mean, variance);
    double generating = 0; /* the cumulant generating function less s * value, and its curvature */
    double curvature = 0;
    for (size_t i = 0; i < count; i++) {
        const double rank = (double)ranks[i];
        const double other = exp(-s * rank);
        generating += log1p(other) - M_LN2;
        curvature += rank * rank * other / ((1 + other) * (1 + other));
    }
    generating += s * (2 * mean - sum.value);
    const double w = sqrt(fmax(0, -2 * generating));
    const double u = 2 * sinh(s / 2) * sqrt(curvature);
    /* Next to the mean 1/u - 1/w is as good as zero and its rounding is not. */
    const double mills = 1 / gsl_sf_hazard(w) + (w < 1e-3 ? 0 : 1 / u - 1 / w);
    const double log_p = generating - log(2 * M_PI) / 2 + log(mills) + M_LN2;
    gsl_set_error_handler(handler);
    return log_p >= 0 ? (struct tail){1, 0} : (struct tail){exp(log_p), log_p / M_LN10};
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b != 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Ascending. Ranks are far below 2^53. */
static void sort_ranks(size_t *ranks, size_t count)
{
    double *values = heap_take(count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = (double)ranks[i];
    sort_values(values, count);
    for (size_t i = 0; i < count; i++)
        ranks[i] = (size_t)values[i];
    free(values);
}

static struct tail tail_of(size_t *ranks, size_t count, size_t sum, bool *exact)
{
    size_t step = 0;
    for (size_t i = 0; i < count; i++)
        step = common_divisor(ranks[i], step);
    for (size_t i = 0; i < count; i++)
        ranks[i] /= step;
    sum /= step;
    sort_ranks(ranks, count); /* the order of pairs changes no bit */
    *exact = count <= SIGNED_RANK_EXACT && sum <= SIGNED_RANK_WORK / count;
    return *exact ? exact_tail(ranks, count, sum) : saddlepoint_tail(ranks, count, sum);
}

/* Puts the sizes to be ranked into `sizes` and returns how many; counts zeros. NaN is counted as
 * neither and makes the answer false. */
static bool sizes_of(const double *differences, size_t count, enum zeros zeros, double *sizes,
                     size_t *ranked, size_t *none)
{
    *ranked = *none = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(differences[i]))
            return false;
        *none += differences[i] == 0;
        if (differences[i] != 0 || zeros == ZEROS_PRATT)
            sizes[(*ranked)++] = fabs(differences[i]);
    }
    return true;
}

struct signed_rank signed_rank_test(const double *differences, size_t count, enum zeros zeros)
{
    struct signed_rank test = {
        .positive = NAN, .negative = NAN, .p = NAN, .log10_p = NAN, .biserial = NAN, .exact = true};
    double *sizes = heap_take(count, sizeof *sizes);
    size_t *ranks = heap_take(count, sizeof *ranks);
    size_t ranked;
    if (count == 0 || !sizes_of(differences, count, zeros, sizes, &ranked, &test.zeros)) {
        test.zeros = 0;
        free(ranks);
        free(sizes);
        return test;
    }
    doubled_ranks(sizes, ranked, ranks);
    size_t positive = 0;
    size_t total = 0;
    for (size_t i = 0, k = 0; i < count; i++) {
        if (differences[i] != 0) {
            total += ranks[k];
            positive += differences[i] > 0 ? ranks[k] : 0;
            ranks[test.count++] = ranks[k]; /* never ahead of what is read */
            k++;
        } else if (zeros == ZEROS_PRATT) {
            k++;
        }
    }
    test.positive = (double)positive / 2;
    test.negative = (double)(total - positive) / 2;
    struct tail tail = {1, 0};
    if (test.count > 0) {
        test.biserial = (test.positive - test.negative) / (test.positive + test.negative);
        tail = tail_of(ranks, test.count, GSL_MIN(positive, total - positive), &test.exact);
    }
    test.p = tail.p;
    test.log10_p = tail.log10_p;
    free(ranks);
    free(sizes);
    return test;
}

struct sign_test sign_test(size_t wins, size_t losses)
{
    const size_t count = wins + losses;
    const size_t few = GSL_MIN(wins, losses);
    if (2 * few + 1 >= count)
        return (struct sign_test){1, 0};
    /* The tail is its largest term, C(count, few), times 1 + f / (c - f + 1) * (1 + ..): the other
     * terms are shares of the next. */
    double shares = 1;
    for (size_t i = 1; i <= few; i++)
        shares = 1 + shares * (double)i / (double)(count - i + 1);
    const double log_p =
        gsl_sf_lnchoose((unsigned)count, (unsigned)few) + log(shares) - ((double)count - 1) * M_LN2;
    return (struct sign_test){exp(log_p), log_p / M_LN10};
}
