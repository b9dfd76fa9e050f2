#include "harness/analysis/expect.h"
#include "base/heap.h"
#include <gsl/gsl_cdf.h>

const char *const expect_verdict_names[EXPECT_VERDICTS] = {
    [EXPECT_EQUAL] = "equal",
    [EXPECT_WITHIN] = "within",
    [EXPECT_SLIP] = "slip",
    [EXPECT_DIFFERS] = "differs",
    [EXPECT_NOT_MEASURED] = "not measured",
};

/* What was measured of a cell. */
struct measurement {
    double value;    /* NaN: nothing */
    double mean, sd; /* of a mean; NaN where it is none */
    double boards;
    bool whole;
    int nodes_of_root;      /* of a branching factor, as struct reference_mean; else -1 */
    bool no_solver, no_run; /* that is why it was not measured */
    char *why;              /* owned; why it was not measured, or NULL */
};

/* What is looked up again and again. */
struct lookup {
    const struct reference *reference;
    const struct results *results;
    const struct tidy *tables;
    struct names keys; /* "set\x1finstance" of each instance, and "\x1finstance" */
    size_t *instances; /* by number of the key; SIZE_MAX: of several sets */
    double level;      /* of one interval */
};

struct interval expect_interval(const struct two_means *means, double level)
{
    const bool known = !isnan(means->their_sd);
    const double their_sd = known ? means->their_sd : means->sd;
    const double ours = means->whole ? 0 : means->sd * means->sd / means->boards;
    const double theirs = their_sd * their_sd / means->their_boards;
    const double tail = 1 - (1 - level) / 2;
    if (!means->whole && !(means->boards >= 3))
        return (struct interval){NAN, NAN};
    double freedom = means->boards - 1;
    if (known && ours + theirs > 0) {
        const double a = ours * ours / (means->boards - 1);
        const double b = means->their_boards > 1 ? theirs * theirs / (means->their_boards - 1) : 0;
        freedom = (ours + theirs) * (ours + theirs) / (a + b);
    }
    const double reach =
        (means->whole ? gsl_cdf_ugaussian_Pinv(tail) : gsl_cdf_tdist_Pinv(tail, freedom)) *
        sqrt(ours + theirs);
    return (struct interval){means->mean - reach, means->mean + reach};
}

/* ---- What was measured ---- */

static void add_key(struct lookup *lookup, const char *set, const char *name, size_t instance)
{
    SCOPED char *key = heap_format("%s\x1f%s", set, name);
    const size_t count = lookup->keys.count;
    const size_t number = names_add(&lookup->keys, key);
    if (number == count) {
        lookup->instances = heap_grow(lookup->instances, count, sizeof *lookup->instances);
        lookup->instances[number] = instance;
    } else {
        lookup->instances[number] = SIZE_MAX;
    }
}

static struct lookup lookup_start(const struct reference *reference, const struct results *results,
                                  const struct tidy *tables)
{
    struct lookup lookup = {.reference = reference, .results = results, .tables = tables};
    size_t sampled = 0;
    for (size_t i = 0; i < reference->count; i++)
        sampled += isnan(reference->cells[i].boards) ? 0 : 1;
    lookup.level = 1 - (1 - reference->level) / (sampled == 0 ? 1 : (double)sampled);
    for (size_t i = 0; reference->by == EXPECT_BY_INSTANCE && i < results->instances.count; i++) {
        SCOPED char *set = results_set(results, i);
        SCOPED char *name = results_instance(results, i);
        add_key(&lookup, set, name, i);
        if (set[0] != '\0')
            add_key(&lookup, "", name, i);
    }
    return lookup;
}

/* The solver by its short form or its label; NAMES_NONE. */
static size_t find_solver(const struct results *results, const char *name)
{
    const size_t found = names_find(&results->solvers, name);
    for (size_t i = 0; found == NAMES_NONE && i < results->solvers.count; i++)
        if (strcmp(results->shown[i], name) == 0)
            return i;
    return found;
}

/* The value of a column of runs.csv, or NaN where means of such a column of by_depth.csv or
 * summary.csv leave the board out. */
static double value_of(const struct results *results, size_t solver, size_t instance,
                       const char *column)
{
    const struct outcome *outcome = results_outcome(results, solver, instance);
    const struct known_instance *known = &results->known[instance];
    const double generated = outcome_value(results, outcome, METRIC_generated);
    for (unsigned i = 0; i < COLUMN_METRICS; i++)
        if (strcmp(metric_column(i)->name, column) == 0)
            return outcome_value(results, outcome, i);
    if (strcmp(column, REFERENCE_WITHOUT_ROOT) == 0)
        return generated - 1;
    if (strcmp(column, "generated_with_parent") == 0)
        return generated + outcome_value(results, outcome, METRIC_expanded);
    if (strcmp(column, "effective_branching_factor") == 0)
        return known->optimal > 0 && !is_priced(known) ? generated : NAN;
    if (strcmp(column, "stretch") == 0)
        return quality_of(results, outcome, known);
    return outcome_value(results, outcome, RUN_H_START);
}

static void measure_instance(const struct lookup *lookup, const struct reference_cell *cell,
                             size_t solver, struct measurement *measured)
{
    SCOPED char *key = heap_format("%s\x1f%s", cell->set, cell->instance);
    const size_t number = names_find(&lookup->keys, key);
    if (number == NAMES_NONE) {
        measured->why = heap_text("no such board was run");
        measured->no_run = true;
        return;
    }
    if (lookup->instances[number] == SIZE_MAX) {
        measured->why = heap_text("several boards have that name; expected a set");
        return;
    }
    const struct outcome *outcome =
        results_outcome(lookup->results, solver, lookup->instances[number]);
    if (outcome->attempts == 0) {
        measured->why = heap_text("not run");
        measured->no_run = true;
    } else if (!outcome->finished && outcome->status != STATUS_exhausted) {
        measured->why = heap_text(status_rows[outcome->status].name);
    } else { /* a space that was searched to its end has its counters, too */
        measured->value =
            value_of(lookup->results, solver, lookup->instances[number], cell->column);
    }
}

/* The block of a row of a table: its set, size and model of costs. */
static const struct block *block_of(const struct results *results, const struct tidy_cell *row,
                                    const char *model)
{
    size_t i = 0;
    while (i + 1 < results->block_count &&
           (strcmp(results->blocks[i].set, row[0].text) != 0 ||
            (double)results->blocks[i].width != row[1].number ||
            (double)results->blocks[i].height != row[2].number ||
            strcmp(cost_names[results->blocks[i].model], model) != 0))
        i++;
    return &results->blocks[i];
}

/* Over how many boards a mean is: those solved, by depth of that optimal length, that have the
 * value. */
static double boards_of(const struct lookup *lookup, const struct reference_cell *cell,
                        const struct block *block, size_t solver, const char *mean)
{
    const struct results *results = lookup->results;
    const bool by_depth = lookup->reference->by == EXPECT_BY_DEPTH;
    const int ending = (int)strlen("_mean");
    SCOPED char *value =
        by_depth ? heap_text(mean + ending) : heap_format("%.*s", (int)strlen(mean) - ending, mean);
    size_t boards = 0;
    for (size_t i = block->first; i < block->first + block->count; i++)
        boards += results_outcome(results, solver, i)->finished &&
                  (!by_depth || results->known[i].optimal == cell->optimal_length) &&
                  !isnan(value_of(results, solver, i, value));
    return (double)boards;
}

/* Whether a column of by_depth.csv or summary.csv has its value whether or not boards are unsolved:
 * all but figures over the solved ones. */
static bool is_of_tries(enum expect_by by, const char *column)
{
    static const char *const of_solved[] = {"_median", "_mean",  "_sd",
                                            "_lower",  "_upper", "_factor_instances"};
    if (by == EXPECT_BY_DEPTH)
        return strcmp(column, "instances") == 0 || strcmp(column, "solved") == 0;
    const size_t length = strlen(column);
    for (size_t i = 0; i < sizeof of_solved / sizeof *of_solved; i++) {
        const size_t ending = strlen(of_solved[i]);
        if (length > ending && strcmp(column + length - ending, of_solved[i]) == 0)
            return false;
    }
    return true;
}

static void measure_mean(const struct lookup *lookup, const struct reference_cell *cell,
                         size_t solver, struct measurement *measured)
{
    const bool by_depth = lookup->reference->by == EXPECT_BY_DEPTH;
    const struct tidy *table = &lookup->tables[by_depth ? TABLE_BY_DEPTH : TABLE_SUMMARY];
    const char *name = lookup->results->solvers.text[solver];
    const size_t solver_at = tidy_find(table, "solver");
    const size_t tried_at = tidy_find(table, "instances");
    const size_t solved_at = tidy_find(table, by_depth ? "solved" : "instances_solved");
    const size_t length_at = by_depth ? (size_t)BY_DEPTH_optimal_length : 0;
    const struct tidy_cell *found = NULL;
    double most = 0; /* boards that some solver tried there */
    for (size_t i = 0; i < table->cell_count; i += table->column_count) {
        const struct tidy_cell *row = &table->cells[i];
        if ((cell->set[0] != '\0' && strcmp(row[0].text, cell->set) != 0) ||
            (by_depth && row[length_at].number != (double)cell->optimal_length))
            continue;
        most = fmax(most, row[tried_at].number);
        if (strcmp(row[solver_at].text, name) != 0)
            continue;
        if (found != NULL) {
            measured->why =
                heap_text(cell->set[0] == '\0' ? "several sets have such boards; expected a set"
                                               : "the set has several sizes or costs of moves");
            return;
        }
        found = row;
    }
    if (found == NULL || found[tried_at].number == 0) {
        measured->why = heap_text("no such boards were run");
        measured->no_run = true;
        return;
    }
    const double value = found[tidy_find(table, cell->column)].number;
    const bool tries = !isinf(value) && is_of_tries(lookup->reference->by, cell->column);
    measured->boards = found[tries ? tried_at : solved_at].number;
    if (measured->boards < most) {
        measured->why = heap_format("%.0f of %.0f boards %s", measured->boards, most,
                                    tries ? "tried" : "solved");
        return;
    }
    if (!isnan(cell->whole) && measured->boards != cell->whole) {
        measured->why =
            heap_format("%.0f of the %.0f boards there are", measured->boards, cell->whole);
        measured->no_run = most < cell->whole;
        return;
    }
    const struct block *block =
        block_of(lookup->results, found, found[tidy_find(table, "cost_model")].text);
    struct reference_mean of;
    measured->value = value;
    if (reference_mean_of(lookup->reference->by, cell->column, &of)) {
        measured->mean = found[tidy_find(table, of.mean)].number;
        measured->sd = found[tidy_find(table, of.sd)].number;
        measured->nodes_of_root = of.nodes_of_root;
        measured->boards = boards_of(lookup, cell, block, solver, of.mean);
        reference_mean_end(&of);
    }
    measured->whole = block->whole;
}

static struct measurement measure(const struct lookup *lookup, const struct reference_cell *cell)
{
    struct measurement measured = {
        .value = NAN, .mean = NAN, .sd = NAN, .boards = NAN, .nodes_of_root = -1};
    const size_t solver = find_solver(lookup->results, cell->solver);
    measured.no_solver = solver == NAMES_NONE;
    if (measured.no_solver)
        measured.why = heap_text("no such solver was run");
    else if (lookup->reference->by == EXPECT_BY_INSTANCE)
        measure_instance(lookup, cell, solver, &measured);
    else
        measure_mean(lookup, cell, solver, &measured);
    if (isnan(measured.value) && measured.why == NULL)
        measured.why = heap_text("there is no such value");
    return measured;
}

/* ---- Verdicts ---- */

/* Whole numbers are equal to the last digit, others in the digits that tables have. */
static bool equals(double a, double b)
{
    const bool whole = a == floor(a) && b == floor(b);
    return a == b || (!whole && fabs(a - b) <= 1e-11 * fmax(fabs(a), fabs(b)));
}

static enum expect_verdict judge(const struct reference_cell *cell,
                                 const struct measurement *measured, struct interval interval)
{
    const bool slip = !isnan(cell->corrected);
    const double truth = reference_truth(cell);
    const bool sampled = !isnan(cell->boards);
    if (measured->why != NULL)
        return EXPECT_NOT_MEASURED;
    /* That 2.01 - 2 is more than 0.01 in binary fractions is no difference. */
    const double room = 1e-9 * cell->tolerance;
    const bool agrees = sampled ? truth >= interval.low && truth <= interval.high
                                : equals(measured->value, truth) ||
                                      fabs(measured->value - truth) <= cell->tolerance + room;
    if (!agrees)
        return EXPECT_DIFFERS;
    return slip ? EXPECT_SLIP : equals(measured->value, truth) ? EXPECT_EQUAL : EXPECT_WITHIN;
}

static void count_lacking(struct expect_counts *counts, const struct reference_cell *cell)
{
    const size_t count = counts->lacking.count;
    counts->of_solvers++;
    if (names_add(&counts->lacking, cell->solver) < count)
        return;
    counts->notes = heap_grow(counts->notes, count, sizeof *counts->notes);
    counts->notes[count] = cell->note;
}

static void add_row(struct tidy *tidy, const struct lookup *lookup,
                    const struct reference_cell *cell, struct expect_counts *counts)
{
    struct measurement measured = measure(lookup, cell);
    struct interval interval = {NAN, NAN};
    if (!isnan(cell->boards) && measured.why == NULL) {
        const struct two_means means = {.mean = measured.mean,
                                        .sd = measured.sd,
                                        .boards = measured.boards,
                                        .their_sd = cell->sd,
                                        .their_boards = cell->boards,
                                        .whole = measured.whole};
        interval = expect_interval(&means, lookup->level);
        if (measured.nodes_of_root >= 0) {
            const double root = measured.nodes_of_root;
            const double depth = (double)cell->optimal_length;
            interval.low = effective_branching_factor(fmax(interval.low, 0) + root, depth);
            interval.high = effective_branching_factor(interval.high + root, depth);
        }
        interval.low -= cell->tolerance;
        interval.high += cell->tolerance;
        if (isnan(interval.low))
            measured.why = heap_format("too few boards for an interval: %.0f", measured.boards);
    }
    const enum expect_verdict verdict = judge(cell, &measured, interval);
    const size_t solver = find_solver(lookup->results, cell->solver);
    const bool noted = cell->note[0] != '\0';
    SCOPED char *note = heap_format("%s%s%s", measured.why == NULL ? "" : measured.why,
                                    measured.why == NULL || !noted ? "" : "; ", cell->note);
    tidy_row(tidy);
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning)                            \
    SET_##type(EXPECT_##name, value)
#include "harness/results/expect.def"
#undef COLUMN
    counts->cells++;
    counts->by_verdict[verdict]++;
    counts->of_runs += measured.no_run;
    counts->recalled += verdict <= EXPECT_WITHIN && strcmp(cell->source, "recalled") == 0;
    if (measured.no_solver)
        count_lacking(counts, cell);
    free(measured.why);
}

struct expect_counts expect_add(struct tidy *tidy, const struct reference *reference,
                                const struct results *results, const struct tidy *tables)
{
    struct expect_counts counts = {0};
    struct lookup lookup = lookup_start(reference, results, tables);
    for (size_t i = 0; i < reference->count; i++)
        add_row(tidy, &lookup, &reference->cells[i], &counts);
    names_end(&lookup.keys);
    free(lookup.instances);
    return counts;
}

void expect_counts_end(struct expect_counts *counts)
{
    names_end(&counts->lacking);
    free(counts->notes);
    *counts = (struct expect_counts){0};
}
