#include "harness/analysis/anomalies.h"
#include "base/heap.h"
#include "harness/text/sorting.h"

/* The solver without its heuristic, to be freed; NULL if it has none that is admissible. */
static char *rest_of(const char *text)
{
    struct solver solver;
    char *rest = NULL;
    SCOPED_BY(report_end) struct report report = {0};
    if (solver_parse(text, FIRST_PLACE, &report, &solver) && solver.heuristic.kind != NULL &&
        (solver_properties(&solver) & ADMISSIBLE) != 0) {
        solver.heuristic = (struct heuristic_choice){0};
        rest = solver_text(&solver);
    }
    return rest;
}

static bool is_better(const struct results *results, const struct block *block, size_t better,
                      size_t worse)
{
    bool above = false;
    for (size_t i = block->first; i < block->first + block->count; i++) {
        const double own = outcome_value(results, results_outcome(results, better, i), RUN_H_START);
        const double its = outcome_value(results, results_outcome(results, worse, i), RUN_H_START);
        if (own < its)
            return false;
        above = above || own > its;
    }
    return above;
}

static int by_factor(const void *a, const void *b)
{
    const struct anomaly *x = a;
    const struct anomaly *y = b;
    const double left = x->expanded_better * y->expanded_worse; /* exact below 2^26 nodes */
    const double right = y->expanded_better * x->expanded_worse;
    return left != right ? ORDER(right, left) : ORDER(x->instance, y->instance);
}

static void add_pair(struct anomalies *anomalies, const struct results *results,
                     const struct block *block, size_t better, size_t worse)
{
    struct better_pair pair = {.better = better, .worse = worse, .first = anomalies->count};
    for (size_t i = block->first; i < block->first + block->count; i++) {
        const struct outcome *own = results_outcome(results, better, i);
        const struct outcome *its = results_outcome(results, worse, i);
        const double mine = outcome_value(results, own, METRIC_expanded);
        const double theirs = outcome_value(results, its, METRIC_expanded);
        if (!own->finished || !its->finished || isnan(mine) || isnan(theirs))
            continue;
        pair.boards++;
        pair.fewer += mine < theirs;
        pair.same += mine == theirs;
        pair.more += mine > theirs;
        if (!(mine > theirs))
            continue;
        *HEAP_ADD(anomalies->boards, anomalies->count) =
            (struct anomaly){i, outcome_value(results, own, RUN_H_START),
                             outcome_value(results, its, RUN_H_START), mine, theirs};
    }
    if (pair.more > 1)
        qsort(&anomalies->boards[pair.first], pair.more, sizeof *anomalies->boards, by_factor);
    if (pair.boards == 0)
        return;
    *HEAP_ADD(anomalies->pairs, anomalies->pair_count) = pair;
}

struct anomalies anomalies_of(const struct results *results, const struct block *block)
{
    const size_t count = results->solvers.count;
    struct anomalies anomalies = {0};
    SCOPED char **rests = heap_take(count + 1, sizeof *rests);
    for (size_t i = 0; i < count; i++)
        rests[i] = rest_of(results->solvers.text[i]);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (i != j && rests[i] != NULL && rests[j] != NULL && strcmp(rests[i], rests[j]) == 0 &&
                is_better(results, block, i, j))
                add_pair(&anomalies, results, block, i, j);
    for (size_t i = 0; i < count; i++)
        free(rests[i]);
    return anomalies;
}

void anomalies_end(struct anomalies *anomalies)
{
    FREE(anomalies->pairs, anomalies->boards);
    *anomalies = (struct anomalies){0};
}
