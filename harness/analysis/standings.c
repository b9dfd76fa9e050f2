#include "harness/analysis/standings.h"
#include "base/heap.h"
#include "harness/analysis/costs.h"
#include "harness/analysis/profile.h"

const double profile_ratios[PROFILE_RATIOS] = {1, 2, 10, 100};

/* As far as every solver's curve is known. */
static double common_limit(const struct costs *costs)
{
    double largest = 0;
    double common = INFINITY;
    for (size_t i = 0; i < costs->count; i++) {
        const size_t first = i * costs->instances;
        double last = 0;
        bool open = false;
        for (size_t j = first; j < first + costs->instances; j++) {
            last = fmax(last, costs->spent[j]);
            open = open || costs->censored[j];
        }
        largest = fmax(largest, last);
        if (open)
            common = fmin(common, last);
    }
    return isinf(common) ? largest : common;
}

static double logrank_p(const struct costs *costs, size_t solver, size_t baseline)
{
    const size_t n = costs->instances;
    SCOPED double *spent = heap_take(2 * n, sizeof *spent);
    SCOPED bool *censored = heap_take(2 * n, sizeof *censored);
    SCOPED size_t *group = heap_take(2 * n, sizeof *group);
    const size_t places[] = {solver, baseline};
    for (size_t i = 0; i < 2; i++) {
        memcpy(spent + i * n, costs->spent + places[i] * n, n * sizeof *spent);
        memcpy(censored + i * n, costs->censored + places[i] * n, n * sizeof *censored);
        for (size_t j = 0; j < n; j++)
            group[i * n + j] = i;
    }
    return logrank_test(spent, censored, group, 2 * n, 2).p;
}

/* All solvers at once. */
static struct logrank logrank_all(const struct costs *costs)
{
    const size_t cells = costs->count * costs->instances;
    SCOPED size_t *group = heap_take(cells, sizeof *group);
    for (size_t i = 0; i < cells; i++)
        group[i] = i / costs->instances;
    return logrank_test(costs->spent, costs->censored, group, cells, costs->count);
}

/* What can be said of one solver's costs. */
static struct standing standing_of(enum metric metric, const double *cost, const double *spent,
                                   const double *limit, const bool *censored, size_t count,
                                   double common)
{
    struct standing standing = {.par2 = NAN, .par10 = NAN, .logrank_p = NAN, .rank = NAN};
    for (size_t i = 0; i < count; i++)
        standing.solved += !censored[i];
    if (has_limit(metric)) {
        standing.par2 = penalised_average(cost, limit, count, 2);
        standing.par10 = penalised_average(cost, limit, count, 10);
    }
    SCOPED_BY(survival_end) struct survival survival = survival_of(spent, censored, count);
    standing.restricted_mean = survival_restricted_mean(&survival, common).mean;
    standing.median = survival_median(&survival);
    return standing;
}

static struct standing best_of(enum metric metric, const struct costs *costs, double common)
{
    const size_t n = costs->instances;
    SCOPED double *best = heap_take(n, sizeof *best);
    SCOPED double *spent = heap_take(n, sizeof *spent);
    SCOPED double *limit = heap_take(n, sizeof *limit);
    SCOPED bool *censored = heap_take(n, sizeof *censored);
    virtual_best(costs->cost, costs->count, n, best);
    for (size_t i = 0; i < n; i++) {
        censored[i] = isinf(best[i]);
        spent[i] = censored[i] ? 0 : best[i];
        limit[i] = INFINITY; /* unsolved by all: the smallest limit, if all are known */
        for (size_t j = 0; j < costs->count; j++) {
            const double own = costs->limit[j * n + i];
            limit[i] = isnan(own) || isnan(limit[i]) ? NAN : fmin(limit[i], own);
            if (censored[i])
                spent[i] = fmax(spent[i], costs->spent[j * n + i]);
        }
    }
    struct standing standing = standing_of(metric, best, spent, limit, censored, n, common);
    standing.solver = SIZE_MAX;
    for (size_t i = 0; i < PROFILE_RATIOS; i++)
        standing.within[i] = n == 0 ? NAN : (double)standing.solved / (double)n;
    standing.best = standing.solved;
    return standing;
}

static void rank(struct standings *standings, const struct costs *costs, bool whole)
{
    SCOPED double *ranks = heap_take(costs->count, sizeof *ranks);
    SCOPED double *ratios = heap_take(costs->count * costs->instances, sizeof *ratios);
    standings->friedman = friedman_test(costs->cost, costs->count, costs->instances, ranks);
    standings->critical_difference =
        whole ? NAN : critical_difference(costs->count, costs->instances, 0.05);
    if (whole)
        standings->friedman = (struct friedman){standings->instances, NAN, NAN, NAN, NAN};
    performance_ratios(costs->cost, costs->count, costs->instances, ratios);
    for (size_t i = 0; i < costs->count; i++) {
        struct standing *own = &standings->rows[i];
        const double *ratio = ratios + i * costs->instances;
        SCOPED_BY(profile_end) struct profile profile = profile_of(ratio, costs->instances);
        own->rank = ranks[i];
        for (size_t j = 0; j < PROFILE_RATIOS; j++)
            own->within[j] = profile_at(&profile, profile_ratios[j]);
        for (size_t j = 0; j < costs->instances; j++)
            own->best += ratio[j] == 1;
    }
}

static void forget_curve(struct standing *standing)
{
    standing->restricted_mean = standing->median = standing->logrank_p = standing->rank = NAN;
}

/* Where what unsolved runs had spent bounds nothing: no curve, rank or test. */
static void forget_bounds(struct standings *standings)
{
    for (size_t i = 0; i < standings->count; i++)
        forget_curve(&standings->rows[i]);
    forget_curve(&standings->virtual_best);
    standings->friedman = (struct friedman){standings->instances, NAN, NAN, NAN, NAN};
    standings->logrank = (struct logrank){.chi_squared = NAN, .p = NAN};
    standings->critical_difference = NAN;
}

struct standings standings_of(const struct results *results, const struct block *block,
                              enum metric metric, size_t baseline)
{
    SCOPED_BY(costs_end) struct costs costs = costs_of(results, block, metric);
    const size_t n = costs.instances;
    const bool whole = block->whole && n == block->count;
    struct standings standings = {.metric = metric,
                                  .instances = n,
                                  .count = costs.count,
                                  .limit = common_limit(&costs),
                                  .logrank = {.chi_squared = NAN, .p = NAN}};
    standings.rows = heap_take(costs.count, sizeof *standings.rows);
    size_t base = SIZE_MAX;
    for (size_t i = 0; i < costs.count; i++) {
        standings.rows[i] =
            standing_of(metric, costs.cost + i * n, costs.spent + i * n, costs.limit + i * n,
                        costs.censored + i * n, n, standings.limit);
        standings.rows[i].solver = costs.solvers[i];
        if (costs.solvers[i] == baseline)
            base = i;
    }
    for (size_t i = 0; i < costs.count && base != SIZE_MAX && !whole; i++)
        if (i != base)
            standings.rows[i].logrank_p = logrank_p(&costs, i, base);
    standings.virtual_best = best_of(metric, &costs, standings.limit);
    if (!whole)
        standings.logrank = logrank_all(&costs);
    rank(&standings, &costs, whole);
    if (!metric_rises(metric) && costs_unsolved(&costs))
        forget_bounds(&standings);
    return standings;
}

void standings_end(struct standings *standings)
{
    free(standings->rows);
    *standings = (struct standings){0};
}
