#include "base/heap.h"
#include "harness/analysis/friedman.h"
#include "harness/figures/making.h"
#include "harness/text/sorting.h"

/* A solver and its rank. */
struct ranked {
    size_t solver;
    double rank;
};

ORDER_BY(by_rank, struct ranked, BY(rank), BY(solver));

void figure_ranks(const struct making *making, struct figure *figure)
{
    SCOPED_BY(costs_end) struct costs costs = shared_costs(making, figure, 3);
    refuse_unknown(making, figure, &costs);
    const bool population = making->block->whole && costs.instances == making->block->count;
    SCOPED double *ranks = heap_take(costs.count, sizeof *ranks);
    SCOPED struct ranked *order = heap_take(costs.count, sizeof *order);
    friedman_test(costs.cost, costs.count, costs.instances, ranks);
    const double difference =
        population ? 0 : critical_difference(costs.count, costs.instances, 0.05);
    for (size_t i = 0; i < costs.count; i++)
        order[i] = (struct ranked){costs.solvers[i], ranks[i]};
    qsort(order, costs.count, sizeof *order, by_rank);
    tidy_heads(&figure->table, "solver|rank|alike_up_to|critical_difference");
    double drawn = -INFINITY; /* the end of the previous bar: one within it adds nothing */
    bool bars = false;
    for (size_t i = 0; i < costs.count; i++) {
        size_t last = i;
        while (last + 1 < costs.count && order[last + 1].rank - order[i].rank <= difference)
            last++;
        const bool bar = !population && last > i && order[last].rank > drawn;
        tidy_add(&figure->table, "%s %g %g %g", solver_name(making, order[i].solver), order[i].rank,
                 bar ? order[last].rank : NAN, population ? NAN : difference);
        drawn = bar ? order[last].rank : drawn;
        bars = bars || bar;
    }
    SCOPED char *label = metric_label(making->metric);
    figure->x = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_format("average rank by %s (1: best)", label);
    figure->y_label = heap_text("");
    figure->title = heap_format("%s: average ranks", making->block->name);
    if (population)
        figure_say(figure, "They are all boards, so that every difference is real.");
    else
        figure_say(figure, "CD: Nemenyi's critical difference at 5 %%, %.3g; %s.", difference,
                   bars ? "ranks that a bar joins are not told apart" : "all ranks are told apart");
    say_unsolved(figure, making, false);
    say_sources(figure, making);
}
