/* The columns of runs.csv: one typed table that the writer, the reader, `tilelab list columns` and
 * `rerun` follow (results/columns.def). */
#ifndef RESULTS_COLUMNS_H
#define RESULTS_COLUMNS_H

#include "search/statistics.h"
#include <stdbool.h>
#include <stddef.h>

enum column_type {
    COLUMN_TYPE_TEXT,
    COLUMN_TYPE_BOARD,   /* the tiles of the board, row by row */
    COLUMN_TYPE_INTEGER, /* 0 or more */
    COLUMN_TYPE_NUMBER,  /* a decimal number, 0 or more */
    COLUMN_TYPE_STATUS,
    COLUMN_TYPE_MOVES,
    COLUMN_TYPE_TIME,
    COLUMN_TYPE_JSON, /* an object */
    COLUMN_TYPE_HASH, /* hexadecimal digits, an even number of them */
    COLUMN_TYPES
};

/* "text", "board", .. */
extern const char *const column_type_names[COLUMN_TYPES];

struct column {
    const char *name;
    enum column_type type;
    const char *unit; /* "" if it has none */
    bool may_be_empty;
    bool repeats; /* a rerun of the row must give the same value, with any build on any machine */
    const char *meaning;
};

enum {
#define COLUMN(name, type, unit, may_be_empty, repeats, meaning) COLUMN_##name,
#include "harness/results/columns.def"
#undef COLUMN
    COLUMNS,
    FIRST_COUNTER = COLUMN_expanded /* the counters are consecutive */
};

/* By COLUMN_run_id and so on. */
extern const struct column row_columns[COLUMNS];

#endif
