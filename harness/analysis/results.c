/* Columns are found by name, so a file with more columns, or others in between, reads the same. */
#include "harness/analysis/results.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/analysis/statistics.h"
#include "harness/results/record.h"
#include "instances/csv.h"
#include "puzzle/replay.h"
#include "puzzle/text.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST_SOLUTION = 1000000000, LONGEST_SIDE = 1000 };

/* The columns the analysis reads: texts first, then numbers. */
enum run_column {
    RUN_ID,
    SET,
    INSTANCE,
    START,
    GOAL,
    SOLVER,
    STATUS,
    PATH,
    FINISHED_AT,
    WIDTH,
    FIRST_NUMBER = WIDTH,
    HEIGHT,
    OPTIMAL_LENGTH,
    LIMIT_S,
    LIMIT_NODES,
    LIMIT_BYTES,
    FIRST_METRIC,
    COLUMNS = FIRST_METRIC + METRICS
};

/* A column that must be there, and a metric that every solved run must have. */
static const struct {
    const char *name;
    bool needed;
} column_table[FIRST_METRIC] = {
    [RUN_ID] = {"run_id", true},
    [SET] = {"set", true},
    [INSTANCE] = {"instance", true},
    [START] = {"start", true},
    [GOAL] = {"goal", true},
    [SOLVER] = {"solver", true},
    [STATUS] = {"status", true},
    [PATH] = {"moves", false},
    [FINISHED_AT] = {"finished_at", false},
    [WIDTH] = {"width", true},
    [HEIGHT] = {"height", true},
    [OPTIMAL_LENGTH] = {"optimal_length", true},
    [LIMIT_S] = {"limit_s", false},
    [LIMIT_NODES] = {"limit_nodes", false},
    [LIMIT_BYTES] = {"limit_bytes", false},
};

static bool metric_is_needed(enum metric metric)
{
    return metric == METRIC_expanded || metric == METRIC_generated || metric == METRIC_length ||
           metric == METRIC_wall_s;
}

static const char *column_name(size_t column)
{
    return column < FIRST_METRIC ? column_table[column].name : metric_names[column - FIRST_METRIC];
}

static bool column_is_needed(size_t column)
{
    return column < FIRST_METRIC ? column_table[column].needed
                                 : metric_is_needed((enum metric)(column - FIRST_METRIC));
}

static bool column_is_decimal(size_t column)
{
    return column == LIMIT_S ||
           (column >= FIRST_METRIC && metric_is_time((enum metric)(column - FIRST_METRIC)));
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

void expected_end(struct expected *expected)
{
    names_end(&expected->solvers);
    free(expected->limits);
    *expected = (struct expected){0};
}

/* A file while it is read, and its row at hand. */
struct reader {
    struct results *results;
    const struct expected *expected; /* NULL: every row */
    struct report *report;
    const struct csv_field *cells[COLUMNS]; /* an empty one where there is no such column */
    double numbers[COLUMNS]; /* from FIRST_NUMBER on; NaN where the cell is empty or wrong */
};

static const char *cell(const struct reader *reader, size_t column)
{
    return reader->cells[column]->text;
}

static void blame(struct reader *reader, size_t column, const char *format, ...) PRINTF_LIKE(3, 4);

/* Tells that a cell is not what was expected. */
static void blame(struct reader *reader, size_t column, const char *format, ...)
{
    enum { SHOWN = 60 };
    const struct csv_field *field = reader->cells[column];
    char *wanted = NULL;
    va_list values;
    va_start(values, format);
    int length = vasprintf(&wanted, format, values);
    va_end(values);
    if (length < 0)
        heap_exhausted();
    char *shown =
        heap_format("%.*s%s", SHOWN, field->text, strlen(field->text) > SHOWN ? ".." : "");
    report_add(reader->report, field->line, field->column, "%s '%s'; expected %s",
               column_name(column), shown, wanted);
    free(shown);
    free(wanted);
}

/* A whole number below 2^64; other programs may write it with a fraction of zeros. */
static bool is_whole(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    const char *rest = text + digits;
    if (digits > 0 && *rest == '.')
        rest += 1 + strspn(rest + 1, "0");
    errno = 0;
    (void)strtoull(text, NULL, 10);
    return digits > 0 && *rest == '\0' && errno == 0;
}

/* A number of 0 or more in decimal digits. */
static bool is_decimal(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    return isdigit((unsigned char)*text) && text[strspn(text, "0123456789.eE+-")] == '\0' &&
           *end == '\0' && isfinite(value);
}

/* Reads the cells of a row; false when one of them is wrong. */
static bool read_cells(struct reader *reader)
{
    const size_t problems = reader->report->count;
    for (size_t i = 0; i < FIRST_NUMBER; i++) {
        const char *at = cell(reader, i);
        while (*at != '\0' && !iscntrl((unsigned char)*at))
            at++;
        if (*at != '\0')
            blame(reader, i, "a text without control characters");
    }
    static const size_t named[] = {RUN_ID, SOLVER};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (*cell(reader, named[i]) == '\0')
            blame(reader, named[i], "a text");
    for (size_t i = FIRST_NUMBER; i < COLUMNS; i++) {
        const char *text = cell(reader, i);
        reader->numbers[i] = NAN;
        if (*text == '\0')
            continue;
        if (column_is_decimal(i) ? is_decimal(text) : is_whole(text))
            reader->numbers[i] = strtod(text, NULL);
        else
            blame(reader, i, column_is_decimal(i) ? "a number" : "a whole number");
    }
    if (reader->numbers[OPTIMAL_LENGTH] > LONGEST_SOLUTION)
        blame(reader, OPTIMAL_LENGTH, "a number of moves");
    for (size_t i = WIDTH; i <= HEIGHT; i++)
        if (reader->numbers[i] > LONGEST_SIDE)
            blame(reader, i, "a number of cells");
    return reader->report->count == problems;
}

/* The status of the row; STATUSES, with the problem told, where there is no such status. */
static enum status read_status(struct reader *reader)
{
    const char *names[STATUSES];
    for (unsigned i = 0; i < STATUSES; i++) {
        if (strcmp(cell(reader, STATUS), status_rows[i].name) == 0)
            return (enum status)i;
        names[i] = status_rows[i].name;
    }
    char *listed = words_listed(names, STATUSES);
    char *meant = word_meant(cell(reader, STATUS), names, STATUSES);
    blame(reader, STATUS, "%s%s", listed, meant);
    free(meant);
    free(listed);
    return STATUSES;
}

/* The number YYYYMMDDhhmmss of 2026-01-31T23:59:59Z; 0 for another text. */
static uint64_t time_number(const char *text)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    uint64_t number = 0;
    for (size_t i = 0; i < sizeof form - 1; i++) {
        if (form[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
            return 0;
        if (form[i] == 'd')
            number = 10 * number + (uint64_t)(text[i] - '0');
    }
    return text[sizeof form - 1] == '\0' ? number : 0;
}

static void count_left_out(struct left_out *left_out, const char *solver)
{
    const size_t known = left_out->solvers.count;
    const size_t number = names_add(&left_out->solvers, solver);
    if (number == known) {
        left_out->rows = heap_grow(left_out->rows, known, sizeof *left_out->rows);
        left_out->rows[number] = 0;
    }
    left_out->rows[number]++;
}

static bool differs(double value, double expected)
{
    return !isnan(value) && fabs(value - expected) > 1e-6 * expected;
}

/* Whether the row belongs to what is expected; counts it where it does not. */
static bool is_expected(struct reader *reader)
{
    const struct expected *expected = reader->expected;
    if (expected == NULL)
        return true;
    const char *solver = cell(reader, SOLVER);
    const size_t number = names_find(&expected->solvers, solver);
    if (number == NAMES_NONE) {
        count_left_out(&reader->results->strangers, solver);
        return false;
    }
    const struct limits *limits = &expected->limits[number];
    if (limits->seconds >= 0 && (differs(reader->numbers[LIMIT_S], limits->seconds) ||
                                 differs(reader->numbers[LIMIT_NODES], (double)limits->nodes) ||
                                 differs(reader->numbers[LIMIT_BYTES], (double)limits->bytes))) {
        count_left_out(&reader->results->other_limits, solver);
        return false;
    }
    return true;
}

static long side(double number)
{
    return isnan(number) ? 0 : (long)number;
}

/* Reads the boards of an instance, once; texts that are no boards are not. */
static void read_boards(struct known_instance *known, const struct reader *reader)
{
    struct shape shape;
    struct report unheard;
    report_start(&unheard, NULL);
    known->boards = shape_make((unsigned)known->width, (unsigned)known->height, &shape) &&
                    board_parse(cell(reader, START), &shape, 1, 1, &unheard, &known->start) &&
                    goal_parse(cell(reader, GOAL), shape, 1, 1, &unheard, &known->goal);
    known->unsolvable = known->boards && !board_connected(&known->start, &known->goal);
    report_end(&unheard);
}

static size_t add_instance(struct results *results, const struct reader *reader)
{
    enum {
        SEPARATOR = '\x1f'
    }; /* sorts below all text, and is in none: it is a control character */
    char *key =
        heap_format("%s%c%s%c%s%c%s%c%s%c%s", cell(reader, SET), SEPARATOR, cell(reader, INSTANCE),
                    SEPARATOR, cell(reader, WIDTH), SEPARATOR, cell(reader, HEIGHT), SEPARATOR,
                    cell(reader, START), SEPARATOR, cell(reader, GOAL));
    const size_t count = results->instances.count;
    const size_t instance = names_add(&results->instances, key);
    free(key);
    if (instance == count) {
        results->known = heap_grow(results->known, count, sizeof *results->known);
        struct known_instance *known = &results->known[instance];
        *known = (struct known_instance){.width = side(reader->numbers[WIDTH]),
                                         .height = side(reader->numbers[HEIGHT]),
                                         .optimal = -1};
        read_boards(known, reader);
    }
    return instance;
}

static void add_optimal_length(struct reader *reader, struct known_instance *known)
{
    const double length = reader->numbers[OPTIMAL_LENGTH];
    if (isnan(length))
        return;
    if (known->optimal >= 0 && known->optimal != (long)length)
        blame(reader, OPTIMAL_LENGTH, "%ld, as in a row before for the same instance",
              known->optimal);
    else
        known->optimal = (long)length;
}

/* Whether a solved row is to be believed without its moves: tilelab replayed them, and leaves paths
 * of more than MOVES_SHOWN moves out of its rows. */
static bool row_is_vouched(const struct reader *reader)
{
    return reader->numbers[FIRST_METRIC + METRIC_length] > MOVES_SHOWN;
}

static void replay(struct reader *reader, const struct known_instance *known)
{
    const char *moves = cell(reader, PATH);
    const struct replay replay = replay_path(&known->start, &known->goal, moves, strlen(moves));
    char last[BOARD_LINE];
    switch (replay.outcome) {
    case REPLAY_REACHES_GOAL:
        return;
    case REPLAY_NOT_A_MOVE:
        blame(reader, PATH, "U, D, L or R as letter %zu", replay.moves + 1);
        return;
    case REPLAY_LEAVES_BOARD:
        blame(reader, PATH, "moves on the board; move %zu leaves it", replay.moves + 1);
        return;
    case REPLAY_MISSES_GOAL:
        board_line(&replay.last, last);
        blame(reader, PATH, "a path to the goal; it ends at %s", last);
        return;
    }
}

/* Holds a row that claims to be solved against its board. True when nothing but the row itself
 * speaks for it. */
static bool check_solution(struct reader *reader, const struct known_instance *known)
{
    const double length = reader->numbers[FIRST_METRIC + METRIC_length];
    const size_t moves = strlen(cell(reader, PATH));
    for (size_t i = 0; i < METRICS; i++)
        if (metric_is_needed((enum metric)i) && isnan(reader->numbers[FIRST_METRIC + i]))
            blame(reader, FIRST_METRIC + i, "a number, as the run is solved");
    if (isnan(length))
        return true;
    if (known->unsolvable)
        blame(reader, STATUS, "unsolvable, as no moves lead from the start to the goal");
    else if (length < reader->numbers[OPTIMAL_LENGTH])
        blame(reader, FIRST_METRIC + METRIC_length, "%.0f or more, the optimal length",
              reader->numbers[OPTIMAL_LENGTH]);
    else if (moves > 0 && length != (double)moves)
        blame(reader, FIRST_METRIC + METRIC_length, "%zu, as there are so many moves", moves);
    else if (known->boards && length == (double)moves)
        replay(reader, known);
    return !(known->boards && length == (double)moves) && !row_is_vouched(reader);
}

/* Which of two runs of the same run_id counts: the greater one. Ties are broken by all that can
 * tell rows apart, so that their order does not matter. */
static int compare_runs(const struct results *results, const struct run_row *a,
                        const struct run_row *b)
{
    const bool again[] = {status_rows[a->status].made_again, status_rows[b->status].made_again};
    if (again[0] != again[1])
        return again[0] ? -1 : 1;
    if (a->finished != b->finished)
        return a->finished < b->finished ? -1 : 1;
    if (a->status != b->status)
        return a->status < b->status ? -1 : 1;
    for (size_t i = 0; i < METRICS; i++) {
        const double x = isnan(a->value[i]) ? -1 : a->value[i];
        const double y = isnan(b->value[i]) ? -1 : b->value[i];
        if (x != y)
            return x < y ? -1 : 1;
    }
    if (a->unverified != b->unverified)
        return a->unverified ? -1 : 1;
    const int solvers = strcmp(results->solvers.text[a->solver], results->solvers.text[b->solver]);
    if (solvers != 0)
        return solvers;
    return strcmp(results->instances.text[a->instance], results->instances.text[b->instance]);
}

static void add_run(struct reader *reader)
{
    struct results *results = reader->results;
    if (!read_cells(reader))
        return;
    const enum status status = read_status(reader);
    if (status == STATUSES || !is_expected(reader))
        return;
    struct run_row run = {
        .solver = names_add(&results->solvers, cell(reader, SOLVER)),
        .instance = add_instance(results, reader),
        .finished = time_number(cell(reader, FINISHED_AT)),
        .status = status,
    };
    struct known_instance *known = &results->known[run.instance];
    add_optimal_length(reader, known);
    memcpy(run.value, reader->numbers + FIRST_METRIC, sizeof run.value);
    if (status == STATUS_solved)
        run.unverified = check_solution(reader, known);
    if (status == STATUS_unsolvable && known->boards && !known->unsolvable)
        blame(reader, STATUS, "another, as moves lead from the start to the goal");
    const size_t place = names_add(&results->run_ids, cell(reader, RUN_ID));
    if (place < results->count) {
        results->repeated++;
        if (compare_runs(results, &run, &results->runs[place]) > 0)
            results->runs[place] = run;
        return;
    }
    results->runs = heap_grow(results->runs, results->count, sizeof *results->runs);
    results->runs[results->count++] = run;
}

static void read_rows(struct reader *reader, struct csv *csv)
{
    static const struct csv_field nothing = {.text = ""};
    size_t columns[COLUMNS];
    bool complete = true;
    for (size_t i = 0; i < COLUMNS; i++) {
        const bool needed = column_is_needed(i);
        columns[i] = needed ? csv_need(csv, column_name(i)) : csv_column(csv, column_name(i));
        complete = complete && (!needed || columns[i] != CSV_NONE);
    }
    while (complete && csv_next(csv)) {
        for (size_t i = 0; i < COLUMNS; i++)
            reader->cells[i] = columns[i] == CSV_NONE ? &nothing : &csv->fields[columns[i]];
        add_run(reader);
    }
}

bool results_read(struct results *results, const char *file, const struct expected *expected,
                  struct report *report)
{
    struct reader reader = {.results = results, .expected = expected, .report = report};
    const size_t problems = report->count;
    const char *why;
    FILE *stream = file_open(file, &why);
    if (stream == NULL) {
        report_add(report, 0, 0, "cannot open: %s; expected a results folder or a CSV file of runs",
                   why);
        return false;
    }
    struct csv csv;
    if (csv_start(&csv, stream, CSV_APPENDED, report))
        read_rows(&reader, &csv);
    if (csv.cut)
        results->cut_files++;
    csv_end(&csv);
    fclose(stream);
    return report->count == problems;
}

/* Puts solvers and instances in an order that does not depend on that of the rows. */
static void arrange(struct results *results, const struct names *order)
{
    const size_t count = results->instances.count;
    size_t *solver = heap_take(results->solvers.count, sizeof *solver);
    size_t *instance = heap_take(count, sizeof *instance);
    struct known_instance *known = heap_take(count, sizeof *known);
    names_arrange(&results->solvers, order, solver);
    names_arrange(&results->instances, NULL, instance);
    for (size_t i = 0; i < count; i++)
        known[instance[i]] = results->known[i];
    for (size_t i = 0; i < results->count; i++) {
        struct run_row *run = &results->runs[i];
        run->solver = solver[run->solver];
        run->instance = instance[run->instance];
    }
    free(results->known);
    results->known = known;
    free(instance);
    free(solver);
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

/* Reduces the runs of a solver on an instance to their outcome. `values` has room for them. */
static void reduce(struct results *results, struct outcome *outcome, const size_t *runs,
                   size_t count, double *values)
{
    for (size_t i = 0; i < count; i++) {
        const struct run_row *run = &results->runs[runs[i]];
        const bool answered =
            run->status == STATUS_unsolvable && results->known[run->instance].unsolvable;
        outcome->attempts += !status_rows[run->status].made_again;
        outcome->solved += run->status == STATUS_solved;
        outcome->unverified += run->unverified;
        outcome->answered += answered;
    }
    bool agree = true;
    for (size_t metric = 0; metric < METRICS; metric++) {
        size_t used = 0;
        for (size_t i = 0; i < count; i++) {
            const struct run_row *run = &results->runs[runs[i]];
            if (run->status == STATUS_solved && !isnan(run->value[metric]))
                values[used++] = run->value[metric];
        }
        for (size_t i = 1; i < used; i++)
            agree = agree && (metric_is_time((enum metric)metric) || values[i] == values[0]);
        outcome->value[metric] = median_of(values, used);
    }
    results->disagreeing += !agree;
}

void results_settle(struct results *results, const struct names *order)
{
    arrange(results, order);
    const size_t outcomes = results->solvers.count * results->instances.count;
    results->outcomes = heap_take(outcomes, sizeof *results->outcomes);
    size_t *starts;
    size_t *runs = runs_by_outcome(results, &starts);
    double *values = heap_take(results->count, sizeof *values);
    for (size_t i = 0; i < outcomes; i++)
        reduce(results, &results->outcomes[i], runs + starts[i], starts[i + 1] - starts[i], values);
    free(values);
    free(runs);
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
    names_end(&results->run_ids);
    free(results->runs);
    free(results->known);
    names_end(&results->strangers.solvers);
    names_end(&results->other_limits.solvers);
    free(results->strangers.rows);
    free(results->other_limits.rows);
    free(results->outcomes);
    *results = (struct results){0};
}
