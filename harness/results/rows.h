/* Rows of runs.csv as they are read: cells with their types, by the table of columns.
 *
 * Columns are found by their names, so that their order does not matter and a file may have others
 * besides. A row that is not well formed, a cell that is not of its column's type and an empty one
 * that may not be are reported with their place; such a row is skipped and counted. In a
 * file that lacks some of the columns, and so is another program's, cells may be empty and times
 * may have any form. A torn last row (being written, or cut off) is left out. One row is held at a
 * time.
 *
 *     struct rows rows;
 *     struct row row;
 *     if (rows_start(&rows, file, NULL, 0, &report))
 *         while (rows_next(&rows, &row))
 *             use(row.cells[COLUMN_expanded].integer);
 *     rows_end(&rows); */
#ifndef RESULTS_ROWS_H
#define RESULTS_ROWS_H

#include "harness/results/columns.h"
#include "instances/csv.h"
#include "puzzle/board.h"
#include "search/task.h"

struct cell {
    const char *text; /* "" where the cell is empty or the file has no such column; valid until the
                         next rows_next */
    size_t column;    /* where it starts in its line, from 1, in bytes */
    union {           /* by the column's type; 0 where the text is empty */
        uint64_t integer;
        double number;
        enum status status;
    };
};

struct row {
    size_t line; /* from 1 */
    struct cell cells[COLUMNS];
    struct board start, goal; /* from row_boards */
    bool whole; /* row_hash fits the other cells, or the file lacks one of the columns */
};

struct rows {
    struct csv csv; /* csv.bad: rows that were skipped or blamed; csv.cut: the last one was torn */

    /* Private. */
    size_t places[COLUMNS]; /* in the file; CSV_NONE: it has no such column */
    bool hashed;            /* it has all columns */
};

/* Starts reading `file`, which must outlive the reader and stand at its beginning. The columns
 * `needed` (COLUMN_run_id and so on, `count` of them; NULL: all) must be there. False, and a
 * problem in the report, when one is missing or there is no header. rows_end is due in either case.
 */
bool rows_start(struct rows *rows, FILE *file, const unsigned *needed, size_t count,
                struct report *report);

/* The next row whose cells all have their types; false at the end of the file. Whether it is whole
 * is for the caller to look at. */
bool rows_next(struct rows *rows, struct row *row);

/* Reads the boards of the row that rows_next returned last, where the file has these columns.
 * False, and the row reported, where they are none. */
bool row_boards(struct rows *rows, struct row *row);

/* What a row says of its run. The path is the row's own text (NULL where it has none): no
 * result_end. */
struct result row_result(const struct row *row);

/* The cells' texts, COLUMNS of them. */
void row_texts(const struct row *row, const char *texts[COLUMNS]);

void rows_end(struct rows *rows);

#endif
