/* How good the best solution so far is, as a search goes on: the board's solutions, its last one
 * included, as steps that are read at the same costs for all boards. */
#include "base/heap.h"
#include "harness/figures/making.h"
#include <math.h>

enum { WALL_S, EXPANDED, GENERATED, LENGTH }; /* the columns of incumbents.csv */
enum { PLACES = 40 };                         /* costs at which lengths are read */

static int column_of(enum metric metric)
{
    return metric == METRIC_wall_s      ? WALL_S
           : metric == METRIC_expanded  ? EXPANDED
           : metric == METRIC_generated ? GENERATED
                                        : -1;
}

/* A solution of a board: what it cost until then. */
struct step {
    size_t board; /* in the block */
    double cost, length;
};

/* Adds the solutions of a solver on the boards of the block. Returns how many. */
static size_t steps_of(const struct making *making, size_t solver, struct step *steps)
{
    const struct results *results = making->results;
    const struct block *block = making->block;
    const struct run_numbers *rows = &making->tables->incumbents;
    const int column = column_of(making->metric);
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct run_row *run = &results->runs[rows->rows[i].run];
        const size_t board = run->instance - block->first;
        if (run->solver == solver && board < block->count &&
            results_outcome(results, solver, run->instance)->run == rows->rows[i].run &&
            !isnan(rows->rows[i].value[column]))
            steps[count++] =
                (struct step){board, rows->rows[i].value[column], rows->rows[i].value[LENGTH]};
    }
    for (size_t i = block->first; i < block->first + block->count; i++) {
        const struct outcome *outcome = results_outcome(results, solver, i);
        if (outcome->finished && !isnan(outcome->value[making->metric]))
            steps[count++] = (struct step){i - block->first, outcome->value[making->metric],
                                           outcome->value[METRIC_length]};
    }
    return count;
}

/* The optimal length of each board, or the shortest that anyone found; INFINITY: nobody did. */
static double *shortest_of(const struct making *making, struct step *steps)
{
    const struct block *block = making->block;
    double *shortest = heap_take(block->count, sizeof *shortest);
    for (size_t i = 0; i < block->count; i++) {
        const double optimal = (double)making->results->known[block->first + i].optimal;
        shortest[i] = optimal > 0 ? optimal : INFINITY;
    }
    for (size_t solver = 0; solver < making->results->solvers.count; solver++)
        for (size_t i = steps_of(making, solver, steps); i-- > 0;)
            shortest[steps[i].board] = fmin(shortest[steps[i].board], steps[i].length);
    return shortest;
}

/* The costs at which lengths are read, evenly on a logarithmic axis. */
static void place(const struct making *making, struct step *steps, double places[PLACES])
{
    double min = INFINITY;
    double max = 0;
    for (size_t solver = 0; solver < making->results->solvers.count; solver++)
        for (size_t i = steps_of(making, solver, steps); i-- > 0;) {
            min = steps[i].cost > 0 ? fmin(min, steps[i].cost) : min;
            max = fmax(max, steps[i].cost);
        }
    for (unsigned i = 0; i < PLACES; i++) {
        const double at = min * pow(max / min, (double)i / (PLACES - 1));
        places[i] = making->metric == METRIC_wall_s ? at : ceil(at);
    }
    places[PLACES - 1] = max;
}

/* Adds the line of a solver. */
static void add_line(const struct making *making, struct figure *figure, size_t solver,
                     const double places[PLACES], const double *shortest, struct step *steps)
{
    const size_t boards = making->block->count;
    const size_t count = steps_of(making, solver, steps);
    struct point *points = heap_take(boards * (size_t)PLACES, sizeof *points);
    double *best = heap_take(boards, sizeof *best);
    size_t point = 0;
    for (unsigned i = 0; count > 0 && i < PLACES; i++) {
        if (i > 0 && places[i] <= places[i - 1])
            continue;
        for (size_t board = 0; board < boards; board++)
            best[board] = INFINITY;
        for (size_t step = 0; step < count; step++)
            if (steps[step].cost <= places[i])
                best[steps[step].board] = fmin(best[steps[step].board], steps[step].length);
        for (size_t board = 0; board < boards; board++)
            if (tried(making, solver, making->block->first + board) && isfinite(shortest[board]))
                points[point++] = (struct point){places[i], best[board] / shortest[board]};
    }
    if (point > 0)
        add_bands(&figure->table, solver_name(making, solver), points, point);
    free(best);
    free(points);
}

void figure_incumbents(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    const size_t known = making->tables == NULL ? 0 : making->tables->incumbents.count;
    const bool counted = column_of(making->metric) >= 0;
    START_TABLE(&figure->table, "solver", "cost", "boards", "solved", "lower", "median", "upper");
    figure->unheld = known == 0;
    size_t shown = 0;
    if (known > 0 && counted) {
        struct step *steps = heap_take(known + block->count, sizeof *steps);
        double *shortest = shortest_of(making, steps);
        double places[PLACES];
        place(making, steps, places);
        for (size_t i = 0; i < making->results->solvers.count; i++)
            add_line(making, figure, i, places, shortest, steps);
        for (size_t i = 0; i < block->count; i++)
            shown += shortest[i] < INFINITY;
        free(shortest);
        free(steps);
    }
    if (known == 0)
        figure_refuse(figure, "there is no incumbents.csv: no search improved a solution");
    else if (!counted)
        figure_refuse(figure, "incumbents have wall_s, expanded and generated alone");
    else if (!is_line(&figure->table))
        figure_refuse(figure, "solutions at two costs are needed");
    char *label = metric_label(making->metric);
    figure->x = figure_axis_of(&figure->table, 1, 1, making->metric != METRIC_wall_s);
    figure->x_label = heap_text(label);
    figure->y = figure_axis_of(&figure->table, 4, 6, false);
    figure->y_label = heap_text("length so far / shortest known");
    figure->title = heap_format("%s: best solution by %s", block->name, label);
    free(label);
    say_boards(figure, block, shown);
    say_bands(figure);
    figure_say(figure, "Before its first solution a board counts as unsolved. Shortest known: the "
                       "optimal length, or the shortest solution of all runs.");
}
