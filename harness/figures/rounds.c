#include "base/heap.h"
#include "harness/figures/making.h"

/* Writes what the rounds of a solver cost on the boards of the block that it solved, each once, and
 * marks those boards. Returns how many rounds. */
static size_t rounds_of(const struct making *making, size_t solver, struct point *points,
                        bool *boards)
{
    const struct block *block = making->block;
    size_t count = 0;
    for (size_t i = 0; i < making->tables->rounds.count; i++) {
        const struct run_numbers_row *row = &making->tables->rounds.rows[i];
        const struct run_row *run = &making->results->runs[row->run];
        const struct outcome *outcome = results_outcome(making->results, solver, run->instance);
        if (run->solver != solver || run->instance - block->first >= block->count ||
            outcome->run != row->run || !outcome->finished)
            continue;
        boards[run->instance - block->first] = true;
        points[count++] =
            (struct point){row->value[0], row->value[making->metric == METRIC_generated ? 2 : 1]};
    }
    return count;
}

void figure_rounds(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    const size_t known = making->tables == NULL ? 0 : making->tables->rounds.count;
    const bool counted = making->metric == METRIC_generated || making->metric == METRIC_expanded;
    SCOPED struct point *points = heap_take(known, sizeof *points);
    SCOPED bool *boards = heap_take(block->count, sizeof *boards);
    tidy_heads(&figure->table, "solver|round|boards|solved|lower|median|upper");
    for (size_t i = 0; known > 0 && counted && i < making->results->solvers.count; i++) {
        const size_t count = rounds_of(making, i, points, boards);
        if (count > 0)
            add_bands(&figure->table, solver_name(making, i), points, count);
    }
    size_t shown = 0;
    for (size_t i = 0; i < block->count; i++)
        shown += boards[i];
    figure->unheld = known == 0;
    if (known == 0)
        figure_refuse(figure, "there is no rounds.csv");
    else if (!counted)
        figure_refuse(figure, "rounds have generated and expanded alone");
    else if (!is_line(&figure->table))
        figure_refuse(figure, "two rounds are needed");
    figure->x = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_text("round");
    figure->y = figure_axis_of(&figure->table, 4, 6, true);
    figure->y_label = metric_label(making->metric);
    figure->title = heap_format("%s: %s by round", block->name, figure->y_label);
    say_boards(figure, block, shown);
    say_bands(figure);
    figure_say(figure,
               "Solved boards alone, as far as they have rounds; the last one ends at the goal.");
    figure_note_zeros(figure, &figure->y);
}
