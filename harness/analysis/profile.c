#include "harness/analysis/profile.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include <math.h>

double penalised_average(const double *costs, const double *limits, size_t count, double factor)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += costs[i] == INFINITY ? factor * limits[i] : costs[i];
    return count == 0 ? NAN : sum / (double)count;
}

void virtual_best(const double *costs, size_t solvers, size_t instances, double *best)
{
    for (size_t instance = 0; instance < instances; instance++) {
        best[instance] = solvers == 0 ? NAN : INFINITY;
        for (size_t solver = 0; solver < solvers; solver++) {
            const double cost = costs[solver * instances + instance];
            if (isnan(cost) || cost < best[instance]) /* once NaN, nothing is smaller */
                best[instance] = cost;
        }
    }
}

void performance_ratios(const double *costs, size_t solvers, size_t instances, double *ratios)
{
    SCOPED double *best = heap_take(instances, sizeof *best);
    virtual_best(costs, solvers, instances, best);
    for (size_t i = 0; i < solvers * instances; i++) {
        const double smallest = best[i % instances];
        if (isnan(smallest))
            ratios[i] = NAN;
        else if (costs[i] == INFINITY)
            ratios[i] = INFINITY;
        else
            ratios[i] = costs[i] == smallest ? 1 : costs[i] / smallest;
    }
}

struct profile profile_of(const double *ratios, size_t instances)
{
    struct profile profile = {0};
    SCOPED double *sorted = heap_take(instances, sizeof *sorted);
    size_t finite = 0;
    for (size_t i = 0; i < instances; i++) {
        profile.instances += isnan(ratios[i]) ? 0 : 1;
        if (isfinite(ratios[i]))
            sorted[finite++] = ratios[i];
    }
    sort_values(sorted, finite);
    profile.steps = heap_take(finite, sizeof *profile.steps);
    for (size_t i = 0; i < finite; i++) {
        if (i + 1 < finite && sorted[i + 1] == sorted[i])
            continue;
        profile.steps[profile.count++] =
            (struct profile_step){sorted[i], (double)(i + 1) / (double)profile.instances};
    }
    return profile;
}

void profile_end(struct profile *profile)
{
    free(profile->steps);
    *profile = (struct profile){0};
}

double profile_at(const struct profile *profile, double ratio)
{
    if (profile->instances == 0 || isnan(ratio))
        return NAN;
    double share = 0;
    for (size_t i = 0; i < profile->count && profile->steps[i].ratio <= ratio; i++)
        share = profile->steps[i].share;
    return share;
}
