#include "harness/results/record.h"
#include "algorithms/plugin.h"
#include "base/heap.h"
#include "harness/external/events.h"
#include "harness/results/version.h"
#include "heuristics/plugin.h"
#include "instances/csv.h"
#include <inttypes.h>
#include <xxhash.h>

/* Cells one after the other, each with its zero byte, as hashes see them. */
struct cells {
    char *text; /* heap memory */
    size_t length, room;
    size_t ends[COLUMNS]; /* of each cell, behind its zero byte, in the order of writing */
    unsigned count;
};

static void forget(struct cells *cells)
{
    free(cells->text);
}

static char *make_room(struct cells *cells, size_t bytes)
{
    enum { USUAL = 1024 }; /* of a row */
    const size_t wanted = cells->length + bytes;
    cells->text = heap_reserve(cells->text, &cells->room, wanted < USUAL ? USUAL : wanted, 1);
    return cells->text + cells->length;
}

/* A part of a cell. */
static void put_part(struct cells *cells, const char *text, size_t length)
{
    memcpy(make_room(cells, length), text, length);
    cells->length += length;
}

static void put_text(struct cells *cells, const char *text)
{
    put_part(cells, text, strlen(text));
}

/* A text from elsewhere: a row is one line, so no cell may hold a line end. */
static void put_outside_text(struct cells *cells, const char *text)
{
    const size_t start = cells->length;
    put_text(cells, text);
    for (char *at = cells->text + start; at < cells->text + cells->length; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7F)
            *at = '?';
}

static void put_number(struct cells *cells, uint64_t value)
{
    enum { MOST_DIGITS = 20 };
    char digits[MOST_DIGITS];
    char *at = digits + MOST_DIGITS;
    do
        *--at = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    put_part(cells, at, (size_t)(digits + MOST_DIGITS - at));
}

/* What each side of a search from both ends counted, as a JSON object; nothing for other searches.
 */
static void put_sides(struct cells *cells, const struct side_counts sides[SIDES])
{
    if (sides[START].generated == 0)
        return;
    SCOPED char *text = heap_format(
        "{\"expanded_start\":%" PRIu64 ",\"expanded_goal\":%" PRIu64 ",\"generated_start\":%" PRIu64
        ",\"generated_goal\":%" PRIu64 "}",
        sides[START].expanded, sides[GOAL].expanded, sides[START].generated, sides[GOAL].generated);
    put_text(cells, text);
}

/* Whether a path was found that leads to the goal, be the answer wrong in something else. */
static bool has_path(const struct record *record)
{
    const enum status status = record->result->status;
    return status == STATUS_solved || ((status == STATUS_wrong_answer || status_is_limit(status)) &&
                                       path_holds(record->run->instance, record->result));
}

/* The path of a wrong answer that does not lead to the goal, which no column has; NULL: none. */
static const char *wrong_moves(const struct record *record)
{
    const struct result *result = record->result;
    return result->status == STATUS_wrong_answer && result->length <= MOVES_SHOWN &&
                   !has_path(record)
               ? result->moves
               : NULL;
}

/* What an external solver said beside the other columns, and what is to be said of its counters. */
static void put_extra(struct cells *cells, const struct record *record)
{
    const struct answer *answer = record->answer;
    const char *said = answer == NULL || answer->extra == NULL ? "" : answer->extra;
    const char *version = record->run->external == NULL ? NULL : record->run->external->version;
    const char *moves = wrong_moves(record);
    json_auto_t *object = NULL;
    if ((record->impossible != NULL || version != NULL || moves != NULL) &&
        (object = json_loads(said, 0, NULL)) == NULL)
        object = json_object();
    if (object == NULL) {
        put_text(cells, said);
        return;
    }
    if (record->impossible != NULL)
        json_object_set_new(object, "impossible", json_string(record->impossible));
    if (moves != NULL)
        json_object_set_new(object, "wrong_moves", json_string(moves));
    if (version != NULL)
        json_object_set_new(object, "version", json_string(version));
    SCOPED char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
    put_outside_text(cells, text == NULL ? said : text);
}

/* The shortest text of seconds to the nanosecond: 0.5, 0.000001234, 12. */
static void seconds_text(double seconds, char text[NUMBER_TEXT])
{
    enum { NANOSECONDS = 1000000000 };
    const double surely_exact = 1e6; /* and with its nanoseconds 15 digits, as doubles hold them */
    if (!(seconds >= 0 && seconds < surely_exact)) {
        snprintf(text, NUMBER_TEXT, "%.15g", seconds);
        return;
    }
    const uint64_t rounded = (uint64_t)(seconds * NANOSECONDS + 0.5);
    const int length = snprintf(text, NUMBER_TEXT, "%" PRIu64 ".%09" PRIu64, rounded / NANOSECONDS,
                                rounded % NANOSECONDS);
    char *end = text + length;
    while (end[-1] == '0')
        end--;
    end -= end[-1] == '.';
    *end = '\0';
}

void number_text(unsigned column, double number, char text[NUMBER_TEXT])
{
    if (column == COLUMN_limit_s || column == COLUMN_limit_cpu_s)
        snprintf(text, NUMBER_TEXT, "%.9g", number);
    else
        seconds_text(number, text);
}

static void put_seconds(struct cells *cells, double seconds)
{
    char text[NUMBER_TEXT];
    seconds_text(seconds, text);
    put_text(cells, text);
}

/* A cost by the model of an instance; nothing if it is COST_UNKNOWN. */
static void put_cost(struct cells *cells, const struct instance *instance, uint64_t cost)
{
    char text[COST_TEXT];
    const uint64_t scale = costs_make(instance->cost, instance->start.shape).scale;
    if (cost != COST_UNKNOWN)
        put_text(cells, cost_text(cost, scale, text));
}

static void put_board(struct cells *cells, const struct board *board)
{
    char line[BOARD_LINE];
    board_line(board, line);
    put_text(cells, line);
}

/* Ends the cell. */
static void put_end(struct cells *cells)
{
    put_part(cells, "", 1);
    cells->ends[cells->count++] = cells->length;
}

/* 16 hexadecimal digits and a zero byte. */
static void write_digits(uint64_t hash, char *text)
{
    for (unsigned i = 0; i < 16; i++)
        text[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 0xF];
    text[16] = '\0';
}

/* Whether options_json names files: a solver is another one where its files are. */
static bool has_files(const char *options)
{
    if (strstr(options, "\"files\"") == NULL)
        return false;
    json_auto_t *object = json_loads(options, 0, NULL);
    return json_object_get(object, "files") != NULL;
}

/* The columns that determine a run; of the last three options_json only where it names files, the
 * limit of processor time where there is one, and the model of costs where it is not `unit`. */
static const unsigned determining[] = {
    COLUMN_set,        COLUMN_instance,     COLUMN_width,       COLUMN_height,
    COLUMN_start,      COLUMN_goal,         COLUMN_solver,      COLUMN_order,
    COLUMN_repetition, COLUMN_limit_s,      COLUMN_limit_nodes, COLUMN_limit_bytes,
    COLUMN_build,      COLUMN_options_json, COLUMN_limit_cpu_s, COLUMN_cost_model,
};
enum { DETERMINING = sizeof determining / sizeof *determining };

/* The run_id that follows from these cells. */
static void hash_determining(struct cells *cells, char run_id[RUN_ID_BYTES])
{
    size_t length = cells->ends[DETERMINING - 4];
    const char *limit = cells->text + cells->ends[DETERMINING - 3];
    const char *cost = cells->text + cells->ends[DETERMINING - 2];
    if (has_files(cells->text + length))
        length = cells->ends[DETERMINING - 3];
    if (limit[0] != '\0') {
        memmove(cells->text + length, limit, strlen(limit) + 1);
        length += strlen(limit) + 1;
    }
    if (cost[0] != '\0' && strcmp(cost, cost_names[COST_unit]) != 0) {
        memmove(cells->text + length, cost, strlen(cost) + 1);
        length += strlen(cost) + 1;
    }
    const XXH128_hash_t hash = XXH3_128bits(cells->text, length);
    write_digits(hash.high64, run_id);
    write_digits(hash.low64, run_id + 16);
}

void cells_run_id(const char *const *texts, char run_id[RUN_ID_BYTES])
{
    SCOPED_BY(forget) struct cells cells = {0};
    for (unsigned i = 0; i < DETERMINING; i++) {
        put_text(&cells, texts[determining[i]]);
        put_end(&cells);
    }
    hash_determining(&cells, run_id);
}

/* The letter in place of a hash's first digit. */
static char letter_of(char digit)
{
    return (char)('a' + (digit - '0') % 6);
}

void joined_row_hash(const char *text, size_t bytes, char row_hash[ROW_HASH_BYTES])
{
    static const char digits[] = "0123456789";
    write_digits(XXH3_64bits(text, bytes), row_hash);
    const char *rest = row_hash + strspn(row_hash, digits);
    if (rest > row_hash && rest[*rest == 'e' ? 1 + strspn(rest + 1, digits) : 0] == '\0')
        row_hash[0] = letter_of(row_hash[0]);
}

bool row_hash_fits(const char *row_hash, const char *cell)
{
    const bool older = cell[0] >= '0' && cell[0] <= '9' && letter_of(cell[0]) == row_hash[0];
    return strcmp(row_hash, cell) == 0 || (older && strcmp(row_hash + 1, cell + 1) == 0);
}

void cells_row_hash(const char *const *texts, char row_hash[ROW_HASH_BYTES])
{
    SCOPED_BY(forget) struct cells cells = {0};
    for (unsigned i = 0; i < COLUMNS; i++)
        if (i != COLUMN_row_hash && texts[i] != NULL) {
            put_text(&cells, texts[i]);
            put_end(&cells);
        }
    joined_row_hash(cells.text, cells.length, row_hash);
}

static void add_options(json_t *object, const struct option_row *table, const int64_t *values)
{
    for (unsigned i = 0; table[i].kind != OPTION_END; i++) {
        json_t *value = NULL;
        if (table[i].kind == OPTION_FLAG)
            value = json_boolean(values[i]);
        else if (table[i].kind == OPTION_CHOICE)
            value = json_string(table[i].choices[values[i]]);
        else if (values[i] == OPTION_UNSET)
            value = json_null();
        else if (table[i].kind == OPTION_NUMBER)
            value = json_integer(values[i]);
        else
            value = json_real((double)values[i] / DECIMAL_ONE);
        json_object_set_new(object, table[i].name, value);
    }
}

static void add_file(json_t *files, const struct object *object)
{
    json_object_set_new(files, object->file, json_string(object->hash));
}

static void add_heuristic_file(void *context, const struct heuristic_choice *part)
{
    const struct plugin *plugin = plugin_of(part->kind);
    if (plugin != NULL)
        add_file(context, &plugin->object);
}

/* The files that an algorithm, a heuristic or its parts come from, with their hashes:
 * {"my_heuristic.so": "0123456789abcdef"}. A new reference, perhaps to an empty object. */
static json_t *plugin_files(const struct solver *solver)
{
    json_t *files = json_object();
    const struct algorithm_plugin *plugin = algorithm_plugin_of(solver->algorithm);
    if (plugin != NULL)
        add_file(files, &plugin->object);
    if (solver->heuristic.kind != NULL)
        heuristic_parts(&solver->heuristic, add_heuristic_file, files);
    return files;
}

/* The cell options_json; heap memory. */
static char *options_json(const struct run *run)
{
    const struct solver *solver = run->solver;
    json_auto_t *object = run->external == NULL ? json_object() : external_json(run->external);
    json_auto_t *files = plugin_files(solver);
    if (solver->heuristic.kind != NULL)
        add_options(object, solver->heuristic.kind->options, solver->heuristic.options);
    if (json_object_size(files) > 0)
        json_object_set(object, "files", files);
    add_options(object, solver->algorithm->options, solver->options);
    if (solver->order[0] != '\0')
        json_object_set_new(object, "order", json_string(solver->order));
    return json_written(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
}

/* The cell of a limit of time, 0 for none; heap memory. */
static char *limit_seconds_text(unsigned column, double limit)
{
    char text[NUMBER_TEXT];
    number_text(column, limit, text);
    return heap_text(limit > 0 ? text : "");
}

/* The cell of another limit, 0 for none; heap memory. */
static char *limit_text(uint64_t limit)
{
    return limit == 0 ? heap_text("") : heap_format("%" PRIu64, limit);
}

struct run_texts run_texts_of(const struct run *run)
{
    const struct solver *solver = run->solver;
    const struct limits *limits = &run->limits;
    return (struct run_texts){{
        [TEXT_heuristic] =
            solver->heuristic.kind == NULL ? heap_text("") : heuristic_text(&solver->heuristic),
        [TEXT_options] = run->external == NULL ? solver_options_text(solver)
                                               : external_options_text(run->external),
        [TEXT_options_json] = options_json(run),
        [TEXT_limit_s] = limit_seconds_text(COLUMN_limit_s, limits->seconds),
        [TEXT_limit_nodes] = limit_text(limits->nodes),
        [TEXT_limit_bytes] = limit_text(limits->bytes),
        [TEXT_limit_cpu_s] = limit_seconds_text(COLUMN_limit_cpu_s, limits->cpu_seconds),
    }};
}

void run_texts_end(struct run_texts *texts)
{
    for (unsigned i = 0; i < TEXTS; i++)
        free(texts->cells[i]);
    *texts = (struct run_texts){0};
}

/* What the times and bytes of a run's row are of. */
static enum measured measured_of_run(const struct run *run)
{
    return run->external == NULL       ? MEASURED_SEARCH
           : run->external->persistent ? MEASURED_ANSWER
                                       : MEASURED_PROCESS;
}

/* Whether a counter is known: an external solver has those that it reported; of a plugin, those
 * that it does not leave at 0 (tilelab/algorithm.h). */
static bool is_known(const struct record *record, unsigned counter, uint64_t value)
{
    if (record->run->external != NULL)
        return record->answer != NULL && (record->answer->known >> counter & 1) != 0;
    if (value == 0 && algorithm_plugin_of(record->run->solver->algorithm) != NULL)
        return counter_of_plugins(counter);
    return value != 0 || !counters[counter].optional;
}

static void put_counter(struct cells *cells, const struct record *record, unsigned counter)
{
    const uint64_t value = statistics_value(&record->result->statistics, counter);
    if (is_known(record, counter, value))
        put_number(cells, value);
}

static void put_event(struct cells *cells, const struct record *record, unsigned event)
{
    if (record->events != NULL && record->events[event] != EVENT_UNKNOWN)
        put_number(cells, record->events[event]);
}

/* Writes a cell and ends it. Of those that determine a run the record need have the run alone. */
static void put_cell(struct cells *cells, const struct record *record, char *const *texts,
                     unsigned column, bool all_moves)
{
    const struct run *run = record->run;
    const struct instance *instance = run->instance;
    const struct result *result = record->result;
    switch (column) {
#define COLUMN(name, type, unit, may_be_empty, repeats, cell, meaning)                             \
    case COLUMN_##name:                                                                            \
        cell;                                                                                      \
        break;
#include "harness/results/columns.def"
#undef COLUMN
    }
    put_end(cells);
}

/* Writes `count` cells, of these columns or (NULL) of the first. */
static void put_cells(struct cells *cells, const struct record *record, const unsigned *columns,
                      unsigned count, bool all_moves)
{
    const struct run *run = record->run;
    SCOPED_BY(run_texts_end)
    struct run_texts own = run->texts == NULL ? run_texts_of(run) : (struct run_texts){0};
    char *const *texts = (run->texts == NULL ? &own : run->texts)->cells;
    for (unsigned i = 0; i < count; i++)
        put_cell(cells, record, texts, columns == NULL ? i : columns[i], all_moves);
}

void record_run_id(struct run *run)
{
    SCOPED_BY(forget) struct cells cells = {0};
    put_cells(&cells, &(struct record){.run = run}, determining, DETERMINING, false);
    hash_determining(&cells, run->id);
}

/* All cells in their order; the last one, row_hash, is that of the others. */
static void write_cells(struct cells *cells, const struct record *record, bool all_moves)
{
    static_assert(COLUMN_row_hash == COLUMNS - 1, "row_hash is the last column");
    char row_hash[ROW_HASH_BYTES];
    put_cells(cells, record, NULL, COLUMN_row_hash, all_moves);
    joined_row_hash(cells->text, cells->length, row_hash);
    put_text(cells, row_hash);
    put_end(cells);
}

char **record_cells(const struct record *record, bool all_moves)
{
    SCOPED_BY(forget) struct cells cells = {0};
    char **texts = heap_take(COLUMNS, sizeof *texts);
    write_cells(&cells, record, all_moves);
    for (unsigned i = 0; i < COLUMNS; i++)
        texts[i] = heap_text(cells.text + (i == 0 ? 0 : cells.ends[i - 1]));
    return texts;
}

void cells_end(char **cells)
{
    heap_free_texts(cells, cells == NULL ? 0 : COLUMNS);
}

char *cells_line(const char *const *texts)
{
    size_t length = 1;
    for (unsigned i = 0; i < COLUMNS; i++)
        length += 2 * strlen(texts[i]) + CSV_QUOTES + 1;
    char *line = heap_resize(NULL, length);
    char *at = line;
    for (unsigned i = 0; i < COLUMNS; i++) {
        at = csv_put_field(at, texts[i], strlen(texts[i]));
        *at++ = i + 1 < COLUMNS ? ',' : '\n';
    }
    *at = '\0';
    return line;
}

char *record_line(const struct record *record, bool all_moves)
{
    SCOPED_BY(forget) struct cells cells = {0};
    const char *texts[COLUMNS];
    write_cells(&cells, record, all_moves);
    for (unsigned i = 0; i < COLUMNS; i++)
        texts[i] = cells.text + (i == 0 ? 0 : cells.ends[i - 1]);
    return cells_line(texts);
}

void record_time(char text[32])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
