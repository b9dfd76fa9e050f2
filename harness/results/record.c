#include "harness/results/record.h"
#include "base/heap.h"
#include "harness/results/version.h"
#include "instances/csv.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

/* The columns before and after the counters. */
#define LEADING_COLUMNS(COLUMN)                                                                    \
    COLUMN(run_id, "hash of what determines the run")                                              \
    COLUMN(experiment, "the experiment's name")                                                    \
    COLUMN(set, "the instance set")                                                                \
    COLUMN(instance, "the instance's name in its set")                                             \
    COLUMN(width, "columns of the board")                                                          \
    COLUMN(height, "rows of the board")                                                            \
    COLUMN(start, "the start, row by row, 0 is the blank")                                         \
    COLUMN(goal, "the goal, row by row")                                                           \
    COLUMN(optimal_length, "the shortest solution's moves, where known")                           \
    COLUMN(solver, "the solver in its short form")                                                 \
    COLUMN(algorithm, "its algorithm")                                                             \
    COLUMN(heuristic, "its heuristic, if any")                                                     \
    COLUMN(options, "its options that differ from the defaults")                                   \
    COLUMN(order, "the operator order")                                                            \
    COLUMN(repetition, "1 for the first run of this solver on this instance")                      \
    COLUMN(status, "how the run ended (tilelab list statuses)")                                    \
    COLUMN(length, "moves of the solution found")                                                  \
    COLUMN(moves,                                                                                  \
           "the solution: directions of the blank; empty above 1,000 moves unless asked for")      \
    COLUMN(h_start, "the heuristic's value at the start")
#define TRAILING_COLUMNS(COLUMN)                                                                   \
    COLUMN(wall_s, "seconds of wall time, the search alone")                                       \
    COLUMN(cpu_s, "seconds of processor time, the search alone")                                   \
    COLUMN(host, "the machine's name")                                                             \
    COLUMN(finished_at, "when the run ended, UTC")

enum {
#define COLUMN(name, summary) COLUMN_##name,
    LEADING_COLUMNS(COLUMN) FIRST_COUNTER,
    LAST_COUNTER = FIRST_COUNTER + COUNTERS - 1,
    TRAILING_COLUMNS(COLUMN) COLUMNS
#undef COLUMN
};

const struct column *record_columns(size_t *count)
{
    static struct column columns[COLUMNS] = {
#define COLUMN(name, summary) [COLUMN_##name] = {#name, summary},
        LEADING_COLUMNS(COLUMN) TRAILING_COLUMNS(COLUMN)
#undef COLUMN
    };
    for (unsigned i = 0; i < COUNTERS; i++)
        columns[FIRST_COUNTER + i] = (struct column){counters[i].name, counters[i].summary};
    *count = COLUMNS;
    return columns;
}

void record_run_id(const struct instance *instance, const char *solver_text, const char *order,
                   const struct limits *limits, unsigned repetition, char run_id[RUN_ID_BYTES])
{
    char start[BOARD_LINE];
    char goal[BOARD_LINE];
    board_line(&instance->start, start);
    board_line(&instance->goal, goal);
    char *key = heap_format(
        "%s\n%s\n%ux%u\n%s\n%s\n%s\n%s\n%.9g %" PRIu64 " %" PRIu64 "\n%u\n%s\n%s\n%s\n%s\n",
        instance->set, instance->name, instance->start.shape.width, instance->start.shape.height,
        start, goal, solver_text, order, limits->seconds, limits->nodes, limits->bytes, repetition,
        tilelab_version, build_compiler, build_flags, build_sanitizers);
    XXH128_hash_t hash = XXH3_128bits(key, strlen(key));
    snprintf(run_id, RUN_ID_BYTES, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
    free(key);
}

static char *board_text(const struct board *board)
{
    char line[BOARD_LINE];
    board_line(board, line);
    return heap_text(line);
}

char **record_cells(const struct record *record, bool all_moves)
{
    const struct instance *instance = record->instance;
    const struct result *result = record->result;
    const struct solver *solver = record->solver;
    const bool solved = result->status == STATUS_solved;
    char **cells = heap_take(COLUMNS, sizeof *cells);
    cells[COLUMN_run_id] = heap_text(record->run_id);
    cells[COLUMN_experiment] = heap_text(record->experiment);
    cells[COLUMN_set] = heap_text(instance->set);
    cells[COLUMN_instance] = heap_text(instance->name);
    cells[COLUMN_width] = heap_format("%u", instance->start.shape.width);
    cells[COLUMN_height] = heap_format("%u", instance->start.shape.height);
    cells[COLUMN_start] = board_text(&instance->start);
    cells[COLUMN_goal] = board_text(&instance->goal);
    if (instance->optimal_length != LENGTH_UNKNOWN)
        cells[COLUMN_optimal_length] = heap_format("%d", instance->optimal_length);
    cells[COLUMN_solver] = solver_text(solver);
    cells[COLUMN_algorithm] = heap_text(solver->algorithm->name);
    if (solver->heuristic.kind != NULL)
        cells[COLUMN_heuristic] = heuristic_text(&solver->heuristic);
    cells[COLUMN_options] = solver_options_text(solver);
    cells[COLUMN_order] = heap_text(record->order);
    cells[COLUMN_repetition] = heap_format("%u", record->repetition);
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
    cells[COLUMN_host] = heap_text(record->host);
    cells[COLUMN_finished_at] = heap_text(record->finished_at);
    for (unsigned i = 0; i < COLUMNS; i++)
        if (cells[i] == NULL)
            cells[i] = heap_text("");
    return cells;
}

char *record_header(void)
{
    size_t count;
    const struct column *columns = record_columns(&count);
    char *line = heap_text("");
    for (size_t i = 0; i < count; i++) {
        char *longer = heap_format("%s%s%s", line, i == 0 ? "" : ",", columns[i].name);
        free(line);
        line = longer;
    }
    char *whole = heap_format("%s\n", line);
    free(line);
    return whole;
}

char *record_line(const struct record *record, bool all_moves)
{
    char *line = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&line, &length);
    if (stream == NULL)
        heap_exhausted();
    char **cells = record_cells(record, all_moves);
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (i > 0)
            fputc(',', stream);
        csv_write_field(stream, cells[i]);
        free(cells[i]);
    }
    free(cells);
    fputc('\n', stream);
    if (fclose(stream) != 0)
        heap_exhausted();
    return line;
}

void record_time(char text[32])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
