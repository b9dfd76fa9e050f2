/* The columns of the tables of a results folder: one typed table for each, which its writer and
 * reader, `tilelab list columns`, the manual and datapackage.json follow. */
#pragma once

#include "harness/text/tidy.h"
#include "search/statistics.h"

enum column_type {
#define TYPE(name, word, kind, pattern, good, expected) COLUMN_TYPE_##name,
#include "harness/results/types.def"
#undef TYPE
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
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning) COLUMN_##name,
#include "harness/results/columns.def"
#undef COLUMN
    COLUMN_row_hash,
    COLUMNS,
    FIRST_COUNTER = COLUMN_expanded, /* the counters are consecutive */
    FIRST_LATER = COLUMN_build       /* older files may lack columns from here on, the last first */
};

/* Of runs.csv, by COLUMN_run_id and so on. */
extern const struct column row_columns[COLUMNS];

/* Whether a plugin's algorithm always has this counter, as tilelab counts it; of the others, it has
 * those that are not 0. */
static inline bool counter_of_plugins(unsigned counter)
{
    const unsigned column = FIRST_COUNTER + counter;
    return column == COLUMN_expanded || column == COLUMN_generated || column == COLUMN_iterations ||
           column == COLUMN_peak_bytes;
}

/* What the times and bytes of a row are of: the column `measured`. */
enum measured {
    MEASURED_SEARCH,  /* the search alone, by the program's own clock and allocator */
    MEASURED_PROCESS, /* an external solver's whole process, by the system */
    MEASURED_ANSWER,  /* one answer of a persistent one */
    MEASURED
};
extern const char *const measured_names[MEASURED];

/* That of a cell; of a file without the column, too, it is the search. */
enum measured measured_of(const char *name);

/* Of the derived tables. Columns of spreads follow one another, in the order of metrics.def. */
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning) SUMMARY_##name,
enum {
#include "harness/results/summary.def"
    SUMMARY_COLUMNS
};
#undef COLUMN
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning) BY_DEPTH_##name,
enum {
#include "harness/results/by_depth.def"
    BY_DEPTH_COLUMNS
};
#undef COLUMN
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning) PAIRS_##name,
enum {
#include "harness/results/pairs.def"
    PAIRS_COLUMNS
};
#undef COLUMN
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning) EXPECT_##name,
enum {
#include "harness/results/expect.def"
    EXPECT_COLUMNS
};
#undef COLUMN

/* Of control.csv. */
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning) CONTROL_##name,
enum {
#include "harness/results/control.def"
    CONTROL_COLUMNS
};
#undef COLUMN

/* Fills a cell of the last row of a `tidy` by the type of its column: for the values that the rows
 * of the derived tables have. */
#define SET_TEXT(column, value)    tidy_set_text(tidy, column, value);
#define SET_NUMBER(column, value)  tidy_set_number(tidy, column, (double)(value));
#define SET_INTEGER(column, value) SET_NUMBER(column, value)
#define SET_SIGNED(column, value)  SET_NUMBER(column, value)

/* The tables that a results folder may hold. */
enum table {
    TABLE_RUNS,
    TABLE_ROUNDS,
    TABLE_INCUMBENTS,
    TABLE_MESSAGES,
    TABLE_POINTS,
    TABLE_CONTROL,
    TABLE_SUMMARY,
    TABLE_BY_DEPTH,
    TABLE_PAIRS,
    TABLE_EXPECT,
    TABLES,
    FIRST_DERIVED = TABLE_SUMMARY /* the tables from here on are made from the rows */
};

struct table_schema {
    const char *name; /* the file's, without .csv */
    const char *description;
    const struct column *columns;
    size_t column_count;
    const char *key; /* the column that no two rows share; NULL: none */
    bool open;       /* a file may have other columns, too, and these in any order */
};

extern const struct table_schema table_schemas[TABLES];

/* An empty table with those columns; tidy_end. */
struct tidy table_start(enum table table);
