/* A tidy table for programs: named columns, one observation a row, numbers in full.
 *
 * Each column says its unit and what it means, so that the table's page in the manual is made from
 * the same calls as its header.
 *
 * It is built row-major, cell by cell, and written as CSV or turned into JSON. A missing number
 * (NaN) is an empty cell or null. Whole numbers are written in full, others with TIDY_DIGITS
 * significant digits: few enough that the last bits of a math library do not show. */
#ifndef TEXT_TIDY_H
#define TEXT_TIDY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { TIDY_DIGITS = 12 };

struct tidy_cell {
    char *text; /* owned; NULL for a number */
    double number;
};

struct tidy_heading {
    char *name, *unit, *meaning; /* owned; no unit is "" */
};

struct tidy {
    struct tidy_heading *columns;
    size_t column_count;
    struct tidy_cell *cells;
    size_t cell_count;
};

/* A zeroed struct tidy is an empty table. All columns come first, then the cells. */
void tidy_column(struct tidy *tidy, const char *name, const char *unit, const char *meaning);
void tidy_text(struct tidy *tidy, const char *text);
void tidy_number(struct tidy *tidy, double number);

/* Writes FOLDER/FILE as CSV, whole or not at all: a temporary file in the folder gets the name when
 * it is complete. False, with errno, on failure. */
bool tidy_write(const struct tidy *tidy, const char *folder, const char *file);

/* An array with an object for each row; a new reference. Bytes of a text that are not UTF-8, which
 * JSON cannot hold, are '?'. */
json_t *tidy_json(const struct tidy *tidy);

void tidy_end(struct tidy *tidy);

#endif
