#include "base/heap.h"
#include "harness/analysis/parameters.h"
#include "harness/figures/making.h"

/* Costs that lie further apart than this factor have a logarithmic axis. */
enum { FAR = 4 };

/* A solver's place in the plane of cost and length. */
struct trade {
    size_t solver;
    double cost;  /* the geometric mean */
    double ratio; /* the mean of length over optimal length, or cost over optimal cost */
};

/* Whether all of these solvers solved a board, whose optimum is known, with a cost that has
 * a logarithm. */
static bool is_shared(const struct making *making, const struct trade *trades, size_t count,
                      size_t instance)
{
    for (size_t i = 0; i < count; i++) {
        const size_t solver = trades[i].solver;
        const struct outcome *outcome = results_outcome(making->results, solver, instance);
        const double cost = cost_of(making, solver, instance);
        if (!(cost > 0 && isfinite(cost)) ||
            isnan(quality_of(making->results, outcome, &making->results->known[instance])))
            return false;
    }
    return true;
}

/* Whether no other costs less and is nearer to the optimum. */
static bool is_efficient(const struct trade *trades, size_t count, size_t which)
{
    const struct trade *own = &trades[which];
    for (size_t i = 0; i < count; i++)
        if (trades[i].cost <= own->cost && trades[i].ratio <= own->ratio &&
            (trades[i].cost < own->cost || trades[i].ratio < own->ratio))
            return false;
    return true;
}

/* Fills in the means of solvers over the boards that all of them solved. Returns how many these
 * are. */
static size_t weigh(const struct making *making, struct trade *trades, size_t count)
{
    const struct block *block = making->block;
    const struct results *results = making->results;
    size_t boards = 0;
    for (size_t j = block->first; j < block->first + block->count; j++) {
        if (!is_shared(making, trades, count, j))
            continue;
        boards++;
        for (size_t i = 0; i < count; i++) {
            const struct outcome *outcome = results_outcome(results, trades[i].solver, j);
            trades[i].cost += log(cost_of(making, trades[i].solver, j));
            trades[i].ratio += quality_of(results, outcome, &results->known[j]);
        }
    }
    for (size_t i = 0; i < count && boards > 0; i++) {
        trades[i].cost = exp(trades[i].cost / (double)boards);
        trades[i].ratio /= (double)boards;
    }
    return boards;
}

/* Adds a row, and whose curve it is on: that of the solvers that differ in the parameter alone. */
static void add_row(const struct making *making, struct tidy *table,
                    const struct families *families, const struct trade *trade, size_t boards,
                    bool efficient)
{
    const char *curve = "";
    double value = NAN;
    for (size_t i = 0; i < families->count; i++)
        for (size_t j = 0; j < families->items[i].count; j++)
            if (families->items[i].members[j].solver == trade->solver) {
                const struct family *family = &families->items[i];
                curve =
                    figures_add_series(making->figures, family->name, family->shown, family->as);
                value = family->members[j].value;
            }
    tidy_text(table, solver_name(making, trade->solver));
    tidy_numbers(table, (double)boards, trade->cost, trade->ratio, trade->ratio - 1,
                 (double)efficient);
    tidy_text(table, curve);
    tidy_number(table, value);
}

void figure_pareto(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    const struct results *results = making->results;
    SCOPED struct trade *trades = heap_take(results->solvers.count, sizeof *trades);
    const char *what = solution_word(block);
    size_t count = 0;
    const struct trade *corner = NULL; /* the first on the front */
    bool line = false;
    bool longer = false;
    double least = INFINITY;
    double most = 0;
    tidy_heads(&figure->table, "solver|boards|cost|ratio|excess|efficient|family|value");
    SCOPED_BY(families_end) struct families families = {0};
    if (making->parameter != NULL)
        families = families_of(results, making->parameter);
    for (size_t i = 0; i < results->solvers.count; i++)
        if (making->reported[i] && results_tried(results, block, i))
            trades[count++].solver = i;
    const size_t boards = weigh(making, trades, count);
    for (size_t i = 0; i < count; i++) {
        const bool efficient = is_efficient(trades, count, i);
        if (efficient && corner == NULL)
            corner = &trades[i];
        longer = longer || trades[i].ratio > 1;
        least = fmin(least, trades[i].cost);
        most = fmax(most, trades[i].cost);
        line = line || (efficient && trades[i].cost != corner->cost);
        add_row(making, &figure->table, &families, &trades[i], boards, efficient);
    }
    figure->x = figure_axis_of(&figure->table, 2, 2, false);
    figure->x.log = figure->x.log || (least > 0 && most / least >= FAR); /* means of logarithms */
    SCOPED char *label = metric_label(making->metric);
    figure->x_label = heap_format("%s, geometric mean", label);
    figure->y = figure_axis_of(&figure->table, 4, 4, false);
    figure->y_label = heap_format("excess %s / optimal %s, mean", what, what);
    figure->title = heap_format("%s: %s of solutions against %s", block->name, what, label);
    if (boards < block->count)
        heap_append(&figure->title, ", %zu of %zu boards", boards, block->count);
    if (making->metric == solution_metric(block))
        figure_refuse(figure, "the cost is the %s itself", what);
    else if (count < 3)
        figure_refuse(figure, "three solvers are needed");
    else if (boards < 2)
        figure_refuse(figure, "two boards of known optimal %s that all solvers solved are needed",
                      what);
    else if (!longer)
        figure_refuse(figure, "every solution is a %s one", optimal_word(block));
    say_boards(figure, block, boards);
    if (boards < block->count)
        figure_say(figure,
                   "Left out: %zu that not all solvers solved, or whose optimal %s is 0 or not "
                   "known.",
                   block->count - boards, what);
    figure_say(figure,
               line ? "Line: the Pareto front. No other solver costs less and is nearer to the "
                      "optimum than one on it."
                    : "No line: what costs the least is nearest to the optimum, too.");
    if (families.count > 0) {
        SCOPED char *parameter = text_printable(making->parameter);
        figure_say(figure,
                   "%sA curve joins solvers that differ in %s alone; its values stand at it.",
                   line ? "That line is dashed. " : "", parameter);
    }
}
