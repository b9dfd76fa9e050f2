/* A table for people: aligned columns of text, with headings that may be grouped.
 *
 * On a terminal that is too narrow for it, texts in columns of prose continue on the next line, and
 * columns that need not be shown are left out and named below; if all columns are wanted, the table
 * is printed in parts, one below the other.
 *
 * Neighbouring columns with the same group (the same text) share it as a heading above their own.
 * Widths are counted in characters. Headings and cells may come from anywhere, so they are made
 * harmless (text_printable in base/report.h). */
#ifndef TEXT_TEXT_TABLE_H
#define TEXT_TEXT_TABLE_H

#include "base/compiler.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum align { ALIGN_LEFT, ALIGN_RIGHT };

/* When a column's texts are broken into lines. */
enum breaking {
    BREAKING_NEVER,
    BREAKING_FIRST,   /* at blanks, before any column is left out */
    BREAKING_LAST,    /* at blanks and within names, where leaving out columns was not enough */
    BREAKING_HEADING, /* private: of headings, where need be */
};

struct text_column {
    char *group, *heading; /* owned; no group is "" */
    enum align align;
    size_t width;
    enum breaking breaking;
    unsigned rank; /* the columns of the highest rank are left out first; 0: always shown */
};

/* A line of its own across all columns. */
struct text_section {
    size_t row; /* before which it stands */
    char *text; /* owned */
};

struct text_table {
    struct text_column *columns;
    size_t column_count;
    char **cells; /* row-major, owned */
    size_t cell_count;
    struct text_section *sections;
    size_t section_count;
};

/* A zeroed struct text_table is an empty table. All columns come first, then the cells. */
void text_table_column(struct text_table *table, const char *group, const char *heading,
                       enum align align);
void text_table_cell(struct text_table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/* A line before the row that comes next, which has more rows below it. */
void text_table_section(struct text_table *table, const char *text);

/* Settings of the column that was added last: when it is broken (BREAKING_FIRST, BREAKING_LAST),
 * and when it is left out. */
void text_table_prose(struct text_table *table);
void text_table_break_last(struct text_table *table);
void text_table_rank(struct text_table *table, unsigned rank);

/* The width of the lines if nothing is left out or broken. */
size_t text_table_width(const struct text_table *table);

/* Prints the table within screen_width(file) (text/screen.h), or within that many characters, as
 * far as prose and ranks allow. Returns whether columns were left out; a line below then names
 * them. */
bool text_table_print(const struct text_table *table, FILE *file);
bool text_table_print_within(const struct text_table *table, FILE *file, size_t width);

/* Prints all columns, in as many tables as the width needs, each of which begins with the first
 * column. Long headings stand in several lines then. */
void text_table_print_parts(const struct text_table *table, FILE *file);
void text_table_print_parts_within(const struct text_table *table, FILE *file, size_t width);

/* An array with an object for each row, its keys the headings; cells that are numbers as numbers,
 * "-" as null. A new reference. */
json_t *text_table_json(const struct text_table *table);

void text_table_end(struct text_table *table);

#endif
