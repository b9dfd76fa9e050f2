#include "harness/compare/improvements_view.h"
#include "base/heap.h"
#include "harness/compare/views.h"
#include "harness/text/sorting.h"

/* What a board says of a solver. */
enum { FIRST_S, FIRST_GENERATED, BEST_S, BEST_GENERATED, BEST_RATIO, INTEGRAL_S, FIGURES_OF_BOARD };

/* Reads the solutions of a board, `count` of them that begin at `found`. */
static void read_board(const struct improvement *found, size_t count, double cheapest, double until,
                       double figures[FIGURES_OF_BOARD])
{
    const struct improvement *best = NULL;
    double seconds = 0;
    double gap = 1;
    double integral = 0;
    for (size_t i = 0; i < FIGURES_OF_BOARD; i++)
        figures[i] = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (best != NULL && found[i].at[AT_COST] >= best->at[AT_COST])
            continue;
        if (best == NULL) {
            figures[FIRST_S] = found[i].at[AT_WALL_S];
            figures[FIRST_GENERATED] = found[i].at[AT_GENERATED];
        }
        best = &found[i];
        integral += gap * (fmin(best->at[AT_WALL_S], until) - seconds);
        seconds = fmin(best->at[AT_WALL_S], until);
        gap = 1 - cheapest / best->at[AT_COST];
    }
    figures[INTEGRAL_S] = integral + gap * (until - seconds);
    if (best == NULL)
        return;
    figures[BEST_S] = best->at[AT_WALL_S];
    figures[BEST_GENERATED] = best->at[AT_GENERATED];
    figures[BEST_RATIO] = best->at[AT_COST] / cheapest;
}

ORDER_BY(by_board, struct improvement, BY(board), BY(at[AT_WALL_S]));

/* The time up to which the gap of a board is added up. */
static double until_of(const struct results *results, const struct block *block, size_t solver,
                       size_t board, double last)
{
    const double limit = outcome_value(
        results, results_outcome(results, solver, block->first + board), RUN_LIMIT + LIMIT_S);
    return limit > 0 ? limit : last > 0 ? last : NAN;
}

static void add_row(struct tidy *tidy, const struct results *results, const struct block *block,
                    size_t solver, struct improvement *found, size_t count, const double *cheapest)
{
    SCOPED double *values = heap_take(FIGURES_OF_BOARD * block->count, sizeof *values);
    double last = 0;
    size_t boards = 0;
    size_t solved = 0;
    qsort(found, count, sizeof *found, by_board);
    for (size_t i = 0; i < count; i++)
        last = fmax(last, found[i].at[AT_WALL_S]);
    for (size_t board = 0, at = 0; board < block->count; board++) {
        double figures[FIGURES_OF_BOARD];
        const size_t first = at;
        while (at < count && found[at].board == board)
            at++;
        if (results_outcome(results, solver, block->first + board)->attempts == 0 ||
            !(cheapest[board] < INFINITY))
            continue;
        read_board(found + first, at - first, cheapest[board],
                   until_of(results, block, solver, board, last), figures);
        for (size_t i = 0; i < FIGURES_OF_BOARD; i++)
            values[i * block->count + boards] = figures[i];
        solved += at > first;
        boards++;
    }
    tidy_add(tidy, "%s %s %g %g", block->name, results->shown[solver], (double)boards,
             (double)solved);
    for (size_t i = 0; i < FIGURES_OF_BOARD; i++) {
        size_t known = 0;
        double *own = values + i * block->count;
        for (size_t board = 0; board < boards; board++)
            if (!isnan(own[board]))
                own[known++] = own[board];
        tidy_number(tidy, known < boards ? NAN : median_of(own, boards));
    }
}

struct tidy improvements_view(const struct results *results, const struct run_numbers *incumbents,
                              const struct block *block)
{
    struct tidy tidy = view_start(true);
    tidy_heads(&tidy,
               "boards|with a solution|first time[s]|first generated|best time[s]|best generated");
    tidy_column_as(&tidy, block->model == COST_unit ? "length / shortest" : "cost / cheapest", "",
                   SHAPE_RATIO);
    tidy_column(&tidy, "primal integral", "s", "");
    SCOPED double *cheapest = improvements_cheapest(results, incumbents, block);
    for (size_t solver = 0; solver < results->solvers.count; solver++) {
        size_t count;
        SCOPED struct improvement *found =
            improvements_of(results, incumbents, block, solver, &count);
        if (results_tried(results, block, solver)) /* also one that found nothing */
            add_row(&tidy, results, block, solver, found, count, cheapest);
    }
    return tidy;
}
