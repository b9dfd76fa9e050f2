/* Rows made anew from what programs printed in their runs (results/run_logs.h), after the
 * experiment says in another way how that is read: parse, optimal, moves.
 *
 * An old row is found by all else that determines a run; its new one has another run_id, under
 * which its log then lies. What was measured stays as it was, and all else comes about as in a run:
 * external/printed.h reads, row_sink.h judges and writes. */
#pragma once

#include "harness/execution/resume.h"
#include "harness/execution/row_sink.h"
#include "harness/results/run_tables.h"

/* What became of the rows; starts as {0}. */
struct reparsed {
    bool dry;      /* filled in by the caller: write nothing */
    size_t rows;   /* made anew */
    size_t *cells; /* owned; by solver * COLUMNS + column: in how many rows the cell is another;
                      NULL: no row was made anew */
    struct staying_row {
        char *what; /* owned; "SOLVER on SET/INSTANCE, row RUN_ID" */
        char *why;  /* owned; "its log is damaged" */
    } * staying;    /* owned; rows whose runs the experiment has, but that stay as they are */
    size_t staying_count;
    size_t others;         /* rows of other runs, and */
    char *others_text;     /* owned; which; NULL: none */
    struct table_run *now; /* owned; the rows after that */
    size_t now_count;
    char (*old)[RUN_ID_BYTES]; /* owned; of the rows made anew */
};

/* Hands the rows of an open folder that are made anew to the sink, which has them replace the old
 * ones when it is synced. `done`: the runs that have a row. */
enum ending reparse_rows(struct folder *folder, const struct run_ids *ids, const bool *done,
                         struct row_sink *sink, struct resumed *resumed, struct reparsed *reparsed);

/* Once the rows are replaced: removes what is left of the old ones beside runs.csv. */
enum ending reparse_tidy(struct folder *folder, struct reparsed *reparsed);

void reparsed_end(struct reparsed *reparsed);
