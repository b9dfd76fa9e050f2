#include "harness/figures/making.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/analysis/statistics.h"
#include "harness/text/human.h"

void figure_refuse(struct figure *figure, const char *format, ...)
{
    if (figure->missing != NULL)
        return;
    figure->missing = FORMATTED(format);
}

void figure_say(struct figure *figure, const char *format, ...)
{
    SCOPED char *text = FORMATTED(format);
    heap_append(&figure->caption, "%s%s", figure->caption == NULL ? "" : " ", text);
}

const char *figures_add_series(struct figures *figures, const char *name, const char *shown,
                               const char *as)
{
    SCOPED char *printable = text_printable(name);
    const size_t place = NAME_PLACE(figures->series, figures->series_count, name, printable);
    if (place == figures->series_count)
        *HEAP_ADD(figures->series, figures->series_count) =
            (struct series){heap_text(printable), text_printable(shown), heap_text(as)};
    return figures->series[place].name;
}

const char *solver_name(const struct making *making, size_t solver)
{
    const struct results *results = making->results;
    const char *name = results->solvers.text[solver];
    return figures_add_series(making->figures, name, results->shown[solver], name);
}

bool tried(const struct making *making, size_t solver, size_t instance)
{
    return results_outcome(making->results, solver, instance)->attempts > 0 &&
           !making->results->known[instance].unsolvable;
}

bool *reported_by(const struct making *making)
{
    bool *reported = heap_take(making->results->solvers.count, sizeof *reported);
    for (size_t i = 0; i < making->results->solvers.count; i++)
        reported[i] =
            results_reported(making->results, making->block, i, making->metric) < REPORTED_PART;
    return reported;
}

double cost_of(const struct making *making, size_t solver, size_t instance)
{
    const struct outcome *outcome = results_outcome(making->results, solver, instance);
    if (!tried(making, solver, instance) || !making->reported[solver])
        return NAN;
    return outcome->finished ? outcome_value(making->results, outcome, making->metric) : INFINITY;
}

char *metric_label(enum metric metric)
{
    static const struct {
        enum metric metric;
        const char *label;
    } labels[] = {
        {METRIC_generated, "generated nodes"},
        {METRIC_expanded, "expanded nodes"},
        {METRIC_wall_s, "wall time (s)"},
        {METRIC_cpu_s, "processor time (s)"},
        {METRIC_length, "moves found"},
        {METRIC_cost, "solution cost"},
        {METRIC_max_stored, "nodes held at once"},
    };
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (labels[i].metric == metric)
            return heap_text(labels[i].label);
    const struct column *column = metric_column(metric);
    return column->unit[0] == '\0' ? heap_text(column->name)
                                   : heap_format("%s (%s)", column->name, column->unit);
}

struct figure_axis figure_axis_of(const struct tidy *tidy, size_t first, size_t last, bool whole)
{
    enum { FAR = 20 };
    double smallest = INFINITY;
    double largest = 0;
    bool zeros = false;
    for (size_t i = 0; i < tidy->cell_count; i++) {
        const size_t column = i % tidy->column_count;
        const double number = tidy->cells[i].number;
        if (column < first || column > last || tidy->cells[i].text != NULL || !isfinite(number))
            continue;
        zeros = zeros || number == 0;
        largest = fmax(largest, number);
        if (number > 0)
            smallest = fmin(smallest, number);
    }
    struct figure_axis axis = {.whole = whole, .zero_at = NAN};
    axis.log = isfinite(smallest) && largest / smallest >= FAR;
    if (axis.log && zeros)
        axis.zero_at = smallest / 2;
    return axis;
}

void figure_note_zeros(struct figure *figure, const struct figure_axis *axis)
{
    if (!isnan(axis->zero_at))
        figure_say(figure, "Zeros are drawn at %g.", axis->zero_at);
}

void say_boards(struct figure *figure, const struct block *block, size_t count)
{
    figure_say(figure, "n = %s board%s%s.", human_count((double)count).text, plural(count),
               block->whole && count == block->count ? ", all that reach the goal" : "");
}

void count_doubts(struct doubts *doubts, const struct making *making, const struct outcome *outcome)
{
    if (!outcome->finished)
        return;
    doubts->unverified += outcome->unverified > 0;
    doubts->impossible += metric_is_counted(making->metric) && outcome->impossible > 0;
    doubts->drifted += metric_is_time(making->metric) && outcome->drifted > 0;
}

void say_doubts(struct figure *figure, const struct doubts *doubts)
{
    if (doubts->unverified > 0)
        figure_say(figure, "Solved by their own account alone: %zu.", doubts->unverified);
    if (doubts->impossible > 0)
        figure_say(figure, "With counters that no search can count: %zu.", doubts->impossible);
    if (doubts->drifted > 0)
        figure_say(figure, "With times beside control runs that drifted: %zu.", doubts->drifted);
}

void say_unsolved(struct figure *figure, const struct making *making, bool known)
{
    SCOPED char *text = NULL;
    struct doubts doubts = {0};
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t boards = 0;
        size_t unsolved = 0;
        for (size_t j = making->block->first; j < making->block->first + making->block->count;
             j++) {
            const struct outcome *outcome = results_outcome(making->results, i, j);
            if (!tried(making, i, j) || (known && isnan(optimum_of(&making->results->known[j]))))
                continue;
            boards++;
            unsolved += !outcome->finished;
            count_doubts(&doubts, making, outcome);
        }
        if (unsolved > 0)
            heap_append(&text, "%s%s %zu of %zu", text == NULL ? "" : ", ",
                        making->results->shown[i], unsolved, boards);
    }
    if (text != NULL)
        figure_say(figure, "Unsolved: %s.", text);
    say_doubts(figure, &doubts);
}

void say_measured(struct figure *figure, const struct making *making)
{
    SCOPED char *measured = metric_is_measured(making->metric)
                                ? results_measured(making->results, making->block)
                                : NULL;
    if (measured != NULL)
        figure_say(figure, "%s.", measured);
}

void say_sources(struct figure *figure, const struct making *making)
{
    SCOPED char *left_out = results_left_out(making->results, making->block, making->metric);
    if (left_out != NULL)
        figure_say(figure, "%s", left_out);
    say_measured(figure, making);
}

void add_bands(struct tidy *tidy, const char *series, struct point *points, size_t count)
{
    SCOPED double *values = heap_take(count, sizeof *values);
    qsort(points, count, sizeof *points, compare_points);
    for (size_t start = 0, end; start < count; start = end) {
        double solved = 0;
        for (end = start; end < count && points[end].x == points[start].x; end++) {
            values[end - start] = points[end].y;
            solved += isfinite(points[end].y);
        }
        const struct quartiles quartiles = quartiles_of(values, end - start);
        tidy_text(tidy, series);
        tidy_numbers(tidy, points[start].x, (double)(end - start), solved, quartiles.lower,
                     quartiles.median, quartiles.upper);
    }
}

bool is_line(const struct tidy *tidy)
{
    double first = NAN;
    for (size_t row = 0; row < tidy->cell_count; row += tidy->column_count) {
        const struct tidy_cell *cells = &tidy->cells[row];
        if (!isfinite(cells[5].number))
            continue;
        if (!isnan(first) && cells[1].number != first)
            return true;
        first = cells[1].number;
    }
    return false;
}

/* How many lines a figure has; those beyond MAX_LINES get panels. */
static size_t count_lines(struct figure *figure)
{
    size_t lines = 0;
    for (size_t row = 0; row < figure->table.cell_count; row += figure->table.column_count)
        lines +=
            row == 0 || strcmp(figure->table.cells[row].text,
                               figure->table.cells[row - figure->table.column_count].text) != 0;
    figure->panels = lines > MAX_LINES;
    return lines;
}

void say_bands(struct figure *figure)
{
    bool wide = false;
    for (size_t row = 0; row < figure->table.cell_count; row += figure->table.column_count)
        wide = wide || figure->table.cells[row + 4].number < figure->table.cells[row + 6].number;
    figure->bands = count_lines(figure) <= MAX_BANDS && wide;
    figure_say(figure, figure->bands ? "Lines: medians; bands: quartiles." : "Lines: medians.");
    if (figure->panels)
        figure_say(figure, "A panel for each; grey: the others.");
}

void say_hollow(struct figure *figure, const char *what)
{
    bool some = false;
    bool half = false;
    for (size_t row = 0; row < figure->table.cell_count; row += figure->table.column_count) {
        const struct tidy_cell *cells = &figure->table.cells[row];
        some = some || cells[3].number < cells[2].number;
        half = half || isinf(cells[5].number);
    }
    if (some)
        figure_say(figure, "Hollow: %s, which is more than any cost.%s", what,
                   half && figure->panels ? " On the dotted line: unsolved." : "");
}

size_t boards_with_length(const struct making *making)
{
    size_t count = 0;
    for (size_t i = making->block->first; i < making->block->first + making->block->count; i++)
        count +=
            !isnan(optimum_of(&making->results->known[i])) && !making->results->known[i].unsolvable;
    return count;
}

void say_lengths(struct figure *figure, const struct making *making)
{
    const size_t known = boards_with_length(making);
    say_boards(figure, making->block, known);
    if (known < making->block->count)
        figure_say(figure, "Left out: %zu whose optimal %s is not known or that cannot be solved.",
                   making->block->count - known, solution_word(making->block));
}

void add_box(struct tidy *tidy, const char *series, size_t boards, double *values, size_t count)
{
    double solved = 0;
    for (size_t i = 0; i < count; i++)
        solved += isfinite(values[i]);
    const struct quartiles quartiles = quartiles_of(values, count);
    tidy_text(tidy, series);
    tidy_numbers(tidy, (double)boards, solved, quartiles.min, quartiles.lower, quartiles.median,
                 quartiles.upper, quartiles.max);
}

struct costs shared_costs(const struct making *making, struct figure *figure, size_t solvers)
{
    struct costs costs = costs_of(making->results, making->block, making->metric);
    bool solved = false;
    for (size_t i = 0; i < costs.count * costs.instances; i++)
        solved = solved || !costs.censored[i];
    if (costs.count < solvers)
        figure_refuse(figure, "%zu solvers are needed", solvers);
    else if (costs.instances < 2)
        figure_refuse(figure, "two boards that all solvers tried are needed");
    else if (!solved)
        figure_refuse(figure, "no run is solved");
    say_boards(figure, making->block, costs.instances);
    if (costs.instances < making->block->count)
        figure_say(figure, "Left out: %zu that not all solvers tried, or that cannot be solved.",
                   making->block->count - costs.instances);
    return costs;
}

void refuse_unknown(const struct making *making, struct figure *figure, const struct costs *costs)
{
    if (!metric_rises(making->metric) && costs_unsolved(costs))
        figure_refuse(figure, "unsolved runs have no bound of %s",
                      metric_column(making->metric)->name);
}

void start_boxes(struct tidy *tidy)
{
    tidy_heads(tidy, "solver|boards|solved|min|lower|median|upper|max");
}

size_t add_boxes(const struct making *making, struct figure *figure,
                 double (*value)(const struct making *making, size_t solver, size_t instance))
{
    const struct block *block = making->block;
    SCOPED double *values = heap_take(block->count, sizeof *values);
    size_t boards = 0;
    start_boxes(&figure->table);
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            values[count] = value(making, i, j);
            count += isnan(values[count]) ? 0 : 1;
        }
        boards = count > boards ? count : boards;
        if (count > 0)
            add_box(&figure->table, solver_name(making, i), count, values, count);
    }
    return boards;
}

void say_single(struct figure *figure)
{
    bool single = false;
    for (size_t i = 0; i < figure->table.cell_count; i += figure->table.column_count)
        single = single || figure->table.cells[i + 3].number == figure->table.cells[i + 7].number;
    if (single)
        figure_say(figure, "A mark alone: one value.");
}

void make_boxes(const struct making *making, struct figure *figure)
{
    const size_t boards = add_boxes(making, figure, cost_of);
    bool any = false;
    for (size_t i = 0; i < figure->table.cell_count; i += figure->table.column_count)
        any = any || figure->table.cells[i + 2].number > 0;
    figure->x = figure_axis_of(&figure->table, 3, 7, metric_is_whole(making->metric));
    figure->x_label = metric_label(making->metric);
    figure->y_label = heap_text("");
    figure->title = heap_format("%s: %s", making->block->name, figure->x_label);
    if (boards < 2)
        figure_refuse(figure, "two boards are needed");
    else if (!any)
        figure_refuse(figure, "no run is solved");
    say_boards(figure, making->block, boards);
    figure_say(figure, "Boxes: quartiles; whiskers: minimum and maximum; an unsolved run is more "
                       "than any.");
    say_single(figure);
    figure_note_zeros(figure, &figure->x);
    say_unsolved(figure, making, false);
    say_sources(figure, making);
}

void add_steps(struct tidy *tidy, const char *series, struct profile steps)
{
    if (steps.count == 0) { /* it solved nothing */
        tidy_text(tidy, series);
        tidy_numbers(tidy, NAN, 0);
    }
    for (size_t i = 0; i < steps.count; i++) {
        tidy_text(tidy, series);
        tidy_numbers(tidy, steps.steps[i].ratio, steps.steps[i].share);
    }
    profile_end(&steps);
}

void end_shares(const struct making *making, struct figure *figure, const char *y_label)
{
    figure->y = (struct figure_axis){.zero_at = NAN};
    figure->y_label = heap_text(y_label);
    figure_note_zeros(figure, &figure->x);
    say_unsolved(figure, making, false);
    if (count_lines(figure) > MAX_LINES)
        figure_say(figure, "A panel for each solver.");
    say_sources(figure, making);
}
