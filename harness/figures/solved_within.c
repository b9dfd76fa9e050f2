#include "base/heap.h"
#include "harness/figures/making.h"

void figure_solved_within(const struct making *making, struct figure *figure)
{
    SCOPED_BY(costs_end) struct costs costs = shared_costs(making, figure, 1);
    tidy_heads(&figure->table, "solver|cost|share");
    for (size_t i = 0; i < costs.count; i++) /* steps at the costs, not at their ratios */
        add_steps(&figure->table, solver_name(making, costs.solvers[i]),
                  profile_of(costs.cost + i * costs.instances, costs.instances));
    figure->x = figure_axis_of(&figure->table, 1, 1, metric_is_whole(making->metric));
    figure->x_label = metric_label(making->metric);
    figure->title = heap_format("%s: boards solved within a cost", making->block->name);
    end_shares(making, figure, "share of boards solved");
}
