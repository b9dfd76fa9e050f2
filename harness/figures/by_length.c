#include "base/heap.h"
#include "harness/analysis/by_depth.h"
#include "harness/figures/making.h"

void figure_by_length(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    const bool priced = solution_metric(block) == METRIC_cost;
    const struct optimum_places places = optimum_places_of(making->results, block);
    SCOPED struct point *points = heap_take(block->count, sizeof *points);
    tidy_heads(&figure->table, "solver|length|boards|solved|lower|median|upper");
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            const double place = optimum_place(&places, &making->results->known[j]);
            const double cost = cost_of(making, i, j);
            if (!isnan(place) && !isnan(cost))
                points[count++] = (struct point){place, cost};
        }
        if (count > 0)
            add_bands(&figure->table, solver_name(making, i), points, count);
    }
    const bool line = is_line(&figure->table);
    if (boards_with_length(making) == 0)
        figure_refuse(figure, "no optimal %s is known", solution_word(block));
    else if (!line)
        figure_refuse(figure, "solved boards of two optimal %s are needed",
                      priced ? "costs, in different bins," : "lengths");
    figure->x = (struct figure_axis){.whole = !priced, .zero_at = NAN};
    figure->x_label = heap_format("optimal solution %s", optimum_name(block));
    say_lengths(figure, making);
    if (priced)
        figure_say(figure, "Optimal costs in bins of %.10g, drawn at their middles.", places.width);
    say_bands(figure);
    say_hollow(figure, priced ? "some boards of that bin are unsolved"
                              : "some boards of that length are unsolved");
    if (line && making->metric == METRIC_expanded)
        add_theories(making, figure);
    figure->y = figure_axis_of(&figure->table, 4, 6, metric_is_whole(making->metric));
    figure->y_label = metric_label(making->metric);
    figure->title =
        heap_format("%s: %s by solution %s", block->name, figure->y_label, solution_word(block));
    figure_note_zeros(figure, &figure->y);
    say_unsolved(figure, making, true);
    say_sources(figure, making);
}
