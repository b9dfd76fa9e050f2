#include "harness/analysis/hodges_lehmann.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>

enum { EXACT_QUANTILE = 300 };

/* Doubles as whole numbers in the same order; NaN is none. */
static int64_t order_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

static double value_of(int64_t order)
{
    const int64_t bits = order >= 0 ? order : INT64_MIN - order;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Where a limit cuts the Walsh averages of sorted values. */
struct cut {
    uint64_t up_to;       /* how many are at most the limit */
    double largest, next; /* the largest of these, and the smallest of the others */
};

/* The larger i is, the fewer of its partners from i on are within the limit. */
static struct cut cut_averages(const double *sorted, size_t count, double limit)
{
    struct cut cut = {0, -INFINITY, INFINITY};
    size_t end = count; /* partners below it will do */
    for (size_t i = 0; i < count; i++) {
        while (end > i && 0.5 * sorted[i] + 0.5 * sorted[end - 1] > limit)
            end--;
        const size_t next = end > i ? end : i;
        if (next < count && 0.5 * sorted[i] + 0.5 * sorted[next] < cut.next)
            cut.next = 0.5 * sorted[i] + 0.5 * sorted[next];
        if (end <= i)
            break;
        if (0.5 * sorted[i] + 0.5 * sorted[end - 1] > cut.largest)
            cut.largest = 0.5 * sorted[i] + 0.5 * sorted[end - 1];
        cut.up_to += end - i;
    }
    return cut;
}

/* Writes the averages that are above one limit and at most another; there is room for them. */
static size_t averages_between(const double *sorted, size_t count, double above, double limit,
                               double *averages)
{
    size_t found = 0;
    size_t first = count; /* partners from here on are above */
    size_t end = count;   /* and below here within the limit */
    for (size_t i = 0; i < count; i++) {
        while (end > i && 0.5 * sorted[i] + 0.5 * sorted[end - 1] > limit)
            end--;
        while (first > i && 0.5 * sorted[i] + 0.5 * sorted[first - 1] > above)
            first--;
        for (size_t j = first > i ? first : i; j < end; j++)
            averages[found++] = 0.5 * sorted[i] + 0.5 * sorted[j];
        if (end <= i)
            break;
    }
    return found;
}

/* Where to cut between low and high next, not at high. As averages lie rather evenly, on the line
 * between the two counts, a little to one side of k and to the other by turns, so that what is left
 * between two cuts is few; every third time in the middle; between the doubles in the end. */
static int64_t guess(int64_t low, int64_t high, uint64_t below, uint64_t up_to, uint64_t k,
                     size_t count, int step)
{
    enum { BY_VALUE = 60 };
    const double from = value_of(low);
    const double to = value_of(high);
    const double margin = step % 3 == 0 ? -0.3 * (double)count : 0.3 * (double)count;
    double share = ((double)(k - below) + margin) / (double)(up_to - below);
    if (step < 3 || step % 3 == 2 || !(share > 0 && share < 1))
        share = 0.5;
    const int64_t middle = step < BY_VALUE ? order_of((1 - share) * from + share * to)
                                           : (low & high) + ((low ^ high) >> 1);
    return middle < low ? low : middle < high ? middle : high - 1;
}

/* The k-th smallest Walsh average of finite sorted values, k from 1: by bisection, until so few are
 * left between the bounds that they can be sorted. */
static double finite_average(const double *sorted, size_t count, uint64_t k)
{
    int64_t low = order_of(sorted[0]);
    int64_t high = order_of(sorted[count - 1]);
    uint64_t below = 0; /* averages below value_of(low) */
    uint64_t up_to = (uint64_t)count * (count + 1) / 2;
    for (int step = 0; low < high && up_to - below > count; step++) {
        const int64_t middle = guess(low, high, below, up_to, k, count, step);
        const struct cut cut = cut_averages(sorted, count, value_of(middle));
        if (cut.up_to >= k) {
            high = order_of(cut.largest);
            up_to = cut.up_to;
        } else {
            low = order_of(cut.next);
            below = cut.up_to;
        }
    }
    if (low == high)
        return value_of(low);
    SCOPED double *averages = heap_take(count, sizeof *averages);
    const size_t found =
        averages_between(sorted, count, value_of(low - 1), value_of(high), averages);
    sort_values(averages, found);
    const double average = averages[k - below - 1] + 0.0; /* no -0 */
    return average;
}

struct walsh {
    const double *finite; /* sorted */
    size_t count;
    uint64_t below, open, between; /* averages: -infinity; of both infinities; finite */
};

/* The k-th smallest of all, k from 1; those that may be anything are -infinity or infinity. */
static double average(const struct walsh *walsh, uint64_t k, bool open_below)
{
    const uint64_t below = walsh->below + (open_below ? walsh->open : 0);
    if (k <= below)
        return -INFINITY;
    return k - below > walsh->between ? INFINITY
                                      : finite_average(walsh->finite, walsh->count, k - below);
}

/* The most that a sum of the ranks 1 .. n with random signs can be and still be in a tail of at
 * most 2.5 %, plus 1: how many averages the interval leaves out, plus 1. 0 where there is none. */
static uint64_t new_rank_quantile(size_t n)
{
    const double count = (double)n;
    const double mean = count * (count + 1) / 4;
    if (n > EXACT_QUANTILE) {
        const double variance = mean * (2 * count + 1) / 6;
        /* the fourth cumulant of a rank with a random sign is -rank^4 / 8 */
        const double fourth = -mean * (2 * count + 1) * (3 * count * count + 3 * count - 1) / 60;
        const double z = gsl_cdf_ugaussian_Pinv(0.025);
        const double bent = z + (z * z * z - 3 * z) * fourth / (24 * variance * variance);
        return (uint64_t)(mean + bent * sqrt(variance) + 0.5);
    }
    const size_t most = (size_t)mean;
    SCOPED double *ways = heap_take(most + 1, sizeof *ways); /* of 2^n, the signs that give a sum */
    ways[0] = 1;
    for (size_t rank = 1; rank <= n; rank++) {
        const size_t reach = rank * (rank + 1) / 2;
        for (size_t sum = reach < most ? reach : most; sum >= rank; sum--)
            ways[sum] += ways[sum - rank];
    }
    const double largest = ldexp(0.025, (int)n);
    uint64_t quantile = 0;
    for (double tail = ways[0]; tail <= largest; tail += ways[quantile])
        quantile++;
    return quantile;
}

/* Kept for the next call: pairs of one set by several metrics have as many differences. */
static uint64_t rank_quantile(size_t n)
{
    static _Thread_local size_t last_n;
    static _Thread_local uint64_t last;
    if (n != last_n)
        last = new_rank_quantile(n);
    last_n = n;
    return last;
}

struct hodges_lehmann hodges_lehmann(const double *differences, size_t count)
{
    const struct interval none = {NAN, NAN};
    struct hodges_lehmann result = {NAN, none};
    for (size_t i = 0; i < count; i++) {
        if (isnan(differences[i]))
            return result;
    }
    if (count == 0)
        return result;
    SCOPED double *sorted = heap_take(count, sizeof *sorted);
    memcpy(sorted, differences, count * sizeof *sorted);
    sort_values(sorted, count);
    size_t low = 0; /* the finite ones are from low to high */
    size_t high = count;
    while (low < count && sorted[low] == -INFINITY)
        low++;
    while (high > low && sorted[high - 1] == INFINITY)
        high--;
    const uint64_t finite = high - low;
    const struct walsh walsh = {
        .finite = sorted + low,
        .count = high - low,
        .below = (uint64_t)low * (low + 1) / 2 + low * finite,
        .open = (uint64_t)low * (count - high),
        .between = finite * (finite + 1) / 2,
    };
    const uint64_t averages = (uint64_t)count * (count + 1) / 2;
    const uint64_t middle = (averages + 1) / 2; /* and averages + 1 less it */
    const double lower = average(&walsh, middle, true);
    const double upper = averages % 2 == 1 && walsh.open == 0
                             ? lower
                             : average(&walsh, averages + 1 - middle, false);
    if (walsh.open == 0 || (lower == average(&walsh, middle, false) &&
                            upper == average(&walsh, averages + 1 - middle, true)))
        result.estimate = lower == upper ? lower : 0.5 * lower + 0.5 * upper;
    const uint64_t k = rank_quantile(count);
    if (k > 0) {
        result.interval.low = average(&walsh, k, true);
        result.interval.high = average(&walsh, averages + 1 - k, false);
    }
    return result;
}
