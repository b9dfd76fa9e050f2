/* One function for each row of figure_rows; each fills a table and says what it shows, or says why
 * there is nothing to show. */
#include "harness/figures/figures.h"
#include "base/heap.h"
#include "harness/analysis/costs.h"
#include "harness/analysis/friedman.h"
#include "harness/analysis/profile.h"
#include "harness/analysis/statistics.h"
#include "harness/analysis/survival.h"
#include "harness/compare/heuristic_names.h"
#include "harness/figures/looks.h"
#include "harness/text/human.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct figure_row figure_rows[FIGURES] = {
    [FIGURE_BY_LENGTH] = {"by_length",
                          "the cost by optimal solution length: median and, of up to six solvers, "
                          "the quartiles",
                          true},
    [FIGURE_BOX] = {"box", "the cost of each solver: quartiles, minimum and maximum", true},
    [FIGURE_SCATTER] = {"scatter",
                        "the cost of each solver against the baseline's (-b), board by board, with "
                        "the diagonal and lines at a factor of 10",
                        true},
    [FIGURE_SOLVED_WITHIN] = {"solved_within", "the share of boards solved within a cost", true},
    [FIGURE_SURVIVAL] = {"survival",
                         "the share of boards still unsolved after a cost, by Kaplan and Meier; "
                         "ticks are runs that ended unsolved. Only where there are any",
                         true},
    [FIGURE_PROFILE] = {"profile",
                        "the share of boards solved within a factor of the minimum cost of all "
                        "solvers (Dolan and More)",
                        true},
    [FIGURE_RANKS] = {"ranks",
                      "average ranks with Nemenyi's critical difference; bars join what is not "
                      "told apart",
                      true},
    [FIGURE_QUALITY] = {"quality",
                        "solution length over optimal length; solvers that are always optimal are "
                        "named instead",
                        false},
    [FIGURE_PARETO] = {"pareto",
                       "length over optimal length against the cost, over the boards that all "
                       "solvers solved; the line joins the solvers that no other beats in both",
                       true},
    [FIGURE_MEMORY] = {"memory", "the maximum of nodes held at once (max_stored)", false},
    [FIGURE_HEURISTIC] = {"heuristic", "the heuristic at the start against the optimal length",
                          false},
    [FIGURE_ROUNDS] = {"rounds",
                       "the nodes of each round of searches that deepen, over the boards that were "
                       "solved: where a rounds.csv is beside runs.csv",
                       true},
    [FIGURE_COVER] = {"cover",
                      "expansions over what a search from both ends must expand: where rows have "
                      "a cover (measure: [cover])",
                      false},
};

/* What a figure is made from. */
struct making {
    const struct results *results;
    const struct block *block;
    enum metric metric;
    const bool *reported; /* by solver: that it reports the metric */
    size_t baseline;
    const struct round_counts *rounds;
    struct figures *figures; /* for the names of series */
};

static void PRINTF_LIKE(2, 3) refuse(struct figure *figure, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (vasprintf(&figure->missing, format, values) < 0)
        heap_exhausted();
    va_end(values);
}

static void PRINTF_LIKE(2, 3) say(struct figure *figure, const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0)
        heap_exhausted();
    va_end(values);
    heap_append(&figure->caption, "%s%s", figure->caption == NULL ? "" : " ", text);
    free(text);
}

const char *figures_add_series(struct figures *figures, const char *name, const char *shown,
                               const char *as)
{
    char *printable = text_printable(name);
    for (size_t i = 0; i < figures->series_count; i++)
        if (strcmp(figures->series[i].name, printable) == 0) {
            free(printable);
            return figures->series[i].name;
        }
    figures->series = heap_grow(figures->series, figures->series_count, sizeof(struct series));
    figures->series[figures->series_count++] =
        (struct series){printable, text_printable(shown), heap_text(as)};
    return printable;
}

static const char *solver_name(const struct making *making, size_t solver)
{
    const struct results *results = making->results;
    const char *name = results->solvers.text[solver];
    return figures_add_series(making->figures, name, results->shown[solver], name);
}

static void start_table(struct tidy *tidy, const char *const *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tidy_column(tidy, columns[i], "", "");
}

#define START_TABLE(tidy, ...)                                                                     \
    start_table(tidy, (const char *const[]){__VA_ARGS__},                                          \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void add_numbers(struct tidy *tidy, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tidy_number(tidy, numbers[i]);
}

#define ADD_NUMBERS(tidy, ...)                                                                     \
    add_numbers(tidy, (const double[]){__VA_ARGS__},                                               \
                sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* Boards on which something can be said of a solver: it tried them, and they can be solved. */
static bool tried(const struct making *making, size_t solver, size_t instance)
{
    return results_outcome(making->results, solver, instance)->attempts > 0 &&
           !making->results->known[instance].unsolvable;
}

/* By solver: whether it reports the metric of every board that it solved; else its quartiles would
 * be those of other boards. Heap memory. */
static bool *reported_by(const struct making *making)
{
    bool *reported = heap_take(making->results->solvers.count, sizeof *reported);
    for (size_t i = 0; i < making->results->solvers.count; i++)
        reported[i] =
            results_reported(making->results, making->block, i, making->metric) < REPORTED_PART;
    return reported;
}

/* The cost of a run: INFINITY if it is unsolved, NaN if there is no run or no value. */
static double cost_of(const struct making *making, size_t solver, size_t instance)
{
    const struct outcome *outcome = results_outcome(making->results, solver, instance);
    if (!tried(making, solver, instance) || !making->reported[solver])
        return NAN;
    return outcome->finished ? outcome->value[making->metric] : INFINITY;
}

/* The names of metrics on axes. */
static char *metric_label(enum metric metric)
{
    static const struct {
        enum metric metric;
        const char *label;
    } labels[] = {
        {METRIC_generated, "generated nodes"}, {METRIC_expanded, "expanded nodes"},
        {METRIC_wall_s, "wall time (s)"},      {METRIC_cpu_s, "processor time (s)"},
        {METRIC_length, "moves found"},        {METRIC_max_stored, "nodes held at once"},
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
        say(figure, "Zeros are drawn at %g.", axis->zero_at);
}

/* "n = 100 boards." */
static void say_boards(struct figure *figure, const struct block *block, size_t count)
{
    say(figure, "n = %s board%s%s.", human_count((double)count).text, plural(count),
        block->whole && count == block->count ? ", all that reach the goal" : "");
}

/* "Unsolved: lcbb(misplaced) 3 of 150." of the boards that have a place in the figure (`known`:
 * whose optimal length is known); and what nobody checked. */
static void say_unsolved(struct figure *figure, const struct making *making, bool known)
{
    char *text = NULL;
    size_t unverified = 0;
    size_t impossible = 0;
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t boards = 0;
        size_t unsolved = 0;
        for (size_t j = making->block->first; j < making->block->first + making->block->count;
             j++) {
            const struct outcome *outcome = results_outcome(making->results, i, j);
            if (!tried(making, i, j) || (known && making->results->known[j].optimal < 0))
                continue;
            boards++;
            unsolved += !outcome->finished;
            unverified += outcome->finished && outcome->unverified > 0;
            impossible +=
                metric_is_counted(making->metric) && outcome->finished && outcome->impossible > 0;
        }
        if (unsolved > 0)
            heap_append(&text, "%s%s %zu of %zu", text == NULL ? "" : ", ",
                        making->results->shown[i], unsolved, boards);
    }
    if (text != NULL)
        say(figure, "Unsolved: %s.", text);
    if (unverified > 0)
        say(figure, "Solved by their own account alone: %zu.", unverified);
    if (impossible > 0)
        say(figure, "With counters that no search can count: %zu.", impossible);
    free(text);
}

/* Whose metric is not there, and whose times and bytes are of something else. */
static void say_sources(struct figure *figure, const struct making *making)
{
    const bool differs = metric_is_time(making->metric) || making->metric == METRIC_peak_bytes;
    char *left_out = results_left_out(making->results, making->block, making->metric);
    char *measured = differs ? results_measured(making->results, making->block) : NULL;
    if (left_out != NULL)
        say(figure, "%s", left_out);
    if (measured != NULL)
        say(figure, "%s.", measured);
    free(measured);
    free(left_out);
}

/* Points by x, in groups of one x. */
struct point {
    double x, y;
};

static int by_x(const void *a, const void *b)
{
    const struct point *p = a;
    const struct point *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

/* Adds a row for each x: the series, x, how many points and how many are finite, the quartiles of
 * y. */
static void add_bands(struct tidy *tidy, const char *series, struct point *points, size_t count)
{
    double *values = heap_take(count, sizeof *values);
    qsort(points, count, sizeof *points, by_x);
    for (size_t start = 0, end; start < count; start = end) {
        double solved = 0;
        for (end = start; end < count && points[end].x == points[start].x; end++) {
            values[end - start] = points[end].y;
            solved += isfinite(points[end].y);
        }
        const struct quartiles quartiles = quartiles_of(values, end - start);
        tidy_text(tidy, series);
        ADD_NUMBERS(tidy, points[start].x, (double)(end - start), solved, quartiles.lower,
                    quartiles.median, quartiles.upper);
    }
    free(values);
}

/* Whether the medians of the bands have at least two different x. */
static bool is_line(const struct tidy *tidy)
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

/* More bands than that hide one another, and so do more lines. */
enum { MAX_BANDS = 6, MAX_LINES = 12 };

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

static void say_bands(struct figure *figure)
{
    bool wide = false;
    for (size_t row = 0; row < figure->table.cell_count; row += figure->table.column_count)
        wide = wide || figure->table.cells[row + 4].number < figure->table.cells[row + 6].number;
    figure->bands = count_lines(figure) <= MAX_BANDS && wide;
    say(figure, figure->bands ? "Lines: medians; bands: quartiles." : "Lines: medians.");
    if (figure->panels)
        say(figure, "A panel for each; grey: the others.");
}

/* How many boards of the block have a known optimal length and can be solved. */
static size_t boards_with_length(const struct making *making)
{
    size_t count = 0;
    for (size_t i = making->block->first; i < making->block->first + making->block->count; i++)
        count += making->results->known[i].optimal >= 0 && !making->results->known[i].unsolvable;
    return count;
}

static void say_lengths(struct figure *figure, const struct making *making)
{
    const size_t known = boards_with_length(making);
    say_boards(figure, making->block, known);
    if (known < making->block->count)
        say(figure, "Left out: %zu whose optimal length is not known or that cannot be solved.",
            making->block->count - known);
}

/* Explains the marks of lengths of which some boards are unsolved. Panels have no room for a word
 * at the line on which unsolved medians lie. */
static void say_hollow(struct figure *figure)
{
    bool some = false;
    bool half = false;
    for (size_t row = 0; row < figure->table.cell_count; row += figure->table.column_count) {
        const struct tidy_cell *cells = &figure->table.cells[row];
        some = some || cells[3].number < cells[2].number;
        half = half || isinf(cells[5].number);
    }
    if (some)
        say(figure,
            "Hollow: some boards of that length are unsolved, which is more than any "
            "cost.%s",
            half && figure->panels ? " On the dotted line: unsolved." : "");
}

static void make_by_length(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    struct point *points = heap_take(block->count, sizeof *points);
    START_TABLE(&figure->table, "solver", "length", "boards", "solved", "lower", "median", "upper");
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            const long optimal = making->results->known[j].optimal;
            const double cost = cost_of(making, i, j);
            if (optimal >= 0 && !isnan(cost))
                points[count++] = (struct point){(double)optimal, cost};
        }
        if (count > 0)
            add_bands(&figure->table, solver_name(making, i), points, count);
    }
    free(points);
    if (boards_with_length(making) == 0)
        refuse(figure, "no optimal length is known");
    else if (!is_line(&figure->table))
        refuse(figure, "solved boards of two optimal lengths are needed");
    figure->x = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_text("optimal solution length (moves)");
    figure->y = figure_axis_of(&figure->table, 4, 6, !metric_is_time(making->metric));
    figure->y_label = metric_label(making->metric);
    figure->title = heap_format("%s: %s by solution length", block->name, figure->y_label);
    say_lengths(figure, making);
    say_bands(figure);
    say_hollow(figure);
    figure_note_zeros(figure, &figure->y);
    say_unsolved(figure, making, true);
    say_sources(figure, making);
}

/* A row of a figure of boxes: `count` values of the boards that were tried. */
static void add_box(struct tidy *tidy, const char *series, size_t boards, double *values,
                    size_t count)
{
    double solved = 0;
    for (size_t i = 0; i < count; i++)
        solved += isfinite(values[i]);
    const struct quartiles quartiles = quartiles_of(values, count);
    tidy_text(tidy, series);
    ADD_NUMBERS(tidy, (double)boards, solved, quartiles.min, quartiles.lower, quartiles.median,
                quartiles.upper, quartiles.max);
}

static void make_box(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    double *values = heap_take(block->count, sizeof *values);
    size_t boards = 0;
    START_TABLE(&figure->table, "solver", "boards", "solved", "min", "lower", "median", "upper",
                "max");
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            values[count] = cost_of(making, i, j);
            count += isnan(values[count]) ? 0 : 1;
        }
        boards = count > boards ? count : boards;
        if (count > 0)
            add_box(&figure->table, solver_name(making, i), count, values, count);
    }
    free(values);
    figure->x = figure_axis_of(&figure->table, 3, 7, !metric_is_time(making->metric));
    figure->x_label = metric_label(making->metric);
    figure->y_label = heap_text("");
    figure->title = heap_format("%s: %s", block->name, figure->x_label);
    bool any = false;
    for (size_t i = 0; i < figure->table.cell_count; i += figure->table.column_count)
        any = any || figure->table.cells[i + 2].number > 0;
    if (boards < 2)
        refuse(figure, "two boards are needed");
    else if (!any)
        refuse(figure, "no run is solved");
    say_boards(figure, block, boards);
    say(figure, "Boxes: quartiles; whiskers: minimum and maximum; an unsolved run is more than "
                "any.");
    figure_note_zeros(figure, &figure->x);
    say_unsolved(figure, making, false);
    say_sources(figure, making);
}

static void make_memory(const struct making *making, struct figure *figure)
{
    struct making own = *making;
    own.metric = METRIC_max_stored;
    bool *reported = reported_by(&own);
    own.reported = reported;
    make_box(&own, figure);
    free(reported);
}

static void make_quality(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    double *values = heap_take(block->count, sizeof *values);
    char *shortest = NULL;
    size_t boards = 0;
    START_TABLE(&figure->table, "solver", "boards", "solved", "min", "lower", "median", "upper",
                "max");
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        size_t attempted = 0;
        bool longer = false;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            const struct outcome *outcome = results_outcome(making->results, i, j);
            const double optimal = (double)making->results->known[j].optimal;
            attempted += tried(making, i, j) && optimal > 0;
            if (!tried(making, i, j) || !outcome->finished || optimal <= 0 ||
                isnan(outcome->value[METRIC_length]))
                continue;
            values[count] = outcome->value[METRIC_length] / optimal;
            longer = longer || values[count] > 1;
            count++;
        }
        boards = count > boards ? count : boards;
        if (longer)
            add_box(&figure->table, solver_name(making, i), attempted, values, count);
        else if (count > 0)
            heap_append(&shortest, "%s%s", shortest == NULL ? "" : ", ", making->results->shown[i]);
    }
    free(values);
    figure->x = figure_axis_of(&figure->table, 3, 7, false);
    figure->x_label = heap_text("solution length / optimal length");
    figure->y_label = heap_text("");
    figure->title = heap_format("%s: solution quality", block->name);
    if (boards < 2)
        refuse(figure, "two solved boards of known optimal length are needed");
    else if (figure->table.cell_count == 0)
        refuse(figure, "every solution is a shortest one");
    say_boards(figure, block, boards);
    say(figure, "Solved boards alone. Boxes: quartiles; whiskers: minimum and maximum.");
    if (shortest != NULL)
        say(figure, "Always a shortest solution: %s.", shortest);
    free(shortest);
    say_unsolved(figure, making, true);
}

/* A solver's place in the plane of cost and length. */
struct trade {
    size_t solver;
    double cost;  /* the geometric mean */
    double ratio; /* the mean of length over optimal length */
};

/* Whether all of these solvers solved a board, whose optimal length is known, with a cost that has
 * a logarithm. */
static bool is_shared(const struct making *making, const struct trade *trades, size_t count,
                      size_t instance)
{
    if (making->results->known[instance].optimal <= 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        const size_t solver = trades[i].solver;
        const struct outcome *outcome = results_outcome(making->results, solver, instance);
        const double cost = cost_of(making, solver, instance);
        if (!(cost > 0 && isfinite(cost)) || isnan(outcome->value[METRIC_length]))
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

static void make_pareto(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    const struct results *results = making->results;
    struct trade *trades = heap_take(results->solvers.count, sizeof *trades);
    bool *reported = reported_by(making);
    size_t count = 0;
    size_t boards = 0;
    const struct trade *corner = NULL; /* the first on the front */
    bool line = false;
    bool longer = false;
    START_TABLE(&figure->table, "solver", "boards", "cost", "ratio", "efficient");
    for (size_t i = 0; i < results->solvers.count; i++)
        if (reported[i] && results_tried(results, block, i))
            trades[count++].solver = i;
    free(reported);
    for (size_t j = block->first; j < block->first + block->count; j++) {
        if (!is_shared(making, trades, count, j))
            continue;
        boards++;
        for (size_t i = 0; i < count; i++) {
            const struct outcome *outcome = results_outcome(results, trades[i].solver, j);
            trades[i].cost += log(cost_of(making, trades[i].solver, j));
            trades[i].ratio += outcome->value[METRIC_length] / (double)results->known[j].optimal;
        }
    }
    for (size_t i = 0; i < count && boards > 0; i++) {
        trades[i].cost = exp(trades[i].cost / (double)boards);
        trades[i].ratio /= (double)boards;
        longer = longer || trades[i].ratio > 1;
    }
    for (size_t i = 0; i < count; i++) {
        const bool efficient = is_efficient(trades, count, i);
        if (efficient && corner == NULL)
            corner = &trades[i];
        line = line || (efficient && trades[i].cost != corner->cost);
        tidy_text(&figure->table, solver_name(making, trades[i].solver));
        ADD_NUMBERS(&figure->table, (double)boards, trades[i].cost, trades[i].ratio,
                    (double)efficient);
    }
    free(trades);
    figure->x = figure_axis_of(&figure->table, 2, 2, false);
    char *label = metric_label(making->metric);
    figure->x_label = heap_format("%s, geometric mean", label);
    figure->y = figure_axis_of(&figure->table, 3, 3, false);
    figure->y_label = heap_text("solution length / optimal length, mean");
    figure->title = heap_format("%s: length of solutions against %s", block->name, label);
    free(label);
    if (making->metric == METRIC_length)
        refuse(figure, "the cost is the length itself");
    else if (count < 3)
        refuse(figure, "three solvers are needed");
    else if (boards < 2)
        refuse(figure, "two boards of known optimal length that all solvers solved are needed");
    else if (!longer)
        refuse(figure, "every solution is a shortest one");
    say_boards(figure, block, boards);
    if (boards < block->count)
        say(figure,
            "Left out: %zu that not all solvers solved, or whose optimal length is 0 or not "
            "known.",
            block->count - boards);
    say(figure, line ? "Line: the Pareto front. No other solver costs less and is nearer to the "
                       "optimum than one on it."
                     : "No line: what costs the least is nearest to the optimum, too.");
}

/* The costs of a figure over the boards that all solvers tried; refuses if there are too few boards
 * or solvers. */
static struct costs shared_costs(const struct making *making, struct figure *figure, size_t solvers)
{
    struct costs costs = costs_of(making->results, making->block, making->metric);
    bool solved = false;
    for (size_t i = 0; i < costs.count * costs.instances; i++)
        solved = solved || !costs.censored[i];
    if (costs.count < solvers)
        refuse(figure, "%zu solvers are needed", solvers);
    else if (costs.instances < 2)
        refuse(figure, "two boards that all solvers tried are needed");
    else if (!solved)
        refuse(figure, "no run is solved");
    say_boards(figure, making->block, costs.instances);
    if (costs.instances < making->block->count)
        say(figure, "Left out: %zu that not all solvers tried, or that cannot be solved.",
            making->block->count - costs.instances);
    return costs;
}

/* Refuses a figure of which unsolved runs would be part, where they say nothing of the metric. */
static void refuse_unknown(const struct making *making, struct figure *figure,
                           const struct costs *costs)
{
    if (figure->missing == NULL && !metric_rises(making->metric) && costs_unsolved(costs))
        refuse(figure, "unsolved runs have no bound of %s", metric_column(making->metric)->name);
}

static void make_solved_within(const struct making *making, struct figure *figure)
{
    struct costs costs = shared_costs(making, figure, 1);
    START_TABLE(&figure->table, "solver", "cost", "share");
    for (size_t i = 0; i < costs.count; i++) {
        /* The costs themselves instead of their ratios: the steps are the shares within them. */
        struct profile steps = profile_of(costs.cost + i * costs.instances, costs.instances);
        const char *solver = solver_name(making, costs.solvers[i]);
        if (steps.count == 0) { /* it solved nothing */
            tidy_text(&figure->table, solver);
            ADD_NUMBERS(&figure->table, NAN, 0);
        }
        for (size_t j = 0; j < steps.count; j++) {
            tidy_text(&figure->table, solver);
            ADD_NUMBERS(&figure->table, steps.steps[j].ratio, steps.steps[j].share);
        }
        profile_end(&steps);
    }
    costs_end(&costs);
    figure->x = figure_axis_of(&figure->table, 1, 1, !metric_is_time(making->metric));
    figure->x_label = metric_label(making->metric);
    figure->y = (struct figure_axis){.zero_at = NAN};
    figure->y_label = heap_text("share of boards solved");
    figure->title = heap_format("%s: boards solved within a cost", making->block->name);
    figure_note_zeros(figure, &figure->x);
    say_unsolved(figure, making, false);
    if (count_lines(figure) > MAX_LINES)
        say(figure, "A panel for each solver.");
    say_sources(figure, making);
}

static void make_survival(const struct making *making, struct figure *figure)
{
    struct costs costs = shared_costs(making, figure, 1);
    refuse_unknown(making, figure, &costs);
    bool censored = false;
    START_TABLE(&figure->table, "solver", "cost", "unsolved", "at_risk", "solved", "censored");
    for (size_t i = 0; i < costs.count; i++) {
        const size_t first = i * costs.instances;
        struct survival curve =
            survival_of(costs.spent + first, costs.censored + first, costs.instances);
        const char *solver = solver_name(making, costs.solvers[i]);
        for (size_t j = 0; j < curve.count; j++) {
            const struct survival_step *step = &curve.steps[j];
            tidy_text(&figure->table, solver);
            ADD_NUMBERS(&figure->table, step->cost, step->unsolved, (double)step->at_risk,
                        (double)step->solved, (double)step->censored);
            censored = censored || step->censored > 0;
        }
        survival_end(&curve);
    }
    costs_end(&costs);
    if (figure->missing == NULL && !censored)
        refuse(figure, "every run is solved, so that solved_within says the same");
    figure->x = figure_axis_of(&figure->table, 1, 1, !metric_is_time(making->metric));
    figure->x_label = metric_label(making->metric);
    figure->y = (struct figure_axis){.zero_at = NAN};
    figure->y_label = heap_text("share of boards unsolved");
    figure->title = heap_format("%s: boards still unsolved (Kaplan-Meier)", making->block->name);
    say(figure, "Ticks: runs that ended unsolved there.");
    figure_note_zeros(figure, &figure->x);
    say_unsolved(figure, making, false);
    if (count_lines(figure) > MAX_LINES)
        say(figure, "A panel for each solver.");
    say_sources(figure, making);
}

static void make_profile(const struct making *making, struct figure *figure)
{
    struct costs costs = shared_costs(making, figure, 2);
    double *ratios = heap_take(costs.count * costs.instances, sizeof *ratios);
    performance_ratios(costs.cost, costs.count, costs.instances, ratios);
    START_TABLE(&figure->table, "solver", "ratio", "share");
    for (size_t i = 0; i < costs.count; i++) {
        struct profile profile = profile_of(ratios + i * costs.instances, costs.instances);
        const char *solver = solver_name(making, costs.solvers[i]);
        if (profile.count == 0) { /* it solved nothing */
            tidy_text(&figure->table, solver);
            ADD_NUMBERS(&figure->table, NAN, 0);
        }
        for (size_t j = 0; j < profile.count; j++) {
            tidy_text(&figure->table, solver);
            ADD_NUMBERS(&figure->table, profile.steps[j].ratio, profile.steps[j].share);
        }
        profile_end(&profile);
    }
    free(ratios);
    costs_end(&costs);
    char *label = metric_label(making->metric);
    figure->x = figure_axis_of(&figure->table, 1, 1, false);
    figure->x_label = heap_format("%s, times the minimum of all solvers", label);
    figure->y = (struct figure_axis){.zero_at = NAN};
    figure->y_label = heap_text("share of boards solved");
    figure->title = heap_format("%s: performance profile", making->block->name);
    free(label);
    say_unsolved(figure, making, false);
    if (count_lines(figure) > MAX_LINES)
        say(figure, "A panel for each solver.");
    say_sources(figure, making);
}

/* A solver and its rank. */
struct ranked {
    size_t solver;
    double rank;
};

static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a;
    const struct ranked *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->solver > y->solver) - (x->solver < y->solver);
}

static void make_ranks(const struct making *making, struct figure *figure)
{
    struct costs costs = shared_costs(making, figure, 3);
    refuse_unknown(making, figure, &costs);
    const bool population = making->block->whole && costs.instances == making->block->count;
    double *ranks = heap_take(costs.count, sizeof *ranks);
    struct ranked *order = heap_take(costs.count, sizeof *order);
    friedman_test(costs.cost, costs.count, costs.instances, ranks);
    const double difference =
        population ? 0 : critical_difference(costs.count, costs.instances, 0.05);
    for (size_t i = 0; i < costs.count; i++)
        order[i] = (struct ranked){costs.solvers[i], ranks[i]};
    qsort(order, costs.count, sizeof *order, by_rank);
    START_TABLE(&figure->table, "solver", "rank", "alike_up_to", "critical_difference");
    double drawn = -INFINITY; /* the end of the previous bar: one within it adds nothing */
    bool bars = false;
    for (size_t i = 0; i < costs.count; i++) {
        size_t last = i;
        while (last + 1 < costs.count && order[last + 1].rank - order[i].rank <= difference)
            last++;
        const bool bar = !population && last > i && order[last].rank > drawn;
        tidy_text(&figure->table, solver_name(making, order[i].solver));
        ADD_NUMBERS(&figure->table, order[i].rank, bar ? order[last].rank : NAN,
                    population ? NAN : difference);
        drawn = bar ? order[last].rank : drawn;
        bars = bars || bar;
    }
    free(order);
    free(ranks);
    char *label = metric_label(making->metric);
    figure->x = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_format("average rank by %s (1: best)", label);
    figure->y_label = heap_text("");
    figure->title = heap_format("%s: average ranks", making->block->name);
    free(label);
    if (population)
        say(figure, "They are all boards, so that every difference is real.");
    else
        say(figure, "CD: Nemenyi's critical difference at 5 %%, %.3g; %s.", difference,
            bars ? "ranks that a bar joins are not told apart" : "all ranks are told apart");
    costs_end(&costs);
    say_unsolved(figure, making, false);
    say_sources(figure, making);
}

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

static void add_scatter_row(struct tidy *tidy, const struct making *making, size_t instance,
                            size_t solver, size_t baseline)
{
    const struct results *results = making->results;
    const size_t solvers[] = {baseline, solver};
    char *name = results_instance(results, instance);
    tidy_text(tidy, solver_name(making, solver));
    tidy_text(tidy, solver_name(making, baseline));
    tidy_text(tidy, name);
    for (size_t i = 0; i < 2; i++) {
        const struct outcome *outcome = results_outcome(results, solvers[i], instance);
        tidy_number(tidy, cost_of(making, solvers[i], instance));
        tidy_text(tidy, status_rows[outcome->status].name);
        tidy_text(tidy, results->run_ids.text[outcome->run]);
    }
    free(name);
}

/* More points in a panel would hide one another and make the file too large for viewers. */
enum { SCATTER_BOARDS = 2000 };

/* Costs that lie further apart than that have lines at this factor either way. */
enum { FACTOR = 10 };

static void make_scatter(const struct making *making, struct figure *figure)
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
    START_TABLE(&figure->table, "solver", "baseline", "instance", "baseline_cost",
                "baseline_status", "baseline_run_id", "cost", "status", "run_id");
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
    char *label = metric_label(making->metric);
    figure->x = figure->y = figure_axis_of(&figure->table, 3, 6, !metric_is_time(making->metric));
    figure->x_label = heap_format("%s by %s", label, making->results->shown[baseline]);
    figure->y_label = heap_text(label);
    figure->title = heap_format("%s: %s, board by board", block->name, label);
    free(label);
    if (panels == 0)
        refuse(figure, "2 solvers of the same boards are needed");
    else if (max_count < 2)
        refuse(figure, "two boards are needed");
    else if (!both)
        refuse(figure, "no board is solved by the baseline and another solver");
    say_boards(figure, block, max_count);
    if (step > 1)
        say(figure, "One board of %zu in the block's order is drawn.", step);
    say(figure, "A point is a board; above the diagonal %s needs less.%s%s",
        making->results->shown[baseline],
        largest >= FACTOR * smallest ? " Dashed: a factor of 10 either way." : "",
        unsolved ? " In the margins: unsolved." : "");
    figure_note_zeros(figure, &figure->x);
    say_unsolved(figure, making, false);
    say_sources(figure, making);
}

static bool is_series(const struct tidy *tidy, const char *series)
{
    for (size_t i = 0; i < tidy->cell_count; i += tidy->column_count)
        if (strcmp(tidy->cells[i].text, series) == 0)
            return true;
    return false;
}

static void make_heuristic(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    struct point *points = heap_take(block->count, sizeof *points);
    START_TABLE(&figure->table, "heuristic", "length", "boards", "known", "lower", "median",
                "upper");
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            const struct known_instance *known = &making->results->known[j];
            const double h = results_outcome(making->results, i, j)->h_start;
            if (known->optimal >= 0 && !known->unsolvable && !isnan(h))
                points[count++] = (struct point){(double)known->optimal, h};
        }
        char *astar = astar_with_its_heuristic(making->results->solvers.text[i]);
        char *heuristic = heuristic_of(astar);
        const bool its_own = strcmp(heuristic, making->results->solvers.text[i]) == 0;
        if (count > 0 && !is_series(&figure->table, heuristic))
            add_bands(&figure->table,
                      its_own ? solver_name(making, i)
                              : figures_add_series(making->figures, heuristic, heuristic, astar),
                      points, count);
        free(heuristic);
        free(astar);
    }
    free(points);
    if (figure->table.cell_count == 0)
        refuse(figure, "no heuristic's value is known where an optimal length is");
    else if (!is_line(&figure->table))
        refuse(figure, "boards of two optimal lengths are needed");
    figure->x = figure->y = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_text("optimal solution length (moves)");
    figure->y_label = heap_text("heuristic at the start (moves)");
    figure->title = heap_format("%s: heuristics and true distances", block->name);
    say_lengths(figure, making);
    say_bands(figure);
    say(figure, "Dotted: a perfect heuristic.");
}

/* Writes what the rounds of a solver cost on the boards of the block that it solved, each once, and
 * marks those boards. Returns how many rounds. */
static size_t rounds_of(const struct making *making, size_t solver, struct point *points,
                        bool *boards)
{
    const struct block *block = making->block;
    size_t count = 0;
    for (size_t i = 0; i < making->rounds->count; i++) {
        const struct round_count *row = &making->rounds->rows[i];
        const struct run_row *run = &making->results->runs[row->run];
        const struct outcome *outcome = results_outcome(making->results, solver, run->instance);
        if (run->solver != solver || run->instance - block->first >= block->count ||
            outcome->run != row->run || !outcome->finished)
            continue;
        boards[run->instance - block->first] = true;
        points[count++] = (struct point){
            row->round, making->metric == METRIC_generated ? row->generated : row->expanded};
    }
    return count;
}

static void make_rounds(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    const size_t known = making->rounds == NULL ? 0 : making->rounds->count;
    const bool counted = making->metric == METRIC_generated || making->metric == METRIC_expanded;
    struct point *points = heap_take(known, sizeof *points);
    bool *boards = heap_take(block->count, sizeof *boards);
    START_TABLE(&figure->table, "solver", "round", "boards", "solved", "lower", "median", "upper");
    for (size_t i = 0; known > 0 && counted && i < making->results->solvers.count; i++) {
        const size_t count = rounds_of(making, i, points, boards);
        if (count > 0)
            add_bands(&figure->table, solver_name(making, i), points, count);
    }
    size_t shown = 0;
    for (size_t i = 0; i < block->count; i++)
        shown += boards[i];
    free(boards);
    free(points);
    if (known == 0)
        refuse(figure, "there is no rounds.csv");
    else if (!counted)
        refuse(figure, "rounds have generated and expanded alone");
    else if (!is_line(&figure->table))
        refuse(figure, "two rounds are needed");
    figure->x = (struct figure_axis){.whole = true, .zero_at = NAN};
    figure->x_label = heap_text("round");
    figure->y = figure_axis_of(&figure->table, 4, 6, true);
    figure->y_label = metric_label(making->metric);
    figure->title = heap_format("%s: %s by round", block->name, figure->y_label);
    say_boards(figure, block, shown);
    say_bands(figure);
    say(figure, "Solved boards alone, as far as they have rounds; the last one ends at the goal.");
    figure_note_zeros(figure, &figure->y);
}

bool figures_know_covers(const struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (!isnan(results->runs[i].cover))
            return true;
    return false;
}

/* Boards of cover 0, on which the heuristic is perfect, have no ratio. */
static void make_cover(const struct making *making, struct figure *figure)
{
    const struct block *block = making->block;
    double *values = heap_take(block->count, sizeof *values);
    size_t boards = 0, perfect = 0;
    START_TABLE(&figure->table, "solver", "boards", "solved", "min", "lower", "median", "upper",
                "max");
    for (size_t i = 0; i < making->results->solvers.count; i++) {
        size_t count = 0;
        for (size_t j = block->first; j < block->first + block->count; j++) {
            const struct outcome *outcome = results_outcome(making->results, i, j);
            if (!tried(making, i, j))
                continue;
            const double cover = making->results->runs[outcome->run].cover;
            perfect += cover <= 0;
            if (cover > 0)
                values[count++] =
                    outcome->finished ? outcome->value[METRIC_expanded] / cover : INFINITY;
        }
        boards = count > boards ? count : boards;
        if (count > 0)
            add_box(&figure->table, solver_name(making, i), count, values, count);
    }
    free(values);
    figure->x = figure_axis_of(&figure->table, 3, 7, false);
    figure->x_label = heap_text("expanded / minimum vertex cover");
    figure->y_label = heap_text("");
    figure->title =
        heap_format("%s: expansions over the bound of searches from both ends", block->name);
    if (!figures_know_covers(making->results))
        refuse(figure, "no row has a cover; the experiment does not say measure: [cover]");
    else if (boards < 2)
        refuse(figure, "two boards with a cover above 0 are needed");
    say_boards(figure, block, boards);
    say(figure,
        "Each board's expansions over the cover of its heuristic, which no search from both "
        "ends that compares nodes by f and g alone can be below. Boxes: quartiles; "
        "whiskers: minimum and maximum; an unsolved run is more than any.");
    if (perfect > 0)
        say(figure, "Boards of cover 0 are left out.");
    say_unsolved(figure, making, false);
}

static void (*const makers[FIGURES])(const struct making *making, struct figure *figure) = {
    [FIGURE_BY_LENGTH] = make_by_length, [FIGURE_BOX] = make_box,
    [FIGURE_SCATTER] = make_scatter,     [FIGURE_SOLVED_WITHIN] = make_solved_within,
    [FIGURE_SURVIVAL] = make_survival,   [FIGURE_PROFILE] = make_profile,
    [FIGURE_RANKS] = make_ranks,         [FIGURE_QUALITY] = make_quality,
    [FIGURE_PARETO] = make_pareto,       [FIGURE_MEMORY] = make_memory,
    [FIGURE_HEURISTIC] = make_heuristic, [FIGURE_ROUNDS] = make_rounds,
    [FIGURE_COVER] = make_cover,
};

/* Text as part of a file's name: other characters than letters, digits, dots and dashes are '_'. */
static char *file_part(const char *text)
{
    char *part = heap_text(text);
    for (char *at = part; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && strchr("-_.", *at) == NULL)
            *at = '_';
    return part;
}

static bool is_named(const struct figures *figures, const char *name)
{
    for (size_t i = 0; i < figures->count; i++)
        if (strcmp(figures->figures[i].name, name) == 0)
            return true;
    return false;
}

/* FIGURE[-METRIC]-SET-WxH; with a number at the end if two sets would have the same name. Heap
 * memory, free(). */
static char *figure_name_of(const struct figures *figures, const struct making *making,
                            const struct figure_row *row)
{
    const struct block *block = making->block;
    char *set = file_part(block->set);
    char *size = block->width > 0 ? heap_format("-%ldx%ld", block->width, block->height)
                                  : heap_text("all-sets");
    char *first = heap_format("%s%s%s-%s%s", row->name, row->of_metric ? "-" : "",
                              row->of_metric ? metric_column(making->metric)->name : "", set, size);
    char *name = heap_text(first);
    for (unsigned number = 2; is_named(figures, name); number++) {
        free(name);
        name = heap_format("%s-%u", first, number);
    }
    free(first);
    free(size);
    free(set);
    return name;
}

static void make(struct figures *figures, const struct making *making, enum figure_name kind)
{
    struct making own = *making;
    bool *reported = reported_by(making);
    own.reported = reported;
    struct figure figure = {
        .kind = figure_rows[kind].name,
        .block = making->block,
        .name = figure_name_of(figures, making, &figure_rows[kind]),
    };
    makers[kind](&own, &figure);
    free(reported);
    figures->figures = heap_grow(figures->figures, figures->count, sizeof figure);
    figures->figures[figures->count++] = figure;
}

struct figures figures_of(const struct results *results, const struct figures_options *options)
{
    struct figures figures = {0};
    for (size_t i = 0; i < results->block_count; i++) {
        struct making making = {.results = results,
                                .block = &results->blocks[i],
                                .baseline = options->baseline,
                                .rounds = options->rounds,
                                .figures = &figures};
        for (unsigned kind = 0; kind < FIGURES; kind++) {
            if (!options->wanted[kind])
                continue;
            for (unsigned metric = 0; metric < METRICS; metric++) {
                making.metric = (enum metric)metric;
                if (figure_rows[kind].of_metric ? options->metric[metric] : metric == 0)
                    make(&figures, &making, (enum figure_name)kind);
            }
        }
    }
    return figures;
}

/* Texts come from files and labels: what is not UTF-8 is '?'. */
static json_t *text_json(const char *text)
{
    char *shown = text_printable(text);
    json_t *json = json_string(shown);
    free(shown);
    return json;
}

static json_t *axis_json(const struct figure_axis *axis, const char *label)
{
    json_t *json = json_object();
    json_object_set_new(json, "label", text_json(label));
    json_object_set_new(json, "log", json_boolean(axis->log));
    json_object_set_new(json, "whole", json_boolean(axis->whole));
    json_object_set_new(json, "zero_at",
                        isnan(axis->zero_at) ? json_null() : json_real(axis->zero_at));
    return json;
}

static json_t *figure_json(const struct figure *figure)
{
    json_t *json = json_object();
    json_object_set_new(json, "name", text_json(figure->name));
    json_object_set_new(json, "kind", json_string(figure->kind));
    json_object_set_new(json, "title", text_json(figure->title));
    json_object_set_new(json, "caption", text_json(figure->caption));
    json_object_set_new(json, "x", axis_json(&figure->x, figure->x_label));
    json_object_set_new(json, "y", axis_json(&figure->y, figure->y_label));
    json_object_set_new(json, "bands", json_boolean(figure->bands));
    json_object_set_new(json, "panels", json_boolean(figure->panels));
    json_object_set_new(json, "rows", tidy_json(&figure->table));
    return json;
}

static json_t *series_json(const struct figures *figures)
{
    json_t *json = json_object();
    struct names as = {0};
    for (size_t i = 0; i < figures->series_count; i++)
        names_add(&as, figures->series[i].as);
    struct look *looks = heap_take(as.count, sizeof *looks);
    looks_of((const char *const *)as.text, as.count, looks);
    for (size_t i = 0; i < figures->series_count; i++) {
        const struct series *series = &figures->series[i];
        const struct look *look = &looks[names_find(&as, series->as)];
        json_object_set_new(json, series->name,
                            json_pack("{s:s, s:s, s:s, s:s}", "label", series->shown, "colour",
                                      look->colour, "mark", look->mark, "dashes", look->dashes));
    }
    free(looks);
    names_end(&as);
    return json;
}

json_t *figures_json(const struct figures *figures)
{
    json_t *list = json_array();
    for (size_t i = 0; i < figures->count; i++)
        if (figures->figures[i].missing == NULL)
            json_array_append_new(list, figure_json(&figures->figures[i]));
    json_t *json = json_object();
    json_object_set_new(json, "series", series_json(figures));
    json_object_set_new(json, "figures", list);
    return json;
}

void figures_end(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        struct figure *figure = &figures->figures[i];
        free(figure->name);
        free(figure->title);
        free(figure->caption);
        free(figure->missing);
        free(figure->x_label);
        free(figure->y_label);
        tidy_end(&figure->table);
    }
    for (size_t i = 0; i < figures->series_count; i++) {
        free(figures->series[i].name);
        free(figures->series[i].shown);
        free(figures->series[i].as);
    }
    free(figures->figures);
    free(figures->series);
    *figures = (struct figures){0};
}
