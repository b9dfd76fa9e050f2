/* A tidy table: named columns, one observation per row, with full numbers for programs and the same
 * cells for people.
 *
 * Each column says its unit and what it means. The tables of a results folder have theirs from
 * results/columns.h.
 *
 * It is built row-major, cell by cell, and written as CSV or turned into JSON. A missing number
 * (NaN) is an empty cell or null. Whole numbers are written in full, others with TIDY_DIGITS
 * significant digits: few enough to hide the last bits of a math library. */
#ifndef TEXT_TIDY_H
#define TEXT_TIDY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TIDY_DIGITS = 12 };

/* How the numbers of a column are shown to people. */
enum tidy_shape {
    SHAPE_NUMBER, /* human_count; human_seconds and human_bytes by the unit */
    SHAPE_MEAN,   /* the same, but human_mean for what has no unit */
    SHAPE_RATIO,  /* human_ratio */
    SHAPE_FACTOR, /* human_factor */
    SHAPE_P,      /* human_p */
    SHAPE_SHARE,  /* two decimals */
    SHAPE_FULL,   /* all digits that CSV has */
    SHAPE_TEXT,   /* texts, left-aligned */
};

struct tidy_cell {
    char *text; /* owned; NULL for a number */
    char *mark; /* owned; shown to people after the number, such as " (7/10)"; or NULL */
    double number;
};

struct tidy_heading {
    char *name, *unit, *meaning; /* owned; no unit is "" */
    char *heading;               /* owned; what people see instead of the name; or NULL */
    enum tidy_shape shape;
    bool hidden;   /* for programs alone */
    bool section;  /* of texts: on a terminal a line of its own, where it changes */
    unsigned rank; /* as text_table_rank (text/text_table.h) */
};

struct tidy {
    struct tidy_heading *columns;
    size_t column_count;
    struct tidy_cell *cells;
    size_t cell_count;
    bool ranked; /* on a narrow terminal columns are left out; else they go on in a table below */
};

/* A zeroed struct tidy is an empty table. All columns come first, then the cells. */
void tidy_column(struct tidy *tidy, const char *name, const char *unit, const char *meaning);
void tidy_text(struct tidy *tidy, const char *text);
void tidy_number(struct tidy *tidy, double number);

/* Several numbers in one call. */
void tidy_add_numbers(struct tidy *tidy, const double *numbers, size_t count);
#define tidy_numbers(tidy, ...)                                                                    \
    tidy_add_numbers(tidy, (const double[]){__VA_ARGS__},                                          \
                     sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* Adds a row of empty cells; and fills a cell of the last row, by its column's number. */
void tidy_row(struct tidy *tidy);
void tidy_set_text(struct tidy *tidy, size_t column, const char *text);
void tidy_set_number(struct tidy *tidy, size_t column, double number);

/* For people: how the last column is shown, its name, that only programs see it, that it divides
 * the rows on a terminal, when it is left out there, and what follows the last cell. */
void tidy_shape(struct tidy *tidy, enum tidy_shape shape);
void tidy_heading(struct tidy *tidy, const char *heading);
void tidy_hide(struct tidy *tidy);
void tidy_section(struct tidy *tidy);
void tidy_rank(struct tidy *tidy, unsigned rank);
void tidy_mark(struct tidy *tidy, const char *mark);

/* A cell (by its number, row by row) as shown to people; heap memory, free(). */
char *tidy_shown(const struct tidy *tidy, size_t cell);

/* The cells as CSV, with a header. */
void tidy_csv(const struct tidy *tidy, FILE *file);

/* Writes FOLDER/FILE as CSV, whole or not at all: a temporary file in the folder is renamed when it
 * is complete. False, with errno (file_problem), on failure: no link of that name is followed. */
bool tidy_write(const struct tidy *tidy, const char *folder, const char *file);

/* An array with an object for each row; a new reference. Bytes of a text that are not UTF-8, which
 * JSON cannot hold, are '?'. */
json_t *tidy_json(const struct tidy *tidy);

void tidy_end(struct tidy *tidy);

#endif
