#include "harness/results/record.h"
#include "base/heap.h"
#include "harness/results/columns.h"
#include "harness/results/version.h"
#include "instances/csv.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

/* The cells of some columns, each with its zero byte, one after the other in heap memory. */
static char *joined(const char *const *cells, const unsigned *chosen, size_t count, size_t *length)
{
    *length = 0;
    for (size_t i = 0; i < count; i++)
        *length += strlen(cells[chosen[i]]) + 1;
    char *text = heap_resize(NULL, *length);
    char *at = text;
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, cells[chosen[i]]) + 1;
    return text;
}

/* 16 hexadecimal digits and a zero byte. */
static void write_digits(uint64_t hash, char *text)
{
    for (unsigned i = 0; i < 16; i++)
        text[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 0xF];
    text[16] = '\0';
}

void cells_run_id(const char *const *cells, char run_id[RUN_ID_BYTES])
{
    static const unsigned determining[] = {
        COLUMN_set,         COLUMN_instance,    COLUMN_width, COLUMN_height,     COLUMN_start,
        COLUMN_goal,        COLUMN_solver,      COLUMN_order, COLUMN_repetition, COLUMN_limit_s,
        COLUMN_limit_nodes, COLUMN_limit_bytes, COLUMN_build,
    };
    size_t length;
    char *key = joined(cells, determining, sizeof determining / sizeof *determining, &length);
    const XXH128_hash_t hash = XXH3_128bits(key, length);
    write_digits(hash.high64, run_id);
    write_digits(hash.low64, run_id + 16);
    free(key);
}

void cells_row_hash(const char *const *cells, char row_hash[ROW_HASH_BYTES])
{
    unsigned others[COLUMNS];
    size_t count = 0;
    size_t length;
    for (unsigned i = 0; i < COLUMNS; i++)
        if (i != COLUMN_row_hash)
            others[count++] = i;
    char *key = joined(cells, others, count, &length);
    write_digits(XXH3_64bits(key, length), row_hash);
    free(key);
}

/* A text as a cell: a row is one line, so no cell may hold a line end. Heap memory. */
static char *text_cell(const char *text)
{
    char *cell = heap_text(text);
    for (char *at = cell; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7F)
            *at = '?';
    return cell;
}

char *limit_cell(size_t column, const struct limits *limits)
{
    if (column == COLUMN_limit_s)
        return limits->seconds > 0 ? heap_format("%.9g", limits->seconds) : heap_text("");
    const uint64_t limit = column == COLUMN_limit_nodes ? limits->nodes : limits->bytes;
    return limit == 0 ? heap_text("") : heap_format("%" PRIu64, limit);
}

static char *board_text(const struct board *board)
{
    char line[BOARD_LINE];
    board_line(board, line);
    return heap_text(line);
}

/* The cells that determine a run, all others NULL. */
static void fill_determining(char **cells, const struct run *run)
{
    const struct instance *instance = run->instance;
    cells[COLUMN_set] = text_cell(instance->set);
    cells[COLUMN_instance] = text_cell(instance->name);
    cells[COLUMN_width] = heap_format("%u", instance->start.shape.width);
    cells[COLUMN_height] = heap_format("%u", instance->start.shape.height);
    cells[COLUMN_start] = board_text(&instance->start);
    cells[COLUMN_goal] = board_text(&instance->goal);
    cells[COLUMN_solver] = heap_text(run->solver_text);
    cells[COLUMN_order] = heap_text(run->order);
    cells[COLUMN_repetition] = heap_format("%u", run->repetition);
    for (size_t i = COLUMN_limit_s; i <= COLUMN_limit_bytes; i++)
        cells[i] = limit_cell(i, &run->limits);
    cells[COLUMN_build] = heap_text(build_hash);
}

void record_run_id(struct run *run)
{
    char *cells[COLUMNS] = {NULL};
    fill_determining(cells, run);
    cells_run_id((const char *const *)cells, run->id);
    for (size_t i = 0; i < COLUMNS; i++)
        free(cells[i]);
}

static void add_options(json_t *object, const struct option_row *table, const int64_t *values)
{
    for (unsigned i = 0; table[i].kind != OPTION_END; i++) {
        json_t *value = NULL;
        if (values[i] == table[i].fallback)
            continue;
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

static char *options_json(const struct solver *solver)
{
    json_t *object = json_object();
    if (solver->heuristic.kind != NULL)
        add_options(object, solver->heuristic.kind->options, solver->heuristic.options);
    add_options(object, solver->algorithm->options, solver->options);
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
    if (text == NULL)
        heap_exhausted();
    json_decref(object);
    return text;
}

char **record_cells(const struct record *record, bool all_moves)
{
    const struct run *run = record->run;
    const struct instance *instance = run->instance;
    const struct solver *solver = run->solver;
    const struct result *result = record->result;
    const bool solved = result->status == STATUS_solved;
    char row_hash[ROW_HASH_BYTES];
    char **cells = heap_take(COLUMNS, sizeof *cells);
    fill_determining(cells, run);
    cells[COLUMN_run_id] = heap_text(run->id);
    cells[COLUMN_experiment] = text_cell(run->experiment);
    if (instance->optimal_length != LENGTH_UNKNOWN)
        cells[COLUMN_optimal_length] = heap_format("%d", instance->optimal_length);
    cells[COLUMN_algorithm] = heap_text(solver->algorithm->name);
    if (solver->heuristic.kind != NULL)
        cells[COLUMN_heuristic] = heuristic_text(&solver->heuristic);
    cells[COLUMN_options] = solver_options_text(solver);
    cells[COLUMN_status] = heap_text(status_rows[result->status].name);
    if (solved)
        cells[COLUMN_length] = heap_format("%zu", result->length);
    if (solved && (result->length <= MOVES_SHOWN || all_moves))
        cells[COLUMN_moves] = heap_text(result->moves);
    if (result->h_start >= 0)
        cells[COLUMN_h_start] = heap_format("%d", result->h_start);
    for (unsigned i = 0; i < COUNTERS; i++) {
        uint64_t value = statistics_value(&result->statistics, i);
        if (value != 0 || !counters[i].optional)
            cells[FIRST_COUNTER + i] = heap_format("%" PRIu64, value);
    }
    cells[COLUMN_wall_s] = heap_format("%.9f", result->wall_seconds);
    cells[COLUMN_cpu_s] = heap_format("%.9f", result->cpu_seconds);
    cells[COLUMN_host] = text_cell(record->host);
    cells[COLUMN_finished_at] = heap_text(record->finished_at);
    cells[COLUMN_options_json] = options_json(solver);
    for (unsigned i = 0; i < COLUMNS; i++)
        if (cells[i] == NULL)
            cells[i] = heap_text("");
    cells_row_hash((const char *const *)cells, row_hash);
    free(cells[COLUMN_row_hash]);
    cells[COLUMN_row_hash] = heap_text(row_hash);
    return cells;
}

void cells_end(char **cells)
{
    for (size_t i = 0; cells != NULL && i < COLUMNS; i++)
        free(cells[i]);
    free(cells);
}

char *record_header(void)
{
    char *line = heap_text("");
    for (size_t i = 0; i < COLUMNS; i++) {
        heap_append(&line, "%s%s", row_columns[i].name, i + 1 < COLUMNS ? "," : "\n");
    }
    return line;
}

char *record_line(const struct record *record, bool all_moves)
{
    char *line = NULL;
    size_t length = 0;
    FILE *stream = heap_stream(&line, &length);
    char **cells = record_cells(record, all_moves);
    for (unsigned i = 0; i < COLUMNS; i++) {
        csv_write_field(stream, cells[i]);
        fputc(i + 1 < COLUMNS ? ',' : '\n', stream);
    }
    cells_end(cells);
    heap_stream_end(stream);
    return line;
}

void record_time(char text[32])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
