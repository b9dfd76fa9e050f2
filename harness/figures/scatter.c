#include "base/heap.h"
#include "harness/figures/making.h"

/* The baseline, or the block's first solver if the baseline has no runs in it. */
static size_t block_baseline(const struct making *making)
{
    const struct results *results = making->results;
    for (size_t turn = 0; turn <= results->solvers.count; turn++) {
        const size_t solver = turn == 0 ? making->baseline : turn - 1;
        for (size_t j = making->block->first; j < making->block->first + making->block->count; j++)
            if (results_outcome(results, solver, j)->attempts > 0)
                return solver;
    }
    return making->baseline;
}

/* More points in a panel would hide one another and make the file too large for viewers. */
enum { SCATTER_BOARDS = 2000 };

/* Costs that lie further apart than that have lines at this factor either way. */
enum { FACTOR = 10 };

static void add_scatter_row(struct tidy *tidy, const struct making *making, size_t instance,
                            size_t solver, size_t baseline)
{
    const struct results *results = making->results;
    const size_t solvers[] = {baseline, solver};
    SCOPED char *name = results_instance(results, instance);
    tidy_add(tidy, "%s %s %s", solver_name(making, solver), solver_name(making, baseline), name);
    for (size_t i = 0; i < 2; i++) {
        const struct outcome *outcome = results_outcome(results, solvers[i], instance);
        tidy_add(tidy, "%g %s %s", cost_of(making, solvers[i], instance),
                 status_rows[outcome->status].name, results->run_ids.text[outcome->run]);
    }
}

void figure_scatter(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    const size_t baseline = block_baseline(making);
    const size_t step = (block->count + SCATTER_BOARDS - 1) / SCATTER_BOARDS;
    size_t max_count = 0;
    size_t panels = 0;
    bool both = false;
    bool unsolved = false;
    double smallest = INFINITY;
    double largest = 0;
    tidy_heads(&figure->table, "solver|baseline|instance|baseline_cost|baseline_status|baseline_"
                               "run_id|cost|status|run_id");
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        for (size_t j = block->first; i != baseline && j < block->first + block->count; j += step) {
            const double x = cost_of(making, baseline, j);
            const double y = cost_of(making, i, j);
            if (isnan(x) || isnan(y))
                continue;
            add_scatter_row(&figure->table, making, j, i, baseline);
            both = both || (isfinite(x) && isfinite(y));
            unsolved = unsolved || !isfinite(x) || !isfinite(y);
            smallest = fmin(smallest, fmin(x, y));
            largest = fmax(largest, fmax(isfinite(x) ? x : 0, isfinite(y) ? y : 0));
            count++;
        }
        panels += count > 0;
        max_count = count > max_count ? count : max_count;
    }
    SCOPED char *label = metric_label(making->metric);
    figure->x = figure->y = figure_axis_of(&figure->table, 3, 6, metric_is_whole(making->metric));
    figure->x_label = heap_format("%s by %s", label, making->results->shown[baseline]);
    figure->y_label = heap_text(label);
    figure->title = heap_format("%s: %s, board by board", block->name, label);
    if (panels == 0)
        figure_refuse(figure, "2 solvers of the same boards are needed");
    else if (max_count < 2)
        figure_refuse(figure, "two boards are needed");
    else if (!both)
        figure_refuse(figure, "no board is solved by the baseline and another solver");
    say_boards(figure, block, max_count);
    if (step > 1)
        figure_say(figure, "One board of %zu in the block's order is drawn.", step);
    figure_say(figure, "A point is a board; above the diagonal %s needs less.%s%s",
               making->results->shown[baseline],
               largest >= FACTOR * smallest ? " Dashed: a factor of 10 either way." : "",
               unsolved ? " In the margins: unsolved." : "");
    figure_note_zeros(figure, &figure->x);
    say_unsolved(figure, making, false);
    say_sources(figure, making);
}
