/* Targets reached: of the pairs of a board and a target, the share reached within a cost, with
 * fixed targets, as COCO and IOHprofiler draw it (Hansen, Auger, Ros, Mersmann, Tusar and
 * Brockhoff, COCO: A Platform for Comparing Continuous Optimizers in a Black-Box Setting, 2021). */
#include "base/heap.h"
#include "harness/figures/making.h"

/* Lengths over the shortest known, or costs over the cheapest. */
static const double targets[] = {1, 1.01, 1.05, 1.1, 1.2, 1.5, 2};
enum { TARGETS = sizeof targets / sizeof *targets };

/* Whether every solver tried a board of which a solution is known. */
static bool counts(const struct making *making, size_t board, const double *cheapest)
{
    bool all = cheapest[board] < INFINITY;
    for (size_t i = 0; all && i < making->results->solvers.count; i++)
        all = tried(making, i, making->block->first + board);
    return all;
}

/* Adds the line of a solver that knows its costs: of each board and target the cost of the first
 * solution that is short enough. */
static void add_line(const struct making *making, struct figure *figure, size_t solver, int column,
                     const double *cheapest, const bool *counted)
{
    const size_t boards = making->block->count;
    size_t count;
    size_t pairs = 0;
    SCOPED struct improvement *found = improvements_of(making->results, &making->tables->incumbents,
                                                       making->block, solver, &count);
    SCOPED double *reached = heap_take(boards * TARGETS, sizeof *reached);
    for (size_t i = 0; i < boards * TARGETS; i++)
        reached[i] = INFINITY;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < TARGETS; k++) {
            double *cost = &reached[found[i].board * TARGETS + k];
            if (found[i].at[AT_COST] <= targets[k] * cheapest[found[i].board])
                *cost = fmin(*cost, found[i].at[column]);
        }
    for (size_t i = 0; i < boards * TARGETS; i++)
        if (counted[i / TARGETS])
            reached[pairs++] = reached[i];
    if (making->reported[solver])
        add_steps(&figure->table, solver_name(making, solver), profile_of(reached, pairs));
}

void figure_targets(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    const struct run_numbers *incumbents =
        making->tables == NULL ? NULL : &making->tables->incumbents;
    const int column = improvement_column(making->metric);
    size_t shown = 0;
    tidy_heads(&figure->table, "solver|cost|share");
    figure->unheld = incumbents == NULL || incumbents->count == 0;
    if (figure->unheld) {
        figure_refuse(figure, "there is no incumbents.csv: no search improved a solution");
    } else if (column < 0) {
        figure_refuse(figure, "incumbents have wall_s, expanded and generated alone");
    } else {
        SCOPED double *cheapest = improvements_cheapest(making->results, incumbents, block);
        SCOPED bool *counted = heap_take(block->count, sizeof *counted);
        for (size_t i = 0; i < block->count; i++)
            shown += counted[i] = counts(making, i, cheapest);
        for (size_t i = 0; i < making->results->solvers.count && shown > 0; i++)
            add_line(making, figure, i, column, cheapest, counted);
        if (shown == 0)
            figure_refuse(figure, "no board with a known solution was tried by all solvers");
    }
    figure->x = figure_axis_of(&figure->table, 1, 1, metric_is_whole(making->metric));
    figure->x_label = metric_label(making->metric);
    figure->title = heap_format("%s: targets reached within a cost", block->name);
    say_boards(figure, block, shown);
    figure_say(figure,
               "Targets: solutions of at most 1, 1.01, 1.05, 1.1, 1.2, 1.5 and 2 times the %s",
               block->model == COST_unit
                   ? "shortest known (the optimal length, or the shortest of all runs)."
                   : "cheapest known (the optimal cost, or the cheapest of all runs).");
    end_shares(making, figure, "share of targets reached");
}
