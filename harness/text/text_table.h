/* A table for people: aligned columns of text, with headings that may be grouped.
 *
 * Neighbouring columns with the same group (the same text) share it as one more heading above
 * theirs. Widths are counted in characters. Headings and cells may come from anywhere: they are
 * made harmless (base/report.h, text_printable). */
#ifndef TEXT_TEXT_TABLE_H
#define TEXT_TEXT_TABLE_H

#include "base/compiler.h"
#include <stddef.h>
#include <stdio.h>

enum { TEXT_TABLE_WIDTH = 110 }; /* what tables should fit into */

enum align { ALIGN_LEFT, ALIGN_RIGHT };

struct text_column {
    char *group, *heading; /* owned; no group is "" */
    enum align align;
    size_t width;
};

struct text_table {
    struct text_column *columns;
    size_t column_count;
    char **cells; /* row-major, owned */
    size_t cell_count;
};

/* A zeroed struct text_table is an empty table. All columns come first, then the cells. */
void text_table_column(struct text_table *table, const char *group, const char *heading,
                       enum align align);
void text_table_cell(struct text_table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/* How wide the lines are. */
size_t text_table_width(const struct text_table *table);

void text_table_print(const struct text_table *table, FILE *file);
void text_table_end(struct text_table *table);

#endif
