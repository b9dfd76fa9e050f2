/* Rows of runs.csv as they are read: cells with their types, by the table of columns.
 *
 * Columns are found by their names, so their order does not matter and a file may have others.
 * Malformed rows, cells that do not have their column's type, and empty cells that may not be empty
 * are reported with their place; such a row is skipped and counted. In a file that lacks some
 * columns, and so comes from another program, cells may be empty and times may have any form; one
 * that lacks only the last columns before row_hash (FIRST_LATER) is of an older version. A
 * torn last row (being written, or cut off) is left out.
 *
 * A large file is read piece by piece; several processors cut the lines of pieces and check the
 * cells, and the rows are handed out in their order, with problems reported where they are due, as
 * if one had read them all.
 *
 *     struct rows rows;
 *     struct row *row;
 *     if (rows_start(&rows, file, NULL, 0, &report))
 *         while ((row = rows_next(&rows)) != NULL)
 *             use(row->cells[COLUMN_expanded].integer);
 *     rows_end(&rows); */
#pragma once

#include "harness/results/record.h"
#include "instances/csv.h"

struct cell {
    const char *text; /* "" if the cell is empty or the file has no such column; valid until the
                         next rows_next */
    size_t column;    /* where it starts in its line, from 1, in bytes */
    union {           /* by the column's type; 0 if the text is empty */
        uint64_t integer;
        double number;
        enum status status;
    };
};

struct row {
    size_t line; /* from 1 */
    struct cell cells[COLUMNS];
    struct board start, goal; /* from row_boards */
    bool whole;        /* row_hash fits the other cells, but for the form of numbers; or the file
                          lacks one of the columns */
    uint64_t notes[3]; /* of the caller; 0 at first */
};

struct rows {
    /* Of the caller, after rows_start; NULL: all rows are wanted. Lines that begin with another
     * run_id are skipped, unread, if the file has the columns alone, in their order. Several
     * threads ask. */
    bool (*wanted)(const void *context, const char *run_id);
    const void *context;
    struct csv csv; /* csv.bad: rows that were skipped or blamed; csv.cut: the last one was torn */

    /* Private. */
    size_t places[COLUMNS];             /* in the file; CSV_NONE: it has no such column */
    bool hashed;                        /* it has all columns, but for FIRST_LATER */
    bool in_order;                      /* it has these columns alone, in their order */
    struct row own;                     /* of a line that was not read ahead */
    char numbers[COLUMNS][NUMBER_TEXT]; /* of the row at hand, as tilelab writes them */
    struct rows_work *work;             /* owned; the lines at hand, in pieces */
    size_t piece, next;                 /* which of their lines comes next */
    struct crew *crew;                  /* NULL while one thread will do */
    bool busy;                          /* it reads */
    unsigned threads;
    size_t piece_bytes;
};

/* Starts reading `file`, which must outlive the reader and be at its beginning. The columns
 * `needed` (COLUMN_run_id and so on, `count` of them; NULL: all) must exist. False, with a problem
 * in the report, if one is missing or there is no header. Call rows_end in either case. */
bool rows_start(struct rows *rows, FILE *file, const unsigned *needed, size_t count,
                struct report *report);

/* How large files are read, after rows_start, for tests: in pieces of this many bytes, by this many
 * threads. */
void rows_divide(struct rows *rows, size_t piece_bytes, unsigned threads);

/* The next row whose cells all have their types, valid until the next call; NULL at the end of the
 * file. The caller checks whether it is whole. */
struct row *rows_next(struct rows *rows);

/* The row `lines` lines after the one that rows_next returned last, if it is read already; else
 * NULL. */
struct row *rows_ahead(struct rows *rows, size_t lines);

/* Reads the boards of the row that rows_next returned last, if the file has these columns. False,
 * and the row reported, if they are not boards. */
bool row_boards(struct rows *rows, struct row *row);

/* What a row says about its run. The path is the row's own text (NULL if it has none), so
 * result_end must not be called. */
struct result row_result(const struct row *row);

/* The cells' texts, COLUMNS of them. */
void row_texts(const struct row *row, const char *texts[COLUMNS]);

void rows_end(struct rows *rows);
