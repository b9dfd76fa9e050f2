/* How good the best solution so far is, as a search goes on: the board's solutions, its last one
 * included, as steps that are read at the same costs for all boards. */
#include "base/heap.h"
#include "harness/figures/making.h"

enum { PLACES = 40 }; /* so many */

/* What is spent where solutions are read, evenly on a logarithmic axis. */
static void place(const struct making *making, double places[PLACES])
{
    const int column = improvement_column(making->metric);
    double min = INFINITY;
    double max = 0;
    for (size_t solver = 0; solver < making->results->solvers.count; solver++) {
        size_t count;
        SCOPED struct improvement *found = improvements_of(
            making->results, &making->tables->incumbents, making->block, solver, &count);
        for (size_t i = 0; i < count; i++) {
            min = found[i].at[column] > 0 ? fmin(min, found[i].at[column]) : min;
            max = fmax(max, found[i].at[column]);
        }
    }
    for (unsigned i = 0; i < PLACES; i++) {
        const double at = min * pow(max / min, (double)i / (PLACES - 1));
        places[i] = making->metric == METRIC_wall_s ? at : ceil(at);
    }
    places[PLACES - 1] = max;
}

/* Adds the line of a solver. */
static void add_line(const struct making *making, struct figure *figure, size_t solver,
                     const double places[PLACES], const double *cheapest)
{
    const int column = improvement_column(making->metric);
    const size_t boards = making->block->count;
    size_t count;
    SCOPED struct improvement *found = improvements_of(making->results, &making->tables->incumbents,
                                                       making->block, solver, &count);
    SCOPED struct point *points = heap_take(boards * (size_t)PLACES, sizeof *points);
    SCOPED double *best = heap_take(boards, sizeof *best);
    size_t point = 0;
    for (unsigned i = 0; count > 0 && i < PLACES; i++) {
        if (i > 0 && places[i] <= places[i - 1])
            continue;
        for (size_t board = 0; board < boards; board++)
            best[board] = INFINITY;
        for (size_t k = 0; k < count; k++)
            if (found[k].at[column] <= places[i])
                best[found[k].board] = fmin(best[found[k].board], found[k].at[AT_COST]);
        for (size_t board = 0; board < boards; board++)
            if (tried(making, solver, making->block->first + board) && cheapest[board] < INFINITY)
                points[point++] = (struct point){places[i], best[board] / cheapest[board]};
    }
    if (point > 0)
        add_bands(&figure->table, solver_name(making, solver), points, point);
}

void figure_incumbents(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    const size_t known = making->tables == NULL ? 0 : making->tables->incumbents.count;
    const bool counted = improvement_column(making->metric) >= 0;
    const char *what = solution_word(block), *optimal = optimal_word(block);
    tidy_heads(&figure->table, "solver|cost|boards|solved|lower|median|upper");
    figure->unheld = known == 0;
    size_t shown = 0;
    if (known > 0 && counted) {
        SCOPED double *cheapest =
            improvements_cheapest(making->results, &making->tables->incumbents, block);
        double places[PLACES];
        place(making, places);
        for (size_t i = 0; i < making->results->solvers.count; i++)
            add_line(making, figure, i, places, cheapest);
        for (size_t i = 0; i < block->count; i++)
            shown += cheapest[i] < INFINITY;
    }
    if (known == 0)
        figure_refuse(figure, "there is no incumbents.csv: no search improved a solution");
    else if (!counted)
        figure_refuse(figure, "incumbents have wall_s, expanded and generated alone");
    else if (!is_line(&figure->table))
        figure_refuse(figure, "solutions at two costs are needed");
    SCOPED char *label = metric_label(making->metric);
    figure->x = figure_axis_of(&figure->table, 1, 1, making->metric != METRIC_wall_s);
    figure->x_label = heap_text(label);
    figure->y = figure_axis_of(&figure->table, 4, 6, false);
    figure->y_label = heap_format("%s so far / %s known", what, optimal);
    figure->title = heap_format("%s: best solution by %s", block->name, label);
    say_boards(figure, block, shown);
    say_bands(figure);
    figure_say(figure,
               "Before its first solution a board counts as unsolved. %s known: the "
               "optimal %s, or the %s solution of all runs.",
               block->model == COST_unit ? "Shortest" : "Cheapest", what, optimal);
}
