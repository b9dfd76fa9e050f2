#include "base/heap.h"
#include "harness/figures/making.h"

/* Boards of cover 0, on which the heuristic is perfect, have no ratio. */
static double over_cover(const struct making *making, size_t solver, size_t instance)
{
    const struct outcome *outcome = results_outcome(making->results, solver, instance);
    if (!tried(making, solver, instance))
        return NAN; /* there may be no run */
    const double cover = results_number(making->results, outcome->run, RUN_COVER);
    if (!(cover > 0))
        return NAN;
    return outcome->finished ? outcome_value(making->results, outcome, METRIC_expanded) / cover
                             : INFINITY;
}

void figure_cover(const struct making *making, struct figure *figure)
{
    const struct results *results = making->results;
    const struct block *block = making->block;
    const size_t boards = add_boxes(making, figure, over_cover);
    bool perfect = false;
    figure->unheld = true;
    for (size_t i = 0; i < results->count; i++)
        figure->unheld = figure->unheld && isnan(results_number(results, i, RUN_COVER));
    for (size_t i = 0; i < results->solvers.count; i++)
        for (size_t j = block->first; j < block->first + block->count; j++)
            perfect = perfect || (tried(making, i, j) &&
                                  results_number(results, results_outcome(results, i, j)->run,
                                                 RUN_COVER) <= 0);
    figure->x = figure_axis_of(&figure->table, 3, 7, false);
    figure->x_label = heap_text("expanded / minimum vertex cover");
    figure->y_label = heap_text("");
    figure->title =
        heap_format("%s: expansions over the bound of searches from both ends", block->name);
    if (figure->unheld)
        figure_refuse(figure, "no row has a cover; the experiment does not say measure: [cover]");
    else if (boards < 2)
        figure_refuse(figure, "two boards with a cover above 0 are needed");
    say_boards(figure, block, boards);
    figure_say(figure,
               "Each board's expansions over the cover of its heuristic, which no search from both "
               "ends that compares nodes by f and g alone can be below (dotted). Boxes: quartiles; "
               "whiskers: minimum and maximum; an unsolved run is more than any.");
    if (perfect)
        figure_say(figure, "Boards of cover 0 are left out.");
    say_unsolved(figure, making, false);
}
