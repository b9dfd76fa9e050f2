#include "harness/analysis/censored.h"
#include "base/heap.h"
#include <math.h>

struct paired_order paired_order(struct censored_runs a, struct censored_runs b, size_t count)
{
    struct paired_order order = {0};
    for (size_t i = 0; i < count; i++) {
        if (isnan(a.spent[i]) || isnan(b.spent[i]))
            continue;
        const double x = a.solved[i] ? a.spent[i] : INFINITY;
        const double y = b.solved[i] ? b.spent[i] : INFINITY;
        const bool ordered = !a.open || (a.solved[i] && b.solved[i]);
        order.wins += ordered && x < y;
        order.ties += ordered && x == y;
        order.losses += ordered && x > y;
        order.both += a.solved[i] && b.solved[i];
        order.only_a += a.solved[i] && !b.solved[i];
        order.only_b += !a.solved[i] && b.solved[i];
        order.neither += !a.solved[i] && !b.solved[i];
    }
    return order;
}

void censored_differences(struct censored_runs a, struct censored_runs b, size_t count,
                          enum scale scale, double *low, double *high)
{
    paired_differences(a.spent, b.spent, count, scale, low);
    for (size_t i = 0; i < count; i++) {
        const bool both = a.solved[i] && b.solved[i];
        high[i] = !isnan(low[i]) && (a.open ? !both : !a.solved[i]) ? INFINITY : low[i];
        low[i] = !isnan(low[i]) && (a.open ? !both : !b.solved[i]) ? -INFINITY : low[i];
    }
}

struct censored_ratio censored_ratio(struct censored_runs a, struct censored_runs b, size_t count)
{
    struct censored_ratio ratio = {0};
    bool a_open = false;
    bool b_open = false;
    SCOPED double *spent = heap_take(count, sizeof *spent);
    SCOPED double *solved = heap_take(count, sizeof *solved);
    for (size_t i = 0; i < count; i++) {
        if (isnan(a.spent[i]) || isnan(b.spent[i]))
            continue;
        if ((a.solved[i] && a.spent[i] == 0) || (b.solved[i] && b.spent[i] == 0))
            continue; /* left out whatever the other costs */
        const bool both = a.solved[i] && b.solved[i];
        if (!(a.spent[i] > 0 && b.spent[i] > 0) || (a.open && !both)) {
            a_open = b_open = true; /* it could move the ratio either way */
            continue;
        }
        const double difference = log(a.spent[i]) - log(b.spent[i]);
        spent[ratio.spent_pairs++] = difference;
        if (both)
            solved[ratio.solved_pairs++] = difference;
        a_open |= !a.solved[i];
        b_open |= !b.solved[i];
    }
    ratio.solved = mean_estimate(solved, ratio.solved_pairs);
    ratio.solved.value = exp(ratio.solved.value);
    ratio.solved.interval.low = exp(ratio.solved.interval.low);
    ratio.solved.interval.high = exp(ratio.solved.interval.high);
    ratio.spent = ratio.spent_pairs == ratio.solved_pairs
                      ? ratio.solved.value
                      : exp(mean_estimate(spent, ratio.spent_pairs).value);
    if (a_open)
        ratio.bound = b_open ? RATIO_UNKNOWN : RATIO_AT_LEAST;
    else
        ratio.bound = b_open ? RATIO_AT_MOST : RATIO_KNOWN;
    return ratio;
}
