#include "harness/analysis/kendall.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include "harness/analysis/ranks.h"
#include "harness/analysis/threads.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_erf.h>
#include <math.h>

/* Sums over the groups of t equal values. */
struct ties {
    double pairs;   /* t (t - 1) / 2 */
    double triples; /* t (t - 1) (t - 2) */
    double spread;  /* t (t - 1) (2 t + 5) */
};

static struct ties ties_of(const double *sorted, size_t count)
{
    struct ties ties = {0};
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && sorted[end] == sorted[start]; end++)
            ;
        const double t = (double)(end - start);
        ties.pairs += t * (t - 1) / 2;
        ties.triples += t * (t - 1) * (t - 2);
        ties.spread += t * (t - 1) * (2 * t + 5);
    }
    return ties;
}

/* Pairs of equal points. */
static double equal_points(const struct point *sorted, size_t count)
{
    double pairs = 0;
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && compare_points(&sorted[end], &sorted[start]) == 0;
             end++)
            ;
        pairs += (double)(end - start) * (double)(end - start - 1) / 2;
    }
    return pairs;
}

/* Twice the chance that an order drawn at random of `count` has at most so many inversions: the
 * i-th value makes 0 .. i - 1 of them, each as likely. */
static double exact_p(size_t count, size_t most)
{
    SCOPED double *chance = heap_take(most + 1, sizeof *chance);
    SCOPED double *next = heap_take(most + 1, sizeof *next);
    chance[0] = 1;
    for (size_t i = 2; i <= count; i++) {
        for (size_t sum = 0; sum <= most; sum++) { /* all terms positive: nothing cancels */
            next[sum] = 0;
            for (size_t added = 0; added < i && added <= sum; added++)
                next[sum] += chance[sum - added];
            next[sum] /= (double)i;
        }
        memcpy(chance, next, (most + 1) * sizeof *chance);
    }
    double tail = 0;
    for (size_t sum = 0; sum <= most; sum++)
        tail += chance[sum];
    return fmin(1, 2 * tail);
}

struct kendall kendall_tau_b(const double *x, const double *y, size_t count)
{
    struct kendall result = {NAN, NAN, NAN, false};
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            return result;
    }
    if (count < 2)
        return result;
    SCOPED struct point *points = heap_take(count, sizeof *points);
    SCOPED double *values = heap_take(count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        points[i] = (struct point){x[i], y[i]};
    qsort(points, count, sizeof *points, compare_points);
    const double equal = equal_points(points, count);
    for (size_t i = 0; i < count; i++)
        values[i] = points[i].x;
    const struct ties x_ties = ties_of(values, count);
    SCOPED struct weighed *ordered = heap_take(count, sizeof *ordered);
    for (size_t i = 0; i < count; i++)
        ordered[i] = (struct weighed){points[i].y, 1};
    const uint64_t inverted = inversions(ordered, count); /* none where x is equal */
    for (size_t i = 0; i < count; i++)
        values[i] = ordered[i].value;
    const struct ties y_ties = ties_of(values, count);

    const double n = (double)count;
    const double pairs = n * (n - 1) / 2;
    const double x_pairs = pairs - x_ties.pairs;
    const double y_pairs = pairs - y_ties.pairs;
    if (x_pairs == 0 || y_pairs == 0)
        return result;
    const double discordant = (double)inverted;
    const double score = pairs - x_ties.pairs - y_ties.pairs + equal - 2 * discordant;
    result.tau = score / sqrt(x_pairs) / sqrt(y_pairs);
    if (x_ties.pairs == 0 && y_ties.pairs == 0) {
        result.tau = score / pairs;
        result.exact = count <= KENDALL_EXACT;
    }
    if (result.exact) {
        result.p = exact_p(count, (size_t)fmin(discordant, pairs - discordant));
        result.log10_p = log10(result.p);
        return result;
    }
    const double variance =
        (n * (n - 1) * (2 * n + 5) - x_ties.spread - y_ties.spread) / 18 +
        2 * x_ties.pairs * y_ties.pairs / (n * (n - 1)) +
        (count < 3 ? 0 : x_ties.triples * y_ties.triples / (9 * n * (n - 1) * (n - 2)));
    threads_quiet_errors();
    const double log_p = gsl_sf_log_erfc(fabs(score) / sqrt(2 * variance));
    result.p = exp(log_p);
    result.log10_p = log_p / M_LN10;
    return result;
}

double heuristic_eta(const double *h, size_t count, double branching)
{
    if (count == 0 || !(branching > 1))
        return NAN;
    SCOPED double *sorted = heap_take(count, sizeof *sorted);
    double sum = 0;
    memcpy(sorted, h, count * sizeof *sorted);
    sort_values(sorted, count);
    for (size_t i = count; i-- > 0;) /* small terms first */
        sum += pow(branching, -sorted[i]);
    return sum / (double)count;
}
