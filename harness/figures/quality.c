#include "base/heap.h"
#include "harness/figures/making.h"

/* The same by a parameter. */
static void by_parameter(const struct making *making, struct figure *figure)
{
    struct making own = *making;
    own.quality = true;
    figure->kind = "sweep";
    make_sweep(&own, figure);
}

void figure_quality(const struct making *making, struct figure *figure)
{
    if (making->parameter != NULL) {
        by_parameter(making, figure);
        return;
    }
    const struct block *block = making->block;
    SCOPED double *values = heap_take(block->count, sizeof *values);
    SCOPED char *shortest = NULL;
    const char *what = solution_word(block);
    size_t boards = 0;
    start_boxes(&figure->table);
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        size_t attempted = 0;
        bool longer = false;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            const struct outcome *outcome = results_outcome(making->results, i, j);
            const struct known_instance *known = &making->results->known[j];
            attempted += tried(making, i, j) && optimum_of(known) > 0;
            values[count] = quality_of(making->results, outcome, known);
            if (!tried(making, i, j) || isnan(values[count]))
                continue;
            longer = longer || values[count] > 1;
            count++;
        }
        boards = count > boards ? count : boards;
        if (longer)
            add_box(&figure->table, solver_name(making, i), attempted, values, count);
        else if (count > 0)
            heap_append(&shortest, "%s%s", shortest == NULL ? "" : ", ", making->results->shown[i]);
    }
    figure->x = figure_axis_of(&figure->table, 3, 7, false);
    figure->x_label = heap_format("solution %s / optimal %s", what, what);
    figure->y_label = heap_text("");
    figure->title = heap_format("%s: solution quality", block->name);
    if (boards < 2)
        figure_refuse(figure, "two solved boards of known optimal %s are needed", what);
    else if (figure->table.cell_count == 0)
        figure_refuse(figure, "every solution is a %s one", optimal_word(block));
    say_boards(figure, block, boards);
    figure_say(figure, "Solved boards alone. Boxes: quartiles; whiskers: minimum and maximum.");
    say_single(figure);
    if (shortest != NULL)
        figure_say(figure, "Always a %s solution: %s.", optimal_word(block), shortest);
    say_unsolved(figure, making, true);
}
