#include "base/heap.h"
#include "harness/compare/heuristic_names.h"
#include "harness/figures/making.h"

static bool is_series(const struct tidy *tidy, const char *series)
{
    for (size_t i = 0; i < tidy->cell_count; i += tidy->column_count)
        if (strcmp(tidy->cells[i].text, series) == 0)
            return true;
    return false;
}

void figure_heuristic(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    SCOPED struct point *points = heap_take(block->count, sizeof *points);
    tidy_heads(&figure->table, "heuristic|length|boards|known|lower|median|upper");
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            const struct known_instance *known = &making->results->known[j];
            const double h =
                outcome_value(making->results, results_outcome(making->results, i, j), RUN_H_START);
            if (known->optimal >= 0 && !is_priced(known) && !known->unsolvable && !isnan(h))
                points[count++] = (struct point){(double)known->optimal, h};
        }
        SCOPED char *astar = astar_with_its_heuristic(making->results->solvers.text[i]);
        SCOPED char *heuristic = heuristic_of(astar);
        const bool its_own = strcmp(heuristic, making->results->solvers.text[i]) == 0;
        if (count > 0 && !is_series(&figure->table, heuristic))
            add_bands(&figure->table,
                      its_own ? solver_name(making, i)
                              : figures_add_series(making->figures, heuristic, heuristic, astar),
                      points, count);
    }
    if (figure->table.cell_count == 0)
        figure_refuse(figure, block->model == COST_unit
                                  ? "no heuristic's value is known where an optimal length is"
                                  : "h at the start is of moves that cost 1");
    else if (!is_line(&figure->table))
        figure_refuse(figure, "boards of two optimal lengths are needed");
    figure->x = figure->y = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_text("optimal solution length (moves)");
    figure->y_label = heap_text("heuristic at the start (moves)");
    figure->title = heap_format("%s: heuristics and true distances", block->name);
    say_lengths(figure, making);
    say_bands(figure);
    figure_say(figure, "Dotted: a perfect heuristic.");
}
