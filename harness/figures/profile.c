#include "base/heap.h"
#include "harness/figures/making.h"

void figure_profile(const struct making *making, struct figure *figure)
{
    SCOPED_BY(costs_end) struct costs costs = shared_costs(making, figure, 2);
    SCOPED double *ratios = heap_take(costs.count * costs.instances, sizeof *ratios);
    performance_ratios(costs.cost, costs.count, costs.instances, ratios);
    tidy_heads(&figure->table, "solver|ratio|share");
    for (size_t i = 0; i < costs.count; i++)
        add_steps(&figure->table, solver_name(making, costs.solvers[i]),
                  profile_of(ratios + i * costs.instances, costs.instances));
    SCOPED char *label = metric_label(making->metric);
    figure->x = figure_axis_of(&figure->table, 1, 1, false);
    figure->x_label = heap_format("%s, times the minimum of all solvers", label);
    figure->title = heap_format("%s: performance profile", making->block->name);
    end_shares(making, figure, "share of boards solved");
}
