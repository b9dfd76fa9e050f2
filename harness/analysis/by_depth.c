/* The instances by their row first, then each row's values of each solver and metric. */
#include "harness/analysis/by_depth.h"
#include "base/heap.h"
#include "harness/analysis/threads.h"
#include "harness/text/sorting.h"

ORDER_BY(compare_rows, struct depth_row, ORDER(x->width * x->height, y->width * y->height),
         BY(width), BY(model), BY(from));

static bool has_row(const struct results *results, size_t instance)
{
    return !isnan(optimum_of(&results->known[instance])) && !results->known[instance].unsolvable;
}

/* The number of a cost's bin; a cost at its beginning is in it, whatever rounding does. */
static double bin_number(double cost, double width)
{
    return floor(cost / width + 1e-9);
}

/* Where the bin of that width begins that holds a cost. */
static double bin_from(double cost, double width)
{
    const double bin = bin_number(cost, width);
    return width < 1 ? bin / round(1 / width) : bin * width;
}

enum { MAX_BINS = 12 };

static double bin_width(double min, double max)
{
    static const double steps[] = {1, 2, 5};
    double width = 1;
    for (int power = -9; power < 15; power++)
        for (int i = 0; i < 3; i++) {
            width = steps[i] * pow(10, power);
            if (bin_number(max, width) - bin_number(min, width) < MAX_BINS)
                return width;
        }
    return width;
}

/* The bins of optimal costs of a block's boards that have the shape and model of one: they begin at
 * multiples of their width, which is 1, 2 or 5 times a power of ten, so that there are at most
 * MAX_BINS. */
static double bin_width_of(const struct results *results, const struct block *block,
                           const struct known_instance *like)
{
    double min = INFINITY;
    double max = 0;
    for (size_t i = block->first; i < block->first + block->count; i++) {
        const struct known_instance *known = &results->known[i];
        if (!has_row(results, i) || known->model != like->model ||
            !shape_equal(known->start.shape, like->start.shape))
            continue;
        min = fmin(min, optimum_of(known));
        max = fmax(max, optimum_of(known));
    }
    return bin_width(min, max);
}

struct optimum_places optimum_places_of(const struct results *results, const struct block *block)
{
    const struct known_instance *first = &results->known[block->first];
    return (struct optimum_places){block->model,
                                   is_priced(first) ? bin_width_of(results, block, first) : 0};
}

double optimum_place(const struct optimum_places *places, const struct known_instance *known)
{
    const double optimum = known->model == places->model ? optimum_of(known) : NAN;
    return is_priced(known) ? bin_from(optimum, places->width) + places->width / 2 : optimum;
}

/* The row of an instance, with bins of that width. */
static struct depth_row row_of(const struct results *results, size_t instance, double width)
{
    const struct known_instance *known = &results->known[instance];
    struct depth_row row = {known->start.shape.width, known->start.shape.height, known->model,
                            optimum_of(known), optimum_of(known)};
    if (is_priced(known)) {
        row.from = bin_from(optimum_of(known), width);
        row.below = bin_from(row.from + width, width);
    }
    return row;
}

/* The width of the bins that a board of the block is in; boards alike come one after the other. */
struct widths {
    const struct results *results;
    const struct block *block;
    const struct known_instance *last;
    double width;
};

static struct depth_row row_in(struct widths *widths, size_t instance)
{
    const struct known_instance *known = &widths->results->known[instance];
    if (is_priced(known) && (widths->last == NULL || widths->last->model != known->model ||
                             !shape_equal(widths->last->start.shape, known->start.shape))) {
        widths->last = known;
        widths->width = bin_width_of(widths->results, widths->block, known);
    }
    return row_of(widths->results, instance, widths->width);
}

static void find_rows(struct by_depth *by_depth, const struct results *results)
{
    const struct block *block = by_depth->block;
    struct widths widths = {.results = results, .block = block};
    size_t known = 0;
    by_depth->rows = heap_take(block->count, sizeof *by_depth->rows);
    for (size_t i = block->first; i < block->first + block->count; i++) {
        if (has_row(results, i))
            by_depth->rows[known++] = row_in(&widths, i);
        else if (results->known[i].unsolvable)
            by_depth->unsolvable++;
        else
            by_depth->unknown++;
    }
    qsort(by_depth->rows, known, sizeof *by_depth->rows, compare_rows);
    for (size_t i = 0; i < known; i++) {
        const struct depth_row row = by_depth->rows[i];
        if (by_depth->count == 0 || compare_rows(&by_depth->rows[by_depth->count - 1], &row) != 0)
            by_depth->rows[by_depth->count++] = row;
    }
}

bool by_depth_one_size(const struct by_depth *by_depth)
{
    const struct depth_row *first = by_depth->rows;
    const struct depth_row *last = first + by_depth->count - 1; /* they are in order */
    return by_depth->count == 0 || (first->width == last->width && first->height == last->height &&
                                    first->model == last->model);
}

/* The block's instances that have a row, row by row: row r has those from starts[r] to starts[r +
 * 1]. */
static size_t *instances_by_row(const struct by_depth *by_depth, const struct results *results,
                                size_t **starts)
{
    const struct block *block = by_depth->block;
    SCOPED size_t *row = heap_take(block->count, sizeof *row);
    size_t *order = heap_take(block->count, sizeof *order);
    size_t *next = heap_take(by_depth->count + 2, sizeof *next);
    struct widths widths = {.results = results, .block = block};
    for (size_t i = 0; i < block->count; i++) {
        if (!has_row(results, block->first + i))
            continue;
        const struct depth_row key = row_in(&widths, block->first + i);
        const struct depth_row *found =
            bsearch(&key, by_depth->rows, by_depth->count, sizeof *by_depth->rows, compare_rows);
        row[i] = (size_t)(found - by_depth->rows);
        next[row[i] + 2]++;
    }
    for (size_t i = 1; i < by_depth->count + 2; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < block->count; i++)
        if (has_row(results, block->first + i))
            order[next[row[i] + 1]++] = block->first + i;
    *starts = next;
    return order;
}

static void fill_cell(struct depth_cell *cell, const struct results *results,
                      const struct outcome *outcomes, const size_t *instances, size_t count,
                      double *values)
{
    for (size_t i = 0; i < count; i++) {
        const struct outcome *outcome = &outcomes[instances[i]];
        cell->instances += outcome->attempts > 0;
        cell->solved += outcome->finished;
        cell->unverified += outcome->finished && outcome->unverified > 0;
        cell->impossible += outcome->finished && outcome->impossible > 0;
        cell->drifted += outcome->finished && outcome->drifted > 0;
    }
    for (size_t metric = 0; metric < metric_count(); metric++) {
        const bool optional = metric < COUNTERS && counters[metric].optional;
        bool whole = true; /* else there is no mean: the rest need not stand for what is missing */
        size_t used = 0;
        for (size_t i = 0; i < count; i++) {
            const struct outcome *outcome = &outcomes[instances[i]];
            if (!outcome->finished)
                continue;
            values[used++] = outcome_value(results, outcome, metric);
            whole = whole && (optional || !isnan(outcome_value(results, outcome, metric)));
        }
        cell->value[metric] = spread_of(values, whole ? used : 0);
    }
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct outcome *outcome = &outcomes[instances[i]];
        if (outcome->finished)
            values[used++] = outcome_value(results, outcome, METRIC_generated) - 1 +
                             fmax(outcome_value(results, outcome, METRIC_expanded) - 1, 0);
    }
    cell->with_parent = spread_of(values, used);
    used = 0;
    for (size_t i = 0; i < count; i++)
        if (outcomes[instances[i]].finished)
            values[used++] = outcome_value(results, &outcomes[instances[i]], RUN_H_START);
    cell->h_start = spread_of_whole(values, used);
}

/* The length of a row's shortest solutions; NaN of a bin. */
static double length_of(const struct depth_row *row)
{
    return row->model == COST_unit ? row->from : NAN;
}

struct filling {
    const struct results *results;
    const struct by_depth *by_depth;
    const size_t *instances, *starts; /* of instances_by_row */
};

static void fill_item(void *context, size_t item)
{
    const struct filling *filling = context;
    const struct by_depth *by_depth = filling->by_depth;
    struct depth_cell *cell = &by_depth->cells[item];
    const size_t row = item / by_depth->solvers;
    const size_t start = filling->starts[row];
    const size_t count = filling->starts[row + 1] - start;
    const double length = length_of(&by_depth->rows[row]);
    SCOPED double *values = heap_take(count, sizeof *values);
    fill_cell(cell, filling->results,
              results_outcome(filling->results, item % by_depth->solvers, 0),
              filling->instances + start, count, values);
    cell->branching = effective_branching_factor(cell->value[METRIC_generated].mean, length);
    cell->branching_with_parent = effective_branching_factor(cell->with_parent.mean + 1, length);
}

struct by_depth by_depth_of(const struct results *results, const struct block *block)
{
    struct by_depth by_depth = {.block = block, .solvers = results->solvers.count};
    find_rows(&by_depth, results);
    SCOPED size_t *starts = NULL;
    SCOPED size_t *instances = instances_by_row(&by_depth, results, &starts);
    by_depth.cells = heap_take(by_depth.count * by_depth.solvers, sizeof *by_depth.cells);
    struct filling filling = {results, &by_depth, instances, starts};
    threads_work(by_depth.count * by_depth.solvers,
                 metric_count() * by_depth.solvers * block->count, fill_item, &filling);
    return by_depth;
}

/* "?" of unverified runs and of counters that no search can count, " (7/10)" where not all that
 * others tried are solved. */
static void mark(struct tidy *tidy, const struct depth_cell *cell, size_t instances,
                 enum metric metric)
{
    const bool doubted =
        cell->unverified > 0 || metric_is_doubted(metric, cell->impossible, cell->drifted);
    SCOPED char *text =
        cell->solved < instances && cell->instances > 0
            ? heap_format("%s (%zu/%zu)", doubted ? "?" : "", cell->solved, instances)
            : heap_text(doubted ? "?" : "");
    tidy_mark(tidy, text);
}

char *by_depth_name(const struct by_depth *by_depth, size_t row)
{
    const struct depth_row *own = &by_depth->rows[row];
    const bool priced = own->model != COST_unit;
    SCOPED char *range = priced ? heap_format("[%.10g, %.10g)", own->from, own->below)
                                : heap_format("%.0f", own->from);
    return by_depth_one_size(by_depth)
               ? heap_text(range)
               : heap_format("%ldx%ld %s%s%s", own->width, own->height,
                             priced ? cost_names[own->model] : "", priced ? " " : "", range);
}

/* The instances of a row that any solver tried: means side by side are over these, or marked. */
static size_t tried_of(const struct by_depth *by_depth, size_t row)
{
    const struct depth_cell *cells = &by_depth->cells[row * by_depth->solvers];
    size_t instances = 0;
    for (size_t i = 0; i < by_depth->solvers; i++)
        instances = cells[i].instances > instances ? cells[i].instances : instances;
    return instances;
}

static void add_mean(struct tidy *tidy, const struct by_depth *by_depth, size_t row, size_t solver,
                     enum metric metric)
{
    const struct depth_cell *cell = &by_depth->cells[row * by_depth->solvers + solver];
    tidy_number(tidy, cell->value[metric].mean);
    mark(tidy, cell, tried_of(by_depth, row), metric);
}

static void add_branching(struct tidy *tidy, const struct by_depth *by_depth, size_t row,
                          size_t solver)
{
    const struct depth_cell *cell = &by_depth->cells[row * by_depth->solvers + solver];
    tidy_number(tidy, cell->branching);
    if (cell->solved > 0)
        mark(tidy, cell, tried_of(by_depth, row), METRIC_generated);
}

static void start_figure(struct tidy *tidy, const char *first, enum tidy_shape shape)
{
    tidy_column(tidy, "block", "", "")->hidden = true;
    tidy_column_as(tidy, first, "", shape);
}

/* A row for each solver; of generated, b* at the last length only would be too little, and at each
 * as many columns again, so it has rows of its own. */
static struct tidy figure_by_solver(const struct by_depth *by_depth, const struct results *results,
                                    enum metric metric)
{
    struct tidy tidy = {0};
    const bool branching = metric == METRIC_generated && by_depth->block->model == COST_unit;
    start_figure(&tidy, "solver", SHAPE_TEXT);
    for (size_t row = 0; row < by_depth->count; row++) {
        SCOPED char *heading = by_depth_name(by_depth, row);
        tidy_column_as(&tidy, heading, metric_column(metric)->unit, SHAPE_MEAN);
    }
    for (size_t i = 0; i < by_depth->solvers; i++) {
        tidy_text(&tidy, by_depth->block->name);
        tidy_text(&tidy, results->shown[i]);
        for (size_t row = 0; row < by_depth->count; row++)
            add_mean(&tidy, by_depth, row, i, metric);
    }
    for (size_t i = 0; i < by_depth->solvers && branching; i++) {
        SCOPED char *name = heap_format("b* %s", results->shown[i]);
        tidy_text(&tidy, by_depth->block->name);
        tidy_text(&tidy, name);
        for (size_t row = 0; row < by_depth->count; row++)
            add_branching(&tidy, by_depth, row, i);
    }
    return tidy;
}

struct tidy by_depth_figure(const struct by_depth *by_depth, const struct results *results,
                            enum metric metric)
{
    struct tidy tidy = {0};
    const bool priced = by_depth->block->model != COST_unit;
    const bool sized = !by_depth_one_size(by_depth);
    const bool branching = metric == METRIC_generated && !priced;
    if (by_depth->solvers > by_depth->count)
        return figure_by_solver(by_depth, results, metric);
    start_figure(&tidy,
                 priced  ? "optimal cost"
                 : sized ? "board d"
                         : "d",
                 sized || priced ? SHAPE_TEXT : SHAPE_NUMBER);
    for (size_t i = 0; i < by_depth->solvers; i++)
        tidy_column_as(&tidy, results->shown[i], metric_column(metric)->unit, SHAPE_MEAN);
    for (size_t i = 0; i < by_depth->solvers && branching; i++) {
        SCOPED char *heading = heap_format("b* %s", results->shown[i]);
        tidy_column_as(&tidy, heading, "", SHAPE_SHARE);
    }
    for (size_t row = 0; row < by_depth->count; row++) {
        tidy_text(&tidy, by_depth->block->name);
        if (sized || priced) {
            SCOPED char *name = by_depth_name(by_depth, row);
            tidy_text(&tidy, name);
        } else {
            tidy_number(&tidy, by_depth->rows[row].from);
        }
        for (size_t i = 0; i < by_depth->solvers; i++)
            add_mean(&tidy, by_depth, row, i, metric);
        for (size_t i = 0; i < by_depth->solvers && branching; i++)
            add_branching(&tidy, by_depth, row, i);
    }
    return tidy;
}

void by_depth_add(struct tidy *tidy, const struct by_depth *by_depth, const struct results *results)
{
    for (size_t i = 0; i < by_depth->count * by_depth->solvers; i++) {
        const struct depth_cell *cell = &by_depth->cells[i];
        const struct depth_row *row = &by_depth->rows[i / by_depth->solvers];
        if (cell->instances == 0)
            continue;
        tidy_row(tidy);
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning)                            \
    SET_##type(BY_DEPTH_##name, value)
#include "harness/results/by_depth.def"
#undef COLUMN
    }
}

void by_depth_end(struct by_depth *by_depth)
{
    FREE(by_depth->rows, by_depth->cells);
    *by_depth = (struct by_depth){0};
}
