#include "harness/analysis/signed_rank.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include "harness/analysis/threads.h"
#include "puzzle/costs.h"
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_erf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

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
    SCOPED double *sizes = heap_take(count, sizeof *sizes);
    SCOPED double *rounding = heap_take(count, sizeof *rounding);
    SCOPED size_t *order = heap_take(count, sizeof *order);
    SCOPED size_t *place = heap_take(count, sizeof *place);
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
}

struct tail {
    double p, log10_p;
};

/* Twice the chance that a sum of ranks with random signs is at most `most`, for up to
 * SIGNED_RANK_EXACT ranks: there are at most 2^1000 sign patterns, which a double can count. */
static struct tail exact_tail(const size_t *ranks, size_t count, size_t most)
{
    SCOPED double *patterns =
        heap_take(most + 1, sizeof *patterns); /* sign patterns by their sum */
    size_t reach = 0;                          /* the largest sum so far */
    patterns[0] = 1;
    for (size_t i = 0; i < count; i++) {
        reach = GSL_MIN(most, reach + ranks[i]);
        for (size_t sum = reach; sum >= ranks[i]; sum--)
            patterns[sum] += patterns[sum - ranks[i]];
    }
    double tail = 0;
    for (size_t sum = 0; sum <= reach; sum++)
        tail += patterns[sum];
    const double p = ldexp(tail, 1 - (int)count);
    if (p >= 1)
        return (struct tail){1, 0};
    return (struct tail){p, log10(tail) + (1 - (double)count) * (M_LN2 / M_LN10)};
}

/* The sum of independent variables that are a rank or 0, each with chance 1/2: ranks, and how many
 * have each. */
struct rank_sum {
    double *rank, *times;
    size_t count;
    double mean, variance;
};

static struct rank_sum rank_sum_of(const size_t *ranks, size_t count)
{
    struct rank_sum sum = {heap_take(count, sizeof(double)), heap_take(count, sizeof(double)), 0, 0,
                           0};
    for (size_t i = 0; i < count; i++) {
        const double rank = (double)ranks[i];
        if (i == 0 || ranks[i] != ranks[i - 1])
            sum.rank[sum.count++] = rank;
        sum.times[sum.count - 1]++;
        sum.mean += rank / 2;
        sum.variance += rank * rank / 4;
    }
    return sum;
}

/* What the first derivative of the cumulant generating function at s is below the sum of all ranks,
 * and the second derivative. */
static double rest_at(const struct rank_sum *sum, double s, double *curvature)
{
    double rest = 0;
    *curvature = 0;
    for (size_t i = 0; i < sum->count; i++) {
        const double rank = sum->rank[i];
        const double other = exp(-s * rank);
        const double share = sum->times[i] * rank * other / (1 + other);
        rest += share;
        *curvature += share * rank / (1 + other);
    }
    return rest;
}

/* The saddlepoint: where the first derivative is so far below the sum of all ranks, but above the
 * mean. The remainder is convex above 0, so Newton's method approaches it from below without
 * passing it. */
static double saddlepoint_of(const struct rank_sum *sum, double rest, double *curvature)
{
    double s = (sum->mean - rest) / sum->variance; /* the first step from 0 */
    for (;;) {
        const double next = s + (rest_at(sum, s, curvature) - rest) / *curvature;
        if (!(next > s)) /* no more than rounding is left */
            return s;
        s = next;
    }
}

/* The same as exact_tail, where that takes too long; ranks ascend. The tail from total - most
 * upwards is as likely and has a positive saddlepoint; the correction for continuity takes half a
 * step off. */
static struct tail saddlepoint_tail(const size_t *ranks, size_t count, size_t most)
{
    struct tail tail = {1, 0};
    const struct rank_sum sum = rank_sum_of(ranks, count);
    const double rest = (double)most + 0.5;
    if (rest < sum.mean) {
        threads_quiet_errors();
        double curvature;
        const double s = saddlepoint_of(&sum, rest, &curvature);
        double generating = 0; /* the cumulant generating function less s times its derivative */
        for (size_t i = 0; i < sum.count; i++)
            generating += sum.times[i] * (log1p(exp(-s * sum.rank[i])) - M_LN2);
        generating += s * rest;
        const double w = sqrt(fmax(0, -2 * generating));
        const double u = 2 * sinh(s / 2) * sqrt(curvature);
        /* Next to the mean 1/u - 1/w is as good as zero and its rounding is not. */
        const double mills = 1 / gsl_sf_hazard(w) + (w < 1e-3 ? 0 : 1 / u - 1 / w);
        const double log_p = generating - log(2 * M_PI) / 2 + log(mills) + M_LN2;
        if (log_p < 0)
            tail = (struct tail){exp(log_p), log_p / M_LN10};
    }
    FREE(sum.rank, sum.times);
    return tail;
}

/* Of ascending ranks. */
static struct tail tail_of(const size_t *ranks, size_t count, size_t sum, bool *exact)
{
    size_t step = 0;
    SCOPED size_t *steps = heap_take(count, sizeof *steps);
    for (size_t i = 0; i < count; i++)
        step = common_divisor(ranks[i], step);
    for (size_t i = 0; i < count; i++)
        steps[i] = ranks[i] / step;
    sum /= step;
    *exact = count <= SIGNED_RANK_EXACT && sum <= SIGNED_RANK_WORK / count;
    return *exact ? exact_tail(steps, count, sum) : saddlepoint_tail(steps, count, sum);
}

/* Copies the differences to be ranked to `own` and returns their number; counts the zeros. */
static size_t differences_ranked(const double *differences, size_t count, enum zeros zeros,
                                 double *own, size_t *none)
{
    size_t ranked = 0;
    for (size_t i = 0; i < count; i++) {
        *none += differences[i] == 0;
        if (differences[i] != 0 || zeros == ZEROS_PRATT)
            own[ranked++] = differences[i];
    }
    return ranked;
}

/* Fills in the sums of ranks, and `ranks` with the doubled ranks of what is not 0: ascending, so
 * that the order of differences changes no bit. */
static void sum_ranks(struct signed_rank *test, const double *own, size_t count, size_t *ranks)
{
    SCOPED double *sizes = heap_take(count, sizeof *sizes);
    SCOPED size_t *order = heap_take(count, sizeof *order);
    size_t sums[2] = {0, 0};
    for (size_t i = 0; i < count; i++)
        sizes[i] = fabs(own[i]);
    sort_numbers(order, sizes, count);
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && sizes[order[end]] == sizes[order[start]]; end++)
            ;
        const size_t rank = start + 1 + end;
        for (size_t i = start; i < end && sizes[order[start]] > 0; i++) {
            sums[own[order[i]] > 0] += rank;
            ranks[test->count++] = rank;
        }
    }
    test->negative = (double)sums[0] / 2;
    test->positive = (double)sums[1] / 2;
}

/* The sums of ranks, without p, and the doubled ranks; to be freed. NULL where there is none. */
static size_t *rank_differences(struct signed_rank *test, const double *differences, size_t count,
                                enum zeros zeros)
{
    *test = (struct signed_rank){
        .positive = NAN, .negative = NAN, .p = NAN, .log10_p = NAN, .biserial = NAN, .exact = true};
    for (size_t i = 0; i < count; i++)
        if (isnan(differences[i]))
            return NULL;
    if (count == 0)
        return NULL;
    SCOPED double *own = heap_take(count, sizeof *own);
    size_t *ranks = heap_take(count, sizeof *ranks);
    const size_t ranked = differences_ranked(differences, count, zeros, own, &test->zeros);
    sum_ranks(test, own, ranked, ranks);
    test->p = 1;
    test->log10_p = 0;
    return ranks;
}

static size_t smaller_sum(const struct signed_rank *test)
{
    return (size_t)(2 * fmin(test->positive, test->negative));
}

struct signed_rank signed_rank_test(const double *differences, size_t count, enum zeros zeros)
{
    struct signed_rank test;
    SCOPED size_t *ranks = rank_differences(&test, differences, count, zeros);
    if (ranks != NULL && test.count > 0) {
        const struct tail tail = tail_of(ranks, test.count, smaller_sum(&test), &test.exact);
        test.p = tail.p;
        test.log10_p = tail.log10_p;
        test.biserial = (test.positive - test.negative) / (test.positive + test.negative);
    }
    return test;
}

struct rank_bounds signed_rank_bounds(const double *differences, size_t count, enum zeros zeros)
{
    struct signed_rank test;
    SCOPED size_t *ranks = rank_differences(&test, differences, count, zeros);
    struct rank_bounds bounds = {test.positive, test.negative, test.p, test.p, test.log10_p};
    if (ranks != NULL && test.count > 0) {
        size_t open[2] = {0, 0}; /* negative and positive infinities */
        for (size_t i = 0; i < count; i++)
            open[differences[i] > 0] += isinf(differences[i]) != 0;
        const size_t infinite = open[0] + open[1];
        for (size_t i = 0; i < infinite; i++) /* the last ranks, tied so far */
            ranks[test.count - infinite + i] =
                ranks[test.count - infinite + i] + 2 * i + 1 - infinite;
        /* Of both signs: also what one sign gains where it stands above the other. */
        const size_t slack = open[0] * open[0] / 4 + open[1] * open[1] / 4 + open[0] * open[1];
        const size_t sum = smaller_sum(&test);
        const struct tail most = tail_of(ranks, test.count, sum + slack, &test.exact);
        bounds.least = tail_of(ranks, test.count, sum - GSL_MIN(sum, slack), &test.exact).p;
        bounds.most = most.p;
        bounds.log10_most = most.log10_p;
    }
    return bounds;
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
