#include "harness/analysis/survival.h"
#include "base/heap.h"
#include "harness/figures/making.h"

void figure_survival(const struct making *making, struct figure *figure)
{
    SCOPED_BY(costs_end) struct costs costs = shared_costs(making, figure, 1);
    refuse_unknown(making, figure, &costs);
    bool censored = false;
    tidy_heads(&figure->table, "solver|cost|unsolved|at_risk|solved|censored");
    for (size_t i = 0; i < costs.count; i++) {
        const size_t first = i * costs.instances;
        SCOPED_BY(survival_end)
        struct survival curve =
            survival_of(costs.spent + first, costs.censored + first, costs.instances);
        const char *solver = solver_name(making, costs.solvers[i]);
        for (size_t j = 0; j < curve.count; j++) {
            const struct survival_step *step = &curve.steps[j];
            tidy_add(&figure->table, "%s %g %g %g %g %g", solver, step->cost, step->unsolved,
                     (double)step->at_risk, (double)step->solved, (double)step->censored);
            censored = censored || step->censored > 0;
        }
    }
    if (!censored)
        figure_refuse(figure, "every run is solved, so that solved_within says the same");
    figure->x = figure_axis_of(&figure->table, 1, 1, metric_is_whole(making->metric));
    figure->x_label = metric_label(making->metric);
    figure->title = heap_format("%s: boards still unsolved (Kaplan-Meier)", making->block->name);
    figure_say(figure, "Ticks: runs that ended unsolved there.");
    end_shares(making, figure, "share of boards unsolved");
}
