/* Two spaces between columns, none at the end of a line; a wide group heading widens its last
 * column. */
#include "harness/text/text_table.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/text/screen.h"
#include <string.h>

/* How many cells of a terminal a text takes: its characters in UTF-8. */
static size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += (*text & 0xC0) != 0x80;
    return width;
}

enum { GAP = 2 };

/* The column behind the last one of the group that starts at `first`. */
static size_t group_end(const struct text_table *table, size_t first)
{
    size_t end = first + 1;
    while (end < table->column_count && *table->columns[first].group != '\0' &&
           strcmp(table->columns[end].group, table->columns[first].group) == 0)
        end++;
    return end;
}

static size_t span_width(const struct text_table *table, size_t first, size_t end)
{
    size_t width = 0;
    for (size_t i = first; i < end; i++)
        width += table->columns[i].width + (i > first ? GAP : 0);
    return width;
}

void text_table_column(struct text_table *table, const char *group, const char *heading,
                       enum align align)
{
    table->columns = heap_grow(table->columns, table->column_count, sizeof *table->columns);
    struct text_column *column = &table->columns[table->column_count++];
    *column = (struct text_column){
        .group = text_printable(group), .heading = text_printable(heading), .align = align};
    column->width = text_width(column->heading);
}

void text_table_prose(struct text_table *table)
{
    table->columns[table->column_count - 1].prose = true;
}

void text_table_rank(struct text_table *table, unsigned rank)
{
    table->columns[table->column_count - 1].rank = rank;
}

void text_table_cell(struct text_table *table, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = heap_format_list(format, values);
    va_end(values);
    char *shown = text_printable(text);
    free(text);
    const size_t width = text_width(shown);
    struct text_column *column = &table->columns[table->cell_count % table->column_count];
    if (width > column->width)
        column->width = width;
    table->cells = heap_grow(table->cells, table->cell_count, sizeof *table->cells);
    table->cells[table->cell_count++] = shown;
}

/* What the group that starts at `first` needs beyond its columns, given to its last column. */
static size_t group_surplus(const struct text_table *table, size_t first)
{
    size_t width = span_width(table, first, group_end(table, first));
    size_t needed = text_width(table->columns[first].group);
    return needed > width ? needed - width : 0;
}

size_t text_table_width(const struct text_table *table)
{
    size_t width = span_width(table, 0, table->column_count);
    for (size_t i = 0; i < table->column_count; i = group_end(table, i))
        width += group_surplus(table, i);
    return width;
}

/* Prints a text in `width`, left or right; spaces behind it are owed until the next text comes. */
static void print_cell(FILE *file, size_t *owed, const char *text, size_t width, enum align align)
{
    size_t padding = width - text_width(text);
    if (*text == '\0') {
        *owed += width;
        return;
    }
    size_t before = *owed + (align == ALIGN_RIGHT ? padding : 0);
    fprintf(file, "%*s%s", (int)before, "", text);
    *owed = align == ALIGN_RIGHT ? 0 : padding;
}

static void print_groups(const struct text_table *table, FILE *file)
{
    size_t owed = 0;
    for (size_t i = 0, end; i < table->column_count; i = end) {
        end = group_end(table, i);
        size_t width = span_width(table, i, end) + group_surplus(table, i);
        const char *group = table->columns[i].group;
        size_t length = strlen(group);
        if (length == 0) {
            owed += width;
        } else { /* centred between dashes that show the span */
            size_t dashes = width - length >= 4 ? width - length - 2 : 0;
            size_t left = dashes / 2;
            char *span = heap_take(width + 1, 1);
            memset(span, dashes > 0 ? '-' : ' ', width);
            memcpy(span + left + (dashes > 0), group, length);
            if (dashes > 0) {
                span[left] = ' ';
                span[left + 1 + length] = ' ';
            }
            print_cell(file, &owed, span, width, ALIGN_LEFT);
            free(span);
        }
        owed += GAP;
    }
    putc('\n', file);
}

static void print_line(const struct text_table *table, FILE *file, char *const *cells)
{
    size_t owed = 0;
    size_t first = 0; /* of the group at hand */
    for (size_t i = 0; i < table->column_count; i++) {
        const struct text_column *column = &table->columns[i];
        while (group_end(table, first) <= i)
            first = group_end(table, first);
        bool last = group_end(table, first) == i + 1;
        size_t width = column->width + (last ? group_surplus(table, first) : 0);
        print_cell(file, &owed, cells == NULL ? column->heading : cells[i], width, column->align);
        owed += GAP;
    }
    putc('\n', file);
}

/* The width that a text can be broken to: that of its longest word. */
static size_t word_width(const char *text)
{
    size_t longest = 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, " ");
        longest = length > longest ? length : longest;
        text += length + (text[length] == ' ');
    }
    return longest;
}

/* How much of a text goes into a line of `width`: up to the last blank there, or a whole word. */
static size_t line_length(const char *text, size_t width)
{
    size_t end = 0;
    size_t length = 0;
    for (size_t used = 0; text[length] != '\0'; length++) {
        if (text[length] == ' ')
            end = length;
        used += (text[length] & 0xC0) != 0x80;
        if (used > width && end > 0)
            return end;
    }
    return length;
}

/* A row in as many lines as its longest broken text takes. */
static void print_row(const struct text_table *table, FILE *file, char *const *cells)
{
    char **rest = heap_take(table->column_count, sizeof *rest);
    char **line = heap_take(table->column_count, sizeof *line);
    bool more = true;
    for (size_t i = 0; i < table->column_count; i++)
        rest[i] = cells[i];
    while (more) {
        more = false;
        for (size_t i = 0; i < table->column_count; i++) {
            const struct text_column *column = &table->columns[i];
            const size_t length = column->prose && text_width(rest[i]) > column->width
                                      ? line_length(rest[i], column->width)
                                      : strlen(rest[i]);
            line[i] = heap_format("%.*s", (int)length, rest[i]);
            rest[i] += length + strspn(rest[i] + length, " ");
            more = more || *rest[i] != '\0';
        }
        print_line(table, file, line);
        for (size_t i = 0; i < table->column_count; i++)
            free(line[i]);
    }
    free(line);
    free(rest);
}

static void print_whole(const struct text_table *table, FILE *file)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (*table->columns[i].group != '\0') {
            print_groups(table, file);
            break;
        }
    }
    print_line(table, file, NULL);
    for (size_t i = 0; i < table->cell_count; i += table->column_count)
        print_row(table, file, table->cells + i);
}

/* Narrows columns of prose, the widest first, until the table fits or none can be narrower. */
static void narrow(struct text_table *table, size_t width)
{
    enum { MIN_PROSE = 16 };
    for (;;) {
        const size_t is = text_table_width(table);
        struct text_column *widest = NULL;
        for (size_t i = 0; i < table->column_count && is > width; i++) {
            struct text_column *column = &table->columns[i];
            size_t least =
                text_width(column->heading) > MIN_PROSE ? text_width(column->heading) : MIN_PROSE;
            for (size_t j = i; j < table->cell_count; j += table->column_count)
                least = word_width(table->cells[j]) > least ? word_width(table->cells[j]) : least;
            if (column->prose && column->width > least &&
                (widest == NULL || column->width > widest->width))
                widest = column;
        }
        if (widest == NULL)
            return;
        widest->width--;
    }
}

/* Leaves out the columns of the highest rank. False when all that are left are to be shown. */
static bool leave_out(struct text_table *table)
{
    unsigned rank = 0;
    size_t kept = 0;
    size_t cells = 0;
    for (size_t i = 0; i < table->column_count; i++)
        rank = table->columns[i].rank > rank ? table->columns[i].rank : rank;
    if (rank == 0)
        return false;
    for (size_t i = 0; i < table->cell_count; i++)
        if (table->columns[i % table->column_count].rank != rank)
            table->cells[cells++] = table->cells[i];
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].rank != rank)
            table->columns[kept++] = table->columns[i];
    table->column_count = kept;
    table->cell_count = cells;
    return true;
}

static bool is_shown(const struct text_table *shown, const struct text_column *column)
{
    for (size_t i = 0; i < shown->column_count; i++)
        if (shown->columns[i].heading == column->heading)
            return true;
    return false;
}

void text_table_print_within(const struct text_table *table, FILE *file, size_t width)
{
    /* A copy of what is shown; the texts stay the table's. */
    struct text_table shown = {.column_count = table->column_count,
                               .cell_count = table->cell_count};
    shown.columns = heap_take(table->column_count, sizeof *shown.columns);
    shown.cells = heap_take(table->cell_count, sizeof *shown.cells);
    if (table->column_count > 0)
        memcpy(shown.columns, table->columns, table->column_count * sizeof *shown.columns);
    if (table->cell_count > 0)
        memcpy(shown.cells, table->cells, table->cell_count * sizeof *shown.cells);
    narrow(&shown, width);
    while (text_table_width(&shown) > width && leave_out(&shown))
        narrow(&shown, width);
    print_whole(&shown, file);
    const char *before = "(not shown: ";
    for (size_t i = 0; i < table->column_count; i++)
        if (!is_shown(&shown, &table->columns[i])) {
            fprintf(file, "%s%s%s%s", before, table->columns[i].group,
                    *table->columns[i].group == '\0' ? "" : " ", table->columns[i].heading);
            before = ", ";
        }
    if (before[0] == ',')
        fputs("; --wide shows all)\n", file);
    free(shown.columns);
    free(shown.cells);
}

void text_table_print(const struct text_table *table, FILE *file)
{
    text_table_print_within(table, file, screen_width(file));
}

static json_t *cell_json(const char *text)
{
    char *end;
    if (strcmp(text, "-") == 0)
        return json_null();
    const long long whole = strtoll(text, &end, 10);
    if (end != text && *end == '\0')
        return json_integer(whole);
    const double real = strtod(text, &end);
    return end != text && *end == '\0' ? json_real(real) : json_string(text);
}

json_t *text_table_json(const struct text_table *table)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < table->cell_count; i += table->column_count) {
        json_t *row = json_object();
        for (size_t j = 0; j < table->column_count; j++)
            json_object_set_new(row, table->columns[j].heading, cell_json(table->cells[i + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}

void text_table_end(struct text_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].group);
        free(table->columns[i].heading);
    }
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->columns);
    free(table->cells);
    *table = (struct text_table){0};
}
