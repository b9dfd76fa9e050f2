/* A row of runs.csv as it is written: what was run and with what result. */
#pragma once

#include "harness/results/columns.h"
#include "harness/results/run.h"

/* Cells are COLUMNS texts, in the order of harness/results/columns.h. */

enum { ROW_HASH_BYTES = 17, MOVES_SHOWN = 1000 };

struct record {
    const struct run *run;
    const struct result *result;
    const struct answer *answer; /* of an external solver; NULL: it said nothing, so that none of
                                    its counters is known */
    const char *impossible;      /* of its counters: what no search can count; NULL: nothing */
    const uint64_t *cover;       /* row_cover.h; NULL: none */
    const char *control;         /* its control run; NULL: none */
    const uint64_t *events; /* EVENTS of them, EVENT_UNKNOWN where not counted; NULL: none is */
    const char *host;
    const char *finished_at; /* UTC, as 2026-01-31T23:59:59Z */
};

/* The cells that follow from a run's solver and its limits; owned. */
enum run_text {
    TEXT_heuristic,
    TEXT_options,
    TEXT_options_json,
    TEXT_limit_s,
    TEXT_limit_nodes,
    TEXT_limit_bytes,
    TEXT_limit_cpu_s,
    TEXTS
};
struct run_texts {
    char *cells[TEXTS];
};
struct run_texts run_texts_of(const struct run *run);
void run_texts_end(struct run_texts *texts);

/* Fills in a run's id, the hash of what determines it: the instance, goal, solver, order, limits,
 * repetition and this build; of a solver that has files of its own (options_json names them under
 * "files", with their hashes), options_json too, and the limit of processor time where there is
 * one. */
void record_run_id(struct run *run);

/* The same from a row's own cells (COLUMNS texts), except the cell run_id. */
void cells_run_id(const char *const *cells, char run_id[RUN_ID_BYTES]);

/* The hash of a row's cells (COLUMNS texts), except the cell row_hash and those that are NULL: the
 * row was written without them. */
void cells_row_hash(const char *const *cells, char row_hash[ROW_HASH_BYTES]);

/* The same from the text of all these cells, each with its zero byte, in the order of the columns.
 * Of a hash that a spreadsheet would take for a number (digits, among them perhaps one e) the first
 * digit d is the letter a + d mod 6. */
void joined_row_hash(const char *text, size_t bytes, char row_hash[ROW_HASH_BYTES]);

/* Whether a row_hash is that of a cell; older versions wrote a digit where the letter is. */
bool row_hash_fits(const char *row_hash, const char *cell);

/* What a cell of a column of numbers (COLUMN_wall_s, ..) holds: the shortest text that reads back
 * as the number, with up to nine decimals. */
enum { NUMBER_TEXT = 48 };
void number_text(unsigned column, double number, char text[NUMBER_TEXT]);

/* A record's line with its newline, in heap memory. Paths of more than MOVES_SHOWN moves are left
 * empty unless `all_moves`. */
char *record_line(const struct record *record, bool all_moves);

/* A record's cells as texts, in heap memory: cells_end. No cell holds a control character. */
char **record_cells(const struct record *record, bool all_moves);
void cells_end(char **cells);

/* A row's cells (COLUMNS texts) as its line, with its newline; heap memory. */
char *cells_line(const char *const *cells);

/* The current time in the form of finished_at. */
void record_time(char text[32]);
