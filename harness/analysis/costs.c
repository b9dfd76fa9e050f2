#include "harness/analysis/costs.h"
#include "base/heap.h"

/* The limit of what the metric measures, if any. */
static unsigned limit_of(enum metric metric)
{
    if (metric == METRIC_wall_s || metric == METRIC_cpu_s)
        return LIMIT_S;
    if (metric == METRIC_peak_bytes)
        return LIMIT_BYTES;
    return metric == METRIC_generated ? LIMIT_NODES : LIMITS;
}

bool has_limit(enum metric metric)
{
    return limit_of(metric) != LIMITS;
}

static bool counts(const struct results *results, const struct costs *costs, size_t instance,
                   enum metric metric)
{
    if (results->known[instance].unsolvable)
        return false;
    for (size_t i = 0; i < costs->count; i++) {
        const struct outcome *outcome = results_outcome(results, costs->solvers[i], instance);
        if (outcome->attempts == 0 ||
            (outcome->finished && isnan(outcome_value(results, outcome, metric))))
            return false;
    }
    return true;
}

struct costs costs_of(const struct results *results, const struct block *block, enum metric metric)
{
    struct costs costs = {.solvers = heap_take(results->solvers.count, sizeof(size_t)),
                          .numbers = heap_take(block->count, sizeof(size_t))};
    for (size_t i = 0; i < results->solvers.count; i++)
        if (results_tried(results, block, i) &&
            results_reported(results, block, i, metric) < REPORTED_PART)
            costs.solvers[costs.count++] = i;
    for (size_t i = block->first; i < block->first + block->count; i++)
        if (counts(results, &costs, i, metric))
            costs.numbers[costs.instances++] = i;
    const size_t cells = costs.count * costs.instances;
    costs.cost = heap_take(cells, sizeof *costs.cost);
    costs.spent = heap_take(cells, sizeof *costs.spent);
    costs.limit = heap_take(cells, sizeof *costs.limit);
    costs.censored = heap_take(cells, sizeof *costs.censored);
    for (size_t i = 0; i < cells; i++) {
        const struct outcome *outcome = results_outcome(results, costs.solvers[i / costs.instances],
                                                        costs.numbers[i % costs.instances]);
        const double value = outcome_value(results, outcome, metric);
        const bool own = metric == METRIC_cpu_s &&
                         !isnan(outcome_value(results, outcome, RUN_LIMIT + LIMIT_CPU_S));
        const unsigned limit = own ? LIMIT_CPU_S : limit_of(metric);
        costs.censored[i] = !outcome->finished;
        costs.spent[i] = isnan(value) ? 0 : value;
        costs.cost[i] = outcome->finished ? value : INFINITY;
        costs.limit[i] =
            has_limit(metric) ? outcome_value(results, outcome, RUN_LIMIT + limit) : NAN;
    }
    return costs;
}

bool costs_unsolved(const struct costs *costs)
{
    for (size_t i = 0; i < costs->count * costs->instances; i++)
        if (costs->censored[i])
            return true;
    return false;
}

void costs_end(struct costs *costs)
{
    FREE(costs->solvers, costs->numbers, costs->cost, costs->spent, costs->limit, costs->censored);
    *costs = (struct costs){0};
}
