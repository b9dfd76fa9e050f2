/* A tidy table: named columns, one observation per row, with full numbers for programs and the same
 * cells for people.
 *
 * Each column says its unit and what it means. The tables of a results folder have theirs from
 * results/columns.h.
 *
 * It is built row-major, cell by cell, and written as CSV or turned into JSON. A missing number
 * (NaN) is an empty cell or null. Whole numbers are written in full, others with TIDY_DIGITS
 * significant digits: few enough to hide the last bits of a math library. */
#pragma once

#include "base/compiler.h"
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
    SHAPE_P,      /* human_p */
    SHAPE_SHARE,  /* two decimals */
    SHAPE_FIXED,  /* as many decimals as tidy_fixed says; in JSON a fraction even if it is whole */
    SHAPE_FULL,   /* all digits that CSV has */
    SHAPE_TEXT,   /* texts, left-aligned */
    SHAPE_TRUTH,  /* yes or no, left-aligned; in JSON true or false */
};

struct tidy_cell {
    char *text;  /* owned; NULL for a number */
    char *shown; /* owned; what people see instead; or NULL */
    double number;
};

struct tidy_heading {
    char *name, *unit, *meaning; /* owned; no unit is "" */
    char *heading;               /* owned; what people see instead of the name; or NULL */
    enum tidy_shape shape;
    int decimals;  /* of SHAPE_FIXED */
    bool hidden;   /* for programs alone */
    bool section;  /* of texts: on a terminal a line of its own, where it changes */
    bool prose;    /* of texts: on a narrow terminal it continues on the next line */
    unsigned rank; /* on a narrow terminal the highest rank is left out first; 0: never */
};

struct tidy {
    struct tidy_heading *columns;
    size_t column_count;
    struct tidy_cell *cells;
    size_t cell_count;
    bool ranked; /* on a narrow terminal columns are left out; else they go on in a table below */
    bool markup; /* its texts are the program's own and may hold Markdown */
};

/* A zeroed struct tidy is an empty table. All columns come first. Each returns the column that it
 * adds, whose other members may be set until the next is added. A column of a shape of its own has
 * no meaning to explain. */
struct tidy_heading *tidy_column(struct tidy *tidy, const char *name, const char *unit,
                                 const char *meaning);
struct tidy_heading *tidy_column_as(struct tidy *tidy, const char *name, const char *unit,
                                    enum tidy_shape shape);

/* One with so many decimals. */
void tidy_fixed(struct tidy *tidy, const char *name, int decimals);

/* Several, of which the last is returned: their names divided by |, behind each its unit in
 * brackets and, after a colon, a letter for its shape (t text, m mean, r ratio, p, s share, f full,
 * a digit: so many decimals), - if it is hidden, and ^ with its rank:
 * "solver:t|time[s]:^1|ratio:r|runs:f-".
 */
struct tidy_heading *tidy_heads(struct tidy *tidy, const char *heads);

/* Then come the cells; a text may be made as printf would. */
void tidy_text(struct tidy *tidy, const char *text);
void tidy_format(struct tidy *tidy, const char *format, ...) PRINTF_LIKE(2, 3);
void tidy_number(struct tidy *tidy, double number);

/* Several texts (%s) and numbers (%g), as their format says; and numbers alone. */
void tidy_add(struct tidy *tidy, const char *format, ...) PRINTF_LIKE(2, 3);
void tidy_add_numbers(struct tidy *tidy, const double *numbers, size_t count);
#define tidy_numbers(tidy, ...)                                                                    \
    tidy_add_numbers(tidy, (const double[]){__VA_ARGS__},                                          \
                     sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* Adds a row of empty cells; and fills a cell of the last row, by its column's number. */
void tidy_row(struct tidy *tidy);
void tidy_set_text(struct tidy *tidy, size_t column, const char *text);
void tidy_set_number(struct tidy *tidy, size_t column, double number);

/* The rank of the last column: it may be left out on a narrow terminal. */
void tidy_rank(struct tidy *tidy, unsigned rank);

/* For people: what they see in place of the last cell, or after it, such as " (7/10)". */
void tidy_show(struct tidy *tidy, const char *format, ...) PRINTF_LIKE(2, 3);
void tidy_mark(struct tidy *tidy, const char *mark);

/* A cell (by its number, row by row) and the heading of a column as shown to people; heap memory,
 * free(). */
char *tidy_shown(const struct tidy *tidy, size_t cell);
char *tidy_heading_shown(const struct tidy_heading *column);

/* Whether a column is of texts, which are left-aligned. */
bool tidy_is_text(const struct tidy *tidy, size_t column);

size_t tidy_rows(const struct tidy *tidy);

/* The number of the column of this name; SIZE_MAX if there is none. */
size_t tidy_find(const struct tidy *tidy, const char *name);

/* The cells as CSV, with a header. */
void tidy_csv(const struct tidy *tidy, FILE *file);

/* Writes FOLDER/FILE as CSV, whole or not at all: a temporary file in the folder is renamed when it
 * is complete. False, with errno (file_problem), on failure: no link of that name is followed. */
bool tidy_write(const struct tidy *tidy, const char *folder, const char *file);

/* A text, which may come from anywhere: bytes that are not UTF-8, which JSON cannot hold, are '?'.
 */
json_t *json_text(const char *text);

/* An array of an item for each i below a count, JSON_ARRAY(i, count, json_text(texts[i])); items
 * that are NULL are left out. A new reference. */
#define JSON_ARRAY(i, count, item)                                                                 \
    __extension__({                                                                                \
        json_t *array_made = json_array();                                                         \
        for (size_t i = 0; i < (size_t)(count); i++)                                               \
            json_array_append_new(array_made, item);                                               \
        array_made;                                                                                \
    })

/* JSON as text, written as json_dumps is told; heap memory. Ends the program if that is exhausted.
 */
char *json_written(const json_t *json, size_t flags);

/* An array with an object for each row; a new reference. */
json_t *tidy_json(const struct tidy *tidy);

/* Prints the table for a terminal, within screen_width(file) (text/screen.h) or within so many
 * characters, as far as texts and ranks allow (write_text.c). Returns whether columns were left
 * out; a line below then names them. */
bool tidy_print(const struct tidy *tidy, FILE *file);
bool tidy_print_within(const struct tidy *tidy, size_t width, FILE *file);

void tidy_end(struct tidy *tidy);
