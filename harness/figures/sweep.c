/* The cost, or how good solutions are, by a parameter: a line for each family of solvers that
 * differ in nothing else. */
#include "base/heap.h"
#include "harness/analysis/parameters.h"
#include "harness/analysis/statistics.h"
#include "harness/figures/making.h"

/* As cost_of, but a solver that solves nothing counts, too, whatever it reports: its runs are more
 * than any. */
static double cost_on(const struct making *making, size_t solver, size_t instance)
{
    const struct outcome *outcome = results_outcome(making->results, solver, instance);
    const struct known_instance *known = &making->results->known[instance];
    if (!tried(making, solver, instance) || (making->quality && !(optimum_of(known) > 0)))
        return NAN;
    if (making->quality && outcome->finished)
        return quality_of(making->results, outcome, known);
    return outcome->finished ? outcome_value(making->results, outcome, making->metric) : INFINITY;
}

/* Whether a solver tried boards of the block, and reports the metric of those that it solved. */
static bool is_shown(const struct making *making, size_t solver)
{
    const struct block *block = making->block;
    bool solved = false;
    for (size_t j = block->first; j < block->first + block->count; j++)
        solved = solved || results_outcome(making->results, solver, j)->finished;
    return results_tried(making->results, block, solver) &&
           (making->quality || making->reported[solver] || !solved);
}

/* Leaves out the solvers of a family that are not shown in the block. */
static void keep_shown(const struct making *making, struct family *family)
{
    size_t kept = 0;
    for (size_t i = 0; i < family->count; i++)
        if (is_shown(making, family->members[i].solver))
            family->members[kept++] = family->members[i];
    family->count = kept;
}

/* The numbers of the boards for which all of a family have a cost. Returns how many there are. */
static size_t boards_of(const struct making *making, const struct family *family, size_t *boards)
{
    const struct block *block = making->block;
    size_t count = 0;
    for (size_t j = block->first; family->count > 0 && j < block->first + block->count; j++) {
        bool all = true;
        for (size_t i = 0; i < family->count && all; i++)
            all = !isnan(cost_on(making, family->members[i].solver, j));
        if (all)
            boards[count++] = j;
    }
    return count;
}

/* Adds the line of a family. A board counts once for each value: by the median of its seeds.
 * Returns how many values have a median that is solved. */
static size_t add_line(const struct making *making, struct figure *figure,
                       const struct family *family, const size_t *boards, size_t count)
{
    const char *name = figures_add_series(making->figures, family->name, family->shown, family->as);
    SCOPED struct point *points = heap_take(count, sizeof *points);
    SCOPED double *costs = heap_take(family->count, sizeof *costs);
    size_t solved = 0;
    for (size_t first = 0, end; first < family->count; first = end) {
        const double value = family->members[first].value;
        for (size_t j = 0; j < count; j++) {
            for (end = first; end < family->count && family->members[end].value == value; end++)
                costs[end - first] = cost_on(making, family->members[end].solver, boards[j]);
            points[j] = (struct point){value, quantile_of(costs, end - first, 0.5)};
        }
        add_bands(&figure->table, name, points, count);
        solved += isfinite(figure->table.cells[figure->table.cell_count - 2].number) != 0;
    }
    return solved;
}

/* "LABEL 3 of 80 runs", of the boards that count; and which of the others are doubtful. */
static void add_unsolved(const struct making *making, const struct family *family,
                         const size_t *boards, size_t count, char **text, struct doubts *doubts)
{
    size_t unsolved = 0;
    for (size_t i = 0; i < family->count; i++)
        for (size_t j = 0; j < count; j++) {
            const size_t solver = family->members[i].solver;
            unsolved += isinf(cost_on(making, solver, boards[j])) != 0;
            count_doubts(doubts, making, results_outcome(making->results, solver, boards[j]));
        }
    if (unsolved > 0)
        heap_append(text, "%s%s %zu of %zu runs", *text == NULL ? "" : ", ", family->shown,
                    unsolved, family->count * count);
}

/* Adds all lines and what the caption says of them. Returns whether one has two solved medians. */
static bool add_lines(const struct making *making, struct figure *figure, struct families *families)
{
    const struct block *block = making->block;
    SCOPED size_t *boards = heap_take(block->count, sizeof *boards);
    bool any = false;
    bool pooled = false;
    size_t most = 0;
    size_t least = SIZE_MAX;
    SCOPED char *unsolved = NULL;
    struct doubts doubts = {0};
    for (size_t i = 0; i < families->count; i++) {
        struct family *family = &families->items[i];
        keep_shown(making, family);
        const size_t count = boards_of(making, family, boards);
        if (count == 0)
            continue;
        any = add_line(making, figure, family, boards, count) > 1 || any;
        add_unsolved(making, family, boards, count, &unsolved, &doubts);
        for (size_t j = 1; j < family->count; j++)
            pooled = pooled || family->members[j].value == family->members[j - 1].value;
        most = count > most ? count : most;
        least = count < least ? count : least;
    }
    say_boards(figure, block, most);
    if (least < block->count)
        figure_say(figure,
                   "A line has the boards that all of its solvers tried and that can be solved: at "
                   "least %zu of %zu.",
                   least, block->count);
    say_bands(figure);
    say_hollow(figure, "some boards are unsolved");
    if (pooled)
        figure_say(figure, "Of several seeds a board has the median.");
    if (unsolved != NULL)
        figure_say(figure, "Unsolved: %s.", unsolved);
    say_doubts(figure, &doubts);
    return any;
}

/* Names solvers that are in no line. */
static void say_others(const struct making *making, struct figure *figure)
{
    enum { NAMED = 6 };
    const struct results *results = making->results;
    SCOPED char *text = NULL;
    size_t count = 0;
    for (size_t i = 0; i < results->solvers.count; i++)
        if (results_tried(results, making->block, i) &&
            isnan(parameter_of(results, i, making->parameter)) && ++count <= NAMED)
            heap_append(&text, "%s%s", text == NULL ? "" : ", ", results->shown[i]);
    if (count > NAMED)
        heap_append(&text, " and %zu more", count - NAMED);
    if (text != NULL)
        figure_say(figure, "Left out, without %s: %s.", making->parameter, text);
    SCOPED char *lacking =
        making->quality ? NULL : results_lacking(results, making->block, making->metric);
    if (lacking != NULL)
        figure_say(figure, "Left out, as %s is not reported of every board solved: %s.",
                   metric_column(making->metric)->name, lacking);
}

/* The axis of the parameter. */
static struct figure_axis axis_of(const struct tidy *table)
{
    struct figure_axis axis = figure_axis_of(table, 1, 1, true);
    bool negative = false;
    for (size_t i = 1; i < table->cell_count; i += table->column_count) {
        const double value = table->cells[i].number;
        axis.whole = axis.whole && value == floor(value);
        negative = negative || value < 0;
    }
    return negative ? (struct figure_axis){.whole = axis.whole, .zero_at = NAN} : axis;
}

void make_sweep(const struct making *making, struct figure *figure)
{
    const char *what = solution_word(making->block);
    tidy_heads(&figure->table, "solver|value|boards|solved|lower|median|upper");
    SCOPED_BY(families_end)
    struct families families = families_of(making->results, making->parameter);
    const bool any = add_lines(making, figure, &families);
    if (!any)
        figure_refuse(figure, "solved boards of two values of %s are needed", making->parameter);
    figure->x = axis_of(&figure->table);
    figure->x_label = text_printable(making->parameter);
    figure->y =
        figure_axis_of(&figure->table, 4, 6, !making->quality && !metric_is_time(making->metric));
    figure->y_label = making->quality ? heap_format("solution %s / optimal %s", what, what)
                                      : metric_label(making->metric);
    figure->title =
        heap_format("%s: %s by %s", making->block->name, figure->y_label, figure->x_label);
    figure_note_zeros(figure, &figure->x);
    figure_note_zeros(figure, &figure->y);
    say_others(making, figure);
    say_measured(figure, making);
}

void figure_sweep(const struct making *making, struct figure *figure)
{
    if (making->parameter != NULL) {
        make_sweep(making, figure);
        return;
    }
    SCOPED char *listed = parameters_listed(making->results);
    figure->unheld = true;
    figure_refuse(figure, "--x says by which parameter; there are: %s", listed);
}
