/* Columns are found by name, so a file with more columns, or others in between, reads the same. */
#include "harness/analysis/results.h"
#include "base/heap.h"
#include "harness/analysis/statistics.h"
#include "harness/results/run_ids.h"
#include "instances/csv.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

const char *const metric_names[METRICS] = {"expanded", "generated", "length", "wall_s"};

enum { LONGEST_SOLUTION = 1000000000 };

/* The columns the analysis needs. */
enum column {
    RUN_ID,
    SET,
    INSTANCE,
    WIDTH,
    HEIGHT,
    START,
    GOAL,
    OPTIMAL_LENGTH,
    SOLVER,
    STATUS,
    PEAK_BYTES,
    FIRST_METRIC,
    COLUMNS = FIRST_METRIC + METRICS
};

static const char *const column_names[FIRST_METRIC] = {
    [RUN_ID] = "run_id",
    [SET] = "set",
    [INSTANCE] = "instance",
    [WIDTH] = "width",
    [HEIGHT] = "height",
    [START] = "start",
    [GOAL] = "goal",
    [OPTIMAL_LENGTH] = "optimal_length",
    [SOLVER] = "solver",
    [STATUS] = "status",
    [PEAK_BYTES] = "peak_bytes",
};

static const char *column_name(size_t column)
{
    return column < FIRST_METRIC ? column_names[column] : metric_names[column - FIRST_METRIC];
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

char *results_file(const char *path)
{
    size_t length = strlen(path);
    const char *slash = length > 0 && path[length - 1] == '/' ? "" : "/";
    return is_folder(path) ? heap_format("%s%sruns.csv", path, slash) : heap_text(path);
}

char *results_folder(const char *path)
{
    if (is_folder(path))
        return heap_text(path);
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return heap_text(".");
    return slash == path ? heap_text("/") : heap_format("%.*s", (int)(slash - path), path);
}

/* One row while it is read. */
struct row {
    const struct csv_field *cells[COLUMNS];
    struct report *report;
};

static const char *cell(const struct row *row, size_t column)
{
    return row->cells[column]->text;
}

static void blame(const struct row *row, size_t column, const char *expected)
{
    const struct csv_field *field = row->cells[column];
    report_add(row->report, field->line, field->column, "%s '%s'; expected %s", column_name(column),
               field->text, expected);
}

/* A number of 0 or more; NaN where the cell is empty or, with a problem told, not a number. */
static double number(const struct row *row, size_t column)
{
    const char *text = cell(row, column);
    if (*text == '\0')
        return NAN;
    char *end;
    double value = strtod(text, &end);
    bool decimal = text[strspn(text, "0123456789.eE+-")] == '\0' && *text >= '0' && *text <= '9';
    if (!decimal || *end != '\0' || !isfinite(value)) {
        blame(row, column, "a number");
        return NAN;
    }
    return value;
}

/* A side of the board. */
static long side(const struct row *row, size_t column)
{
    double value = number(row, column);
    return value >= 1 && value <= 1000 ? (long)value : 0;
}

static size_t add_instance(struct results *results, const struct row *row)
{
    enum { SEPARATOR = '\x1f' };
    char *key =
        heap_format("%s%c%s%c%s%c%s%c%s%c%s", cell(row, SET), SEPARATOR, cell(row, INSTANCE),
                    SEPARATOR, cell(row, WIDTH), SEPARATOR, cell(row, HEIGHT), SEPARATOR,
                    cell(row, START), SEPARATOR, cell(row, GOAL));
    size_t known = results->instances.count;
    size_t instance = names_add(&results->instances, key);
    free(key);
    if (instance == known) {
        results->optimal = heap_grow(results->optimal, known, sizeof *results->optimal);
        results->optimal[instance] = -1;
        results->width = heap_grow(results->width, known, sizeof *results->width);
        results->width[instance] = side(row, WIDTH);
        results->height = heap_grow(results->height, known, sizeof *results->height);
        results->height[instance] = side(row, HEIGHT);
    }
    return instance;
}

static void add_optimal_length(struct results *results, const struct row *row, size_t instance)
{
    double length = number(row, OPTIMAL_LENGTH);
    if (isnan(length))
        return;
    if (length > LONGEST_SOLUTION || length != floor(length)) {
        blame(row, OPTIMAL_LENGTH, "a whole number of moves");
        return;
    }
    long *optimal = &results->optimal[instance];
    if (*optimal >= 0 && *optimal != (long)length) {
        char *before = heap_format("%ld, as in a row before for the same instance", *optimal);
        blame(row, OPTIMAL_LENGTH, before);
        free(before);
        return;
    }
    *optimal = (long)length;
}

static void add_run(struct results *results, const struct row *row)
{
    static const size_t named[] = {RUN_ID, SOLVER, STATUS};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (*cell(row, named[i]) == '\0') {
            blame(row, named[i], "a text");
            return;
        }
    }
    struct run_row run = {
        .solver = names_add(&results->solvers, cell(row, SOLVER)),
        .instance = add_instance(results, row),
        .status = names_add(&results->statuses, cell(row, STATUS)),
        .solved = strcmp(cell(row, STATUS), "solved") == 0,
        .interrupted = strcmp(cell(row, STATUS), "interrupted") == 0,
        .peak_bytes = number(row, PEAK_BYTES),
    };
    add_optimal_length(results, row, run.instance);
    for (size_t metric = 0; metric < METRICS; metric++) {
        size_t column = FIRST_METRIC + metric;
        run.value[metric] = number(row, column);
        if (run.solved && *cell(row, column) == '\0')
            blame(row, column, "a number, as the run is solved");
    }
    size_t place = names_add(&results->run_ids, cell(row, RUN_ID));
    if (place < results->count) {
        results->repeated++;
        if (!run.interrupted)
            results->runs[place] = run;
        return;
    }
    results->runs = heap_grow(results->runs, results->count, sizeof *results->runs);
    results->runs[results->count++] = run;
}

static void read_rows(struct results *results, struct csv *csv)
{
    enum { MOST_PROBLEMS = 50 }; /* a file of a million wrong rows need not be told in full */
    size_t columns[COLUMNS];
    bool complete = true;
    for (size_t i = 0; i < COLUMNS; i++) {
        columns[i] = csv_need(csv, column_name(i));
        complete = complete && columns[i] != CSV_NONE;
    }
    while (complete && csv->report->count < MOST_PROBLEMS && csv_next(csv)) {
        struct row row = {.report = csv->report};
        for (size_t i = 0; i < COLUMNS; i++)
            row.cells[i] = &csv->fields[columns[i]];
        if (results->only != NULL &&
            run_ids_find(results->only, cell(&row, RUN_ID)) == RUN_UNKNOWN) {
            results->left_out++;
            continue;
        }
        add_run(results, &row);
    }
}

bool results_read(struct results *results, const char *file, struct report *report)
{
    size_t problems = report->count;
    FILE *stream = fopen(file, "r");
    if (stream == NULL) {
        report_add(report, 0, 0, "cannot open: %s; expected a results folder or a CSV file of runs",
                   strerror(errno));
        return false;
    }
    struct csv csv;
    if (csv_start(&csv, stream, CSV_APPENDED, report))
        read_rows(results, &csv);
    if (csv.cut)
        results->cut_files++;
    csv_end(&csv);
    fclose(stream);
    return report->count == problems;
}

void results_order_solvers(struct results *results, struct names *order)
{
    for (size_t i = 0; i < results->solvers.count; i++)
        names_add(order, results->solvers.text[i]);
    for (size_t i = 0; i < results->count; i++)
        results->runs[i].solver = names_find(order, results->solvers.text[results->runs[i].solver]);
    names_end(&results->solvers);
    results->solvers = *order;
    *order = (struct names){0};
}

/* The run numbers in order of their outcome: outcome o has those from starts[o] to starts[o + 1].
 */
static size_t *runs_by_outcome(const struct results *results, size_t **starts)
{
    size_t outcomes = results->solvers.count * results->instances.count;
    size_t *order = heap_take(results->count, sizeof *order);
    size_t *next = heap_take(outcomes + 2, sizeof *next);
    /* Counting sort: next[o + 1] is where the next run of outcome o goes. */
    for (size_t i = 0; i < results->count; i++) {
        const struct run_row *run = &results->runs[i];
        next[run->solver * results->instances.count + run->instance + 2]++;
    }
    for (size_t i = 1; i < outcomes + 2; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < results->count; i++) {
        const struct run_row *run = &results->runs[i];
        order[next[run->solver * results->instances.count + run->instance + 1]++] = i;
    }
    *starts = next;
    return order;
}

void results_settle(struct results *results)
{
    size_t outcomes = results->solvers.count * results->instances.count;
    results->outcomes = heap_take(outcomes, sizeof *results->outcomes);
    size_t *starts;
    size_t *order = runs_by_outcome(results, &starts);
    double *values = heap_take(results->count, sizeof *values);
    for (size_t i = 0; i < outcomes; i++) {
        struct outcome *outcome = &results->outcomes[i];
        bool agree = true;
        for (size_t metric = 0; metric < METRICS; metric++) {
            outcome->attempts = 0;
            outcome->solved = 0;
            for (size_t j = starts[i]; j < starts[i + 1]; j++) {
                const struct run_row *run = &results->runs[order[j]];
                if (!run->interrupted)
                    outcome->attempts++;
                if (run->solved)
                    values[outcome->solved++] = run->value[metric];
            }
            for (size_t j = 1; j < outcome->solved; j++)
                agree = agree && (metric == METRIC_WALL_S || values[j] == values[0]);
            outcome->value[metric] = median_of(values, outcome->solved);
        }
        if (!agree)
            results->disagreeing++;
    }
    free(values);
    free(order);
    free(starts);
}

const struct outcome *results_outcome(const struct results *results, size_t solver, size_t instance)
{
    return &results->outcomes[solver * results->instances.count + instance];
}

void results_end(struct results *results)
{
    names_end(&results->solvers);
    names_end(&results->instances);
    names_end(&results->statuses);
    names_end(&results->run_ids);
    free(results->runs);
    free(results->optimal);
    free(results->width);
    free(results->height);
    free(results->outcomes);
    *results = (struct results){0};
}
