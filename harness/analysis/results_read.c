/* Rows come from results/rows.h, typed and with their places. */
#include "base/heap.h"
#include "harness/analysis/results.h"
#include "harness/judge/verdict.h"
#include "harness/results/controls.h"
#include "harness/results/rows.h"
#include "harness/results/run_ids.h"
#include "harness/results/shard_folders.h"
#include "harness/text/shell.h"
#include "puzzle/replay.h"
#include <sys/stat.h>

/* What a file must have; all other columns are used where they are there. */
static const unsigned needed_columns[] = {
    COLUMN_run_id, COLUMN_set,      COLUMN_instance,       COLUMN_width,  COLUMN_height,
    COLUMN_start,  COLUMN_goal,     COLUMN_optimal_length, COLUMN_solver, COLUMN_status,
    COLUMN_length, COLUMN_expanded, COLUMN_generated,      COLUMN_wall_s,
};

bool results_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

char *results_file(const char *path)
{
    size_t length = strlen(path);
    const char *slash = length > 0 && path[length - 1] == '/' ? "" : "/";
    return results_is_folder(path) ? heap_format("%s%sruns.csv", path, slash) : heap_text(path);
}

char *results_folder(const char *path)
{
    return results_is_folder(path) ? heap_text(path) : file_folder(path);
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
    struct rows rows;
    struct row *row;
    char *key; /* owned; room for the key of an instance */
    size_t key_room;
};

static const char *text_of(const struct reader *reader, unsigned column)
{
    return reader->row->cells[column].text;
}

double cost_number(const char *text)
{
    char *end, *last;
    const double number = strtod(text, &end);
    if (end == text || (*end != '/' && *end != '\0'))
        return NAN;
    if (*end == '\0')
        return number;
    const double of = strtod(end + 1, &last);
    return last == end + 1 || *last != '\0' || !(of > 0) ? NAN : number / of;
}

/* The number of a cell; NaN where it is empty. */
static double number_of(const struct reader *reader, unsigned column)
{
    const struct cell *cell = &reader->row->cells[column];
    if (cell->text[0] == '\0')
        return NAN;
    if (column == COLUMN_cost)
        return cost_number(cell->text);
    return row_columns[column].type == COLUMN_TYPE_INTEGER ? (double)cell->integer : cell->number;
}

/* Reports that a cell is not what was expected. */
PRINTF_LIKE(3, 4)
static void blame(struct reader *reader, unsigned column, const char *format, ...)
{
    const struct cell *cell = &reader->row->cells[column];
    SCOPED char *wanted = FORMATTED(format);
    csv_blame(&reader->rows.csv, (struct text_place){reader->row->line, cell->column},
              "%s '%.60s%s'; expected %s", row_columns[column].name, cell->text,
              strlen(cell->text) > 60 ? ".." : "", wanted);
}

/* The number YYYYMMDDhhmmss of 2026-01-31T23:59:59Z; 0 for another text. */
static uint64_t time_number(const char *text)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    uint64_t number = 0;
    for (size_t i = 0; i < sizeof form - 1; i++) {
        const unsigned digit = (unsigned)text[i] - (unsigned)'0';
        if (form[i] == 'd' ? digit > 9 : text[i] != form[i])
            return 0;
        if (form[i] == 'd')
            number = 10 * number + digit;
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
    const char *solver = text_of(reader, COLUMN_solver);
    const size_t number = names_find(&expected->solvers, solver);
    if (number == NAMES_NONE) {
        count_left_out(&reader->results->strangers, solver);
        return false;
    }
    const struct limits *limits = &expected->limits[number];
    if (limits->seconds >= 0 &&
        (differs(number_of(reader, COLUMN_limit_s), limits->seconds) ||
         differs(number_of(reader, COLUMN_limit_nodes), (double)limits->nodes) ||
         differs(number_of(reader, COLUMN_limit_bytes), (double)limits->bytes) ||
         differs(number_of(reader, COLUMN_limit_cpu_s), limits->cpu_seconds))) {
        count_left_out(&reader->results->other_limits, solver);
        return false;
    }
    return true;
}

/* The key of a row's instance, valid until the next one. Rows of unit costs need not say so. */
static const char *instance_key(struct reader *reader, const struct row *row)
{
    enum { MODEL = 3, PARTS = 7 };
    static const unsigned columns[PARTS] = {COLUMN_set,        COLUMN_width,    COLUMN_height,
                                            COLUMN_cost_model, COLUMN_instance, COLUMN_start,
                                            COLUMN_goal};
    const char *parts[PARTS];
    size_t bytes = 0;
    for (size_t i = 0; i < PARTS; i++) {
        parts[i] = row->cells[columns[i]].text;
        if (i == MODEL && strcmp(parts[i], cost_names[COST_unit]) == 0)
            parts[i] = "";
        bytes += strlen(parts[i]) + 1;
    }
    reader->key = heap_reserve(reader->key, &reader->key_room, bytes, 1);
    char *at = reader->key;
    for (size_t i = 0; i < PARTS; i++) {
        at = stpcpy(at, parts[i]);
        *at++ = i + 1 < PARTS ? SEPARATOR : '\0';
    }
    return reader->key;
}

/* Notes on rows: the hashes of the names that they are looked up by, and the number that the
 * instance most likely has, and 1. */
enum { NOTE_INSTANCE, NOTE_RUN_ID, NOTE_NUMBER };

static void hash_names(struct reader *reader, struct row *row)
{
    if (row->notes[NOTE_INSTANCE] != 0)
        return;
    row->notes[NOTE_INSTANCE] = names_hash(instance_key(reader, row));
    row->notes[NOTE_RUN_ID] = names_hash(row->cells[COLUMN_run_id].text);
}

/* Asks memory for what the next rows will look up. Each step needs what the one before asked for.
 */
static void fetch_ahead(struct reader *reader)
{
    enum { STEP = 8, LINE = 64 };
    const struct results *results = reader->results;
    struct row *row = rows_ahead(&reader->rows, 3 * STEP);
    if (row != NULL) {
        hash_names(reader, row);
        names_fetch(&results->instances, row->notes[NOTE_INSTANCE]);
        names_fetch(&results->run_ids, row->notes[NOTE_RUN_ID]);
    }
    row = rows_ahead(&reader->rows, 2 * STEP);
    if (row != NULL && row->notes[NOTE_INSTANCE] != 0) {
        const size_t likely = names_likely(&results->instances, row->notes[NOTE_INSTANCE]);
        if (likely != NAMES_NONE) {
            row->notes[NOTE_NUMBER] = likely + 1;
            __builtin_prefetch(&results->instances.text[likely]);
            __builtin_prefetch(&results->known[likely]);
            __builtin_prefetch((const char *)(&results->known[likely] + 1) - 1);
        }
    }
    row = rows_ahead(&reader->rows, STEP);
    if (row != NULL && row->notes[NOTE_NUMBER] != 0) {
        const char *key = results->instances.text[row->notes[NOTE_NUMBER] - 1];
        __builtin_prefetch(key);
        __builtin_prefetch(key + LINE);
    }
}

/* The number of the row's instance. If its boards are not boards, reports the row and returns
 * NAMES_NONE. */
static size_t add_instance(struct results *results, struct reader *reader)
{
    const uint64_t hash = reader->row->notes[NOTE_INSTANCE];
    const char *key = instance_key(reader, reader->row);
    const size_t count = results->instances.count;
    const size_t found = names_find_hashed(&results->instances, key, hash);
    if (found != NAMES_NONE || !row_boards(&reader->rows, reader->row))
        return found;
    const struct row *row = reader->row;
    const char *model = text_of(reader, COLUMN_cost_model);
    struct known_instance known = {
        .optimal = -1,
        .shortest = INFINITY,
        .optimal_cost = COST_UNKNOWN,
        .unsolvable = !board_connected(&row->start, &row->goal),
        .start = row->start,
        .goal = row->goal,
    };
    if (model[0] != '\0' && !cost_model_parse(model, &known.model))
        blame(reader, COLUMN_cost_model, "a model of costs: unit, heavy, ..");
    known.scale = costs_make(known.model, row->start.shape).scale;
    results->known = heap_grow(results->known, count, sizeof *results->known);
    results->known[count] = known;
    return names_add_hashed(&results->instances, key, hash);
}

static void add_optimal_length(struct reader *reader, struct known_instance *known)
{
    enum { MAX_LENGTH = 1000000000 };
    const double length = number_of(reader, COLUMN_optimal_length);
    if (isnan(length))
        return;
    if (length > MAX_LENGTH)
        blame(reader, COLUMN_optimal_length, "a number of moves");
    else if (known->optimal >= 0 && known->optimal != (long)length)
        blame(reader, COLUMN_optimal_length, "%ld, as in a row before for the same instance",
              known->optimal);
    else if (length > known->shortest)
        blame(reader, COLUMN_optimal_length,
              "%.0f or less, as a row before has a solution of the same instance that long",
              known->shortest);
    else
        known->optimal = (long)length;
}

static void add_optimal_cost(struct reader *reader, struct known_instance *known)
{
    const char *text = text_of(reader, COLUMN_optimal_cost);
    char before[COST_TEXT];
    uint64_t cost;
    if (text[0] == '\0' || !is_priced(known))
        return;
    if (!cost_parse(text, known->scale, &cost))
        blame(reader, COLUMN_optimal_cost, "a cost, such as 12.5 or 47/12");
    else if (known->optimal_cost != COST_UNKNOWN && known->optimal_cost != cost)
        blame(reader, COLUMN_optimal_cost, "%s, as in a row before for the same instance",
              cost_text(known->optimal_cost, known->scale, before));
    else
        known->optimal_cost = cost;
}

/* Holds the cost of a path that leads to the goal against its moves and the optimum. */
static void check_cost(struct reader *reader, const struct known_instance *known,
                       const struct replay *replay)
{
    const struct move_costs costs = costs_make(known->model, known->start.shape);
    uint64_t claimed, cost;
    char text[COST_TEXT];
    if (!is_priced(known) || text_of(reader, COLUMN_cost)[0] == '\0' ||
        !replay_cost(replay, &costs, &cost))
        return;
    if (!cost_parse(text_of(reader, COLUMN_cost), known->scale, &claimed) || claimed != cost)
        blame(reader, COLUMN_cost, "%s, as its moves cost", cost_text(cost, known->scale, text));
    else if (known->optimal_cost != COST_UNKNOWN && cost < known->optimal_cost)
        blame(reader, COLUMN_cost, "%s or more, the optimal cost",
              cost_text(known->optimal_cost, known->scale, text));
}

static void replay(struct reader *reader, const struct known_instance *known)
{
    const char *moves = text_of(reader, COLUMN_moves);
    const struct replay replay = replay_path(&known->start, &known->goal, moves, strlen(moves));
    char last[BOARD_LINE];
    switch (replay.outcome) {
    case REPLAY_REACHES_GOAL:
        check_cost(reader, known, &replay);
        return;
    case REPLAY_NOT_A_MOVE:
        blame(reader, COLUMN_moves, "U, D, L or R as letter %zu", replay.moves + 1);
        return;
    case REPLAY_LEAVES_BOARD:
        blame(reader, COLUMN_moves, "moves on the board; move %zu leaves it", replay.moves + 1);
        return;
    case REPLAY_MISSES_GOAL:
        board_line(&replay.last, last);
        blame(reader, COLUMN_moves, "a path to the goal; it ends at %s", last);
        return;
    }
}

/* Holds a row that claims to be solved against its board. True when nothing but the row itself
 * speaks for it: it has no moves to replay, as tilelab leaves out paths of more than 1,000, and no
 * row_hash that vouches for it, or one that says that its cells are no longer what was written. */
static bool check_solution(struct reader *reader, const struct known_instance *known)
{
    static const unsigned due[] = {COLUMN_expanded, COLUMN_generated, COLUMN_wall_s};
    const double length = number_of(reader, COLUMN_length);
    const size_t moves = strlen(text_of(reader, COLUMN_moves));
    const bool own = measured_of(text_of(reader, COLUMN_measured)) == MEASURED_SEARCH;
    for (size_t i = 0; i < sizeof due / sizeof *due; i++)
        if (isnan(number_of(reader, due[i])) && (own || due[i] == COLUMN_wall_s))
            blame(reader, due[i], "a number, as the run is solved");
    if (known->unsolvable)
        blame(reader, COLUMN_status, "unsolvable, as no moves lead from the start to the goal");
    else if (length < (double)known->optimal)
        blame(reader, COLUMN_length, "%ld or more, the optimal length", known->optimal);
    else if (moves > 0 && length != (double)moves)
        blame(reader, COLUMN_length, "%zu, as there are so many moves", moves);
    else if (length == (double)moves)
        replay(reader, known);
    return reader->rows.hashed ? !reader->row->whole : length != (double)moves;
}

/* Whether a solved external run has counters that no search can count; those of built-in solvers
 * were checked. */
static bool has_impossible(struct reader *reader, const struct known_instance *known,
                           const struct run_row *run, const double *numbers)
{
    if (run->measured == MEASURED_SEARCH)
        return false;
    uint32_t counted = 0;
    for (unsigned i = 0; i < COUNTERS; i++)
        counted |= isnan(numbers[i]) ? 0 : UINT32_C(1) << i;
    const struct instance instance = {.start = known->start, .goal = known->goal};
    const struct result result = row_result(reader->row);
    SCOPED char *why = impossible_counts(&instance, &result, counted);
    return why != NULL;
}

/* Which of two runs of the same run_id counts, a new one with its numbers or that at a place: the
 * greater one. Ties are broken by all that can tell rows apart, so that their order does not
 * matter.
 */
static int compare_runs(const struct results *results, const struct run_row *a,
                        const double *numbers, size_t place)
{
    const struct run_row *b = &results->runs[place];
    const bool again[] = {status_rows[a->status].made_again, status_rows[b->status].made_again};
    if (again[0] != again[1])
        return again[0] ? -1 : 1;
    if (a->finished != b->finished)
        return a->finished < b->finished ? -1 : 1;
    if (a->status != b->status)
        return a->status < b->status ? -1 : 1;
    for (size_t i = 0; i < metric_count(); i++) {
        const double other = results_number(results, place, i);
        const double x = isnan(numbers[i]) ? -1 : numbers[i];
        const double y = isnan(other) ? -1 : other;
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

/* Keeps one of two texts that rows of a solver have: the last in order, as nothing depends on the
 * order of rows. */
static void keep_text(char **kept, const char *text)
{
    if (*kept != NULL && strcmp(text, *kept) <= 0)
        return;
    free(*kept);
    *kept = heap_text(text);
}

/* The number of the row's solver, whose options (rows may differ in the hashes of files) and label
 * are kept. */
static size_t add_solver(struct results *results, const struct reader *reader)
{
    const size_t known = results->solvers.count;
    const size_t solver = names_add(&results->solvers, text_of(reader, COLUMN_solver));
    if (solver == known) {
        results->options = heap_grow(results->options, known, sizeof *results->options);
        results->row_labels = heap_grow(results->row_labels, known, sizeof *results->row_labels);
        results->options[solver] = results->row_labels[solver] = NULL;
    }
    keep_text(&results->options[solver], text_of(reader, COLUMN_options_json));
    keep_text(&results->row_labels[solver], text_of(reader, COLUMN_label));
    return solver;
}

/* Reads the metrics extra.NAME of the row, NaN where it has none, or one below 0, as no cost is;
 * notes the names of all numbers beside them. */
static void read_extras(struct reader *reader, double value[METRICS])
{
    const char *text = text_of(reader, COLUMN_extra);
    const unsigned count = metric_count();
    json_auto_t *extra =
        count == COLUMN_METRICS || text[0] == '\0' ? NULL : json_loads(text, 0, NULL);
    const char *name;
    json_t *number;
    for (unsigned i = METRIC_extra; i < METRICS; i++)
        value[i] = NAN;
    json_object_foreach(extra, name, number)
    {
        if (!json_is_number(number) || json_number_value(number) < 0)
            continue;
        names_add(&reader->results->extras, name);
        for (unsigned i = METRIC_extra; i < count; i++)
            if (strcmp(name, metric_extra(i)) == 0)
                value[i] = json_number_value(number);
    }
}

/* Reads the numbers of a row whose status counts as this one. */
static void read_numbers(struct reader *reader, enum status status,
                         double numbers[RUN_NUMBERS_KEPT])
{
    static const unsigned limits[LIMITS] = {[LIMIT_S] = COLUMN_limit_s,
                                            [LIMIT_NODES] = COLUMN_limit_nodes,
                                            [LIMIT_BYTES] = COLUMN_limit_bytes,
                                            [LIMIT_CPU_S] = COLUMN_limit_cpu_s};
    for (unsigned i = 0; i < COLUMN_METRICS; i++)
        numbers[i] = status != STATUS_solved && (i == METRIC_length || i == METRIC_cost)
                         ? NAN /* the path of a wrong answer */
                         : number_of(reader, metric_column_number(i));
    read_extras(reader, numbers);
    for (unsigned i = 0; i < LIMITS; i++)
        numbers[RUN_LIMIT + i] = number_of(reader, limits[i]);
    numbers[RUN_H_START] = number_of(reader, COLUMN_h_start);
    numbers[RUN_COVER] = number_of(reader, COLUMN_cover);
}

/* The number of a text among names of which "" is the first. */
static uint32_t number_among(struct names *names, const char *text)
{
    if (names->count == 0)
        names_add(names, "");
    return text[0] == '\0' ? 0 : (uint32_t)names_add(names, text);
}

/* Keeps a run, if it is the one of its run_id that counts. */
static void keep_run(struct reader *reader, const struct run_row *run, const double *numbers)
{
    struct results *results = reader->results;
    const size_t place = names_add_hashed(&results->run_ids, text_of(reader, COLUMN_run_id),
                                          reader->row->notes[NOTE_RUN_ID]);
    if (place < results->count) {
        results->repeated++;
        if (compare_runs(results, run, numbers, place) <= 0)
            return;
    } else {
        results->runs = heap_grow(results->runs, results->count++, sizeof *results->runs);
    }
    if (results->numbers.columns == NULL)
        results->numbers = compact_start(RUN_NUMBERS_KEPT);
    results->runs[place] = *run;
    compact_set(&results->numbers, place, numbers);
    if (results->counted != NULL)
        results->counted(results->context, place, reader->row);
}

static void add_run(struct reader *reader)
{
    struct results *results = reader->results;
    double numbers[RUN_NUMBERS_KEPT];
    enum status status = reader->row->cells[COLUMN_status].status;
    const bool claimed = status == STATUS_claimed && results->claimed;
    if (claimed)
        status = STATUS_solved;
    hash_names(reader, reader->row);
    const size_t instance = add_instance(results, reader);
    if (instance == NAMES_NONE)
        return;
    struct run_row run = {
        .solver = (uint32_t)add_solver(results, reader),
        .instance = (uint32_t)instance, /* names_add numbers no more */
        .host = number_among(&results->hosts, text_of(reader, COLUMN_host)),
        .control = number_among(&results->controls, text_of(reader, COLUMN_control)),
        .finished = time_number(text_of(reader, COLUMN_finished_at)),
        .status = (uint8_t)status,
        .measured = (uint8_t)measured_of(text_of(reader, COLUMN_measured)),
        .edited = reader->rows.hashed && !reader->row->whole,
    };
    struct known_instance *known = &results->known[run.instance];
    add_optimal_length(reader, known);
    add_optimal_cost(reader, known);
    read_numbers(reader, status, numbers);
    results->edited += run.edited;
    if (status == STATUS_solved) {
        run.unverified = check_solution(reader, known) || claimed;
        run.impossible = has_impossible(reader, known, &run, numbers);
        if (!run.unverified)
            known->shortest = fmin(known->shortest, numbers[METRIC_length]);
    }
    if (status == STATUS_unsolvable && !known->unsolvable)
        blame(reader, COLUMN_status, "another, as moves lead from the start to the goal");
    keep_run(reader, &run, numbers);
}

/* Whether the row is of a set that is chosen. */
static bool is_of_set(struct reader *reader)
{
    const char *set = text_of(reader, COLUMN_set);
    if (reader->results->sets.asked == NULL)
        return true;
    SCOPED char *block =
        heap_format("%s %sx%s", set, text_of(reader, COLUMN_width), text_of(reader, COLUMN_height));
    return choice_takes(&reader->results->sets, block, set);
}

/* Whether the row is of a solver that is chosen. */
static bool is_of_solver(struct reader *reader)
{
    struct results *results = reader->results;
    if (results->chosen.asked == NULL)
        return true;
    const char *solver = text_of(reader, COLUMN_solver);
    const char *label = text_of(reader, COLUMN_label);
    const size_t labelled = names_find(&results->labelled, solver);
    if (labelled != NAMES_NONE)
        label = results->labels[labelled];
    return choice_takes(&results->chosen, label[0] != '\0' ? label : solver, solver);
}

static bool is_wanted(const struct reader *reader)
{
    const struct results *results = reader->results;
    return results->wanted == NULL ||
           results->wanted(results->wanted_of, text_of(reader, COLUMN_run_id));
}

static void read_rows(struct reader *reader)
{
    const struct run_ids *only = reader->results->only;
    while ((reader->row = rows_next(&reader->rows)) != NULL) {
        fetch_ahead(reader);
        if (only != NULL && run_ids_find(only, text_of(reader, COLUMN_run_id)) == RUN_UNKNOWN) {
            reader->results->left_out++;
            continue;
        }
        if (!is_expected(reader) || !is_wanted(reader))
            continue;
        const bool of_set = is_of_set(reader); /* the solver is noted in either case */
        if (is_of_solver(reader) && of_set)
            add_run(reader);
    }
}

/* Says why a file cannot be opened, and what to do. */
static void add_unopened(const char *file, const char *why, struct report *report)
{
    SCOPED char *folder = file_folder(file);
    SCOPED_BY(shard_folders_end) struct shard_folders shards = shard_folders_list(folder);
    if (shards.count > 0) {
        SCOPED char *word = shell_quoted(folder);
        report_add(report, NO_PLACE,
                   "cannot open: %s; the rows are in shards: first tilelab merge %s", why, word);
    } else {
        report_add(report, NO_PLACE,
                   "cannot open: %s; expected a results folder or a CSV file of runs", why);
    }
}

/* Reads the control runs beside a file of rows, if it says that there are some. */
static void read_controls(struct results *results, const char *file, struct report *report)
{
    if (results->controls.count < 2)
        return;
    SCOPED char *folder = results_folder(file);
    SCOPED char *path = heap_format("%s/" CONTROL_FILE, folder);
    report->file = path;
    drift_read(&results->drift, path, report);
    report->file = file;
}

bool results_read(struct results *results, const char *file, const struct expected *expected,
                  struct report *report)
{
    struct reader reader = {.results = results, .expected = expected};
    const size_t problems = report->count;
    const char *why;
    SCOPED_BY(stream_end) FILE *stream = file_open(file, &why);
    if (stream == NULL) {
        add_unopened(file, why, report);
        return false;
    }
    const bool started = rows_start(&reader.rows, stream, needed_columns,
                                    sizeof needed_columns / sizeof *needed_columns, report);
    reader.rows.wanted = results->wanted;
    reader.rows.context = results->wanted_of;
    if (started)
        read_rows(&reader);
    results->cut_files += reader.rows.csv.cut;
    rows_end(&reader.rows);
    free(reader.key);
    read_controls(results, file, report);
    return report->count == problems;
}
