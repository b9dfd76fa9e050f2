#include "base/heap.h"
#include "harness/figures/making.h"
#include <math.h>

void figure_by_length(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    SCOPED struct point *points = heap_take(block->count, sizeof *points);
    START_TABLE(&figure->table, "solver", "length", "boards", "solved", "lower", "median", "upper");
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            const long optimal = making->results->known[j].optimal;
            const double cost = cost_of(making, i, j);
            if (optimal >= 0 && !isnan(cost))
                points[count++] = (struct point){(double)optimal, cost};
        }
        if (count > 0)
            add_bands(&figure->table, solver_name(making, i), points, count);
    }
    const bool line = is_line(&figure->table);
    if (boards_with_length(making) == 0)
        figure_refuse(figure, "no optimal length is known");
    else if (!line)
        figure_refuse(figure, "solved boards of two optimal lengths are needed");
    figure->x = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_text("optimal solution length (moves)");
    say_lengths(figure, making);
    say_bands(figure);
    say_hollow(figure, "some boards of that length are unsolved");
    if (line && making->metric == METRIC_expanded)
        add_theories(making, figure);
    figure->y = figure_axis_of(&figure->table, 4, 6, metric_is_whole(making->metric));
    figure->y_label = metric_label(making->metric);
    figure->title = heap_format("%s: %s by solution length", block->name, figure->y_label);
    figure_note_zeros(figure, &figure->y);
    say_unsolved(figure, making, true);
    say_sources(figure, making);
}
