/* Two spaces between columns, none at the end of a line; a wide group heading widens its last
 * column. */
#include "harness/text/text_table.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/text/screen.h"
#include <stdint.h>
#include <string.h>

static size_t text_width(const char *text)
{
    return screen_cells(text, strlen(text));
}

enum { GAP = 2 };

/* The column after the last one of the group that starts at `first`. */
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
    table->columns[table->column_count - 1].breaking = BREAKING_FIRST;
}

void text_table_break_last(struct text_table *table)
{
    table->columns[table->column_count - 1].breaking = BREAKING_LAST;
}

void text_table_rank(struct text_table *table, unsigned rank)
{
    table->columns[table->column_count - 1].rank = rank;
}

void text_table_section(struct text_table *table, const char *text)
{
    table->sections = heap_grow(table->sections, table->section_count, sizeof *table->sections);
    table->sections[table->section_count++] = (struct text_section){
        .row = table->cell_count / table->column_count, .text = text_printable(text)};
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

/* Prints a text in `width`, left- or right-aligned; spaces after it are printed when the next text
 * comes. */
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
    size_t first = 0; /* of the current group */
    for (size_t i = 0; i < table->column_count; i++) {
        const struct text_column *column = &table->columns[i];
        while (group_end(table, first) <= i)
            first = group_end(table, first);
        bool last = group_end(table, first) == i + 1;
        size_t width = column->width + (last ? group_surplus(table, first) : 0);
        print_cell(file, &owed, cells[i], width, column->align);
        owed += GAP;
    }
    putc('\n', file);
}

/* Whether a text may be broken after a character: prose at blanks, a name within itself too. */
static bool is_break(char character, enum breaking breaking)
{
    return character == ' ' ||
           (breaking >= BREAKING_LAST && character != '\0' && strchr("(+:/", character) != NULL);
}

/* How far the lines after the first are indented: the rest of a name is not a name of its own. */
static size_t indent_of(enum breaking breaking)
{
    return breaking == BREAKING_LAST ? 1 : 0;
}

/* The minimum width to which a text can be broken: that of its longest piece. */
static size_t piece_width(const char *text, enum breaking breaking)
{
    size_t longest = 0;
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width += *text == ' ' ? 0 : screen_cell(text);
        longest = width > longest ? width : longest;
        if (is_break(*text, breaking))
            width = indent_of(breaking);
    }
    return longest;
}

/* How much of a text fits a line of `width`: up to the last break there, or one whole piece. */
static size_t line_length(const char *text, size_t width, enum breaking breaking)
{
    size_t end = 0;
    size_t length = 0;
    for (size_t used = 0; text[length] != '\0'; length++) {
        if (text[length] == ' ')
            end = length;
        used += screen_cell(text + length);
        if (used > width && end > 0)
            return end;
        if (text[length] != ' ' && is_break(text[length], breaking))
            end = length + 1;
    }
    return length;
}

/* Removes the next line from a column's text and returns it; heap memory, free(). */
static char *next_line(const struct text_column *column, enum breaking breaking, const char **rest,
                       bool first)
{
    const size_t indent = first || **rest == '\0' ? 0 : indent_of(breaking);
    const size_t length = breaking != BREAKING_NEVER && text_width(*rest) + indent > column->width
                              ? line_length(*rest, column->width - indent, breaking)
                              : strlen(*rest);
    char *line = heap_format("%*s%.*s", (int)indent, "", (int)length, *rest);
    *rest += length + strspn(*rest + length, " ");
    return line;
}

/* The number of lines that a text takes. */
static size_t line_count(const struct text_column *column, enum breaking breaking, const char *text)
{
    size_t count = 0;
    do
        free(next_line(column, breaking, &text, count++ == 0));
    while (*text != '\0');
    return count;
}

/* Prints a row in as many lines as its longest broken text takes; headings (no `cells`) are aligned
 * at the bottom. */
static void print_row(const struct text_table *table, FILE *file, char *const *cells)
{
    const char **rest = heap_take(table->column_count, sizeof *rest);
    char **line = heap_take(table->column_count, sizeof *line);
    size_t *lines = heap_take(table->column_count, sizeof *lines);
    size_t most = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct text_column *column = &table->columns[i];
        rest[i] = cells == NULL ? column->heading : cells[i];
        lines[i] = line_count(column, cells == NULL ? BREAKING_HEADING : column->breaking, rest[i]);
        most = lines[i] > most ? lines[i] : most;
    }
    for (size_t l = 0; l < most; l++) {
        for (size_t i = 0; i < table->column_count; i++) {
            const struct text_column *column = &table->columns[i];
            const size_t first = cells == NULL ? most - lines[i] : 0;
            line[i] = l < first
                          ? heap_text("")
                          : next_line(column, cells == NULL ? BREAKING_HEADING : column->breaking,
                                      &rest[i], l == first);
        }
        print_line(table, file, line);
        for (size_t i = 0; i < table->column_count; i++)
            free(line[i]);
    }
    free(lines);
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
    print_row(table, file, NULL);
    size_t section = 0;
    for (size_t row = 0; row * table->column_count < table->cell_count; row++) {
        for (; section < table->section_count && table->sections[section].row == row; section++)
            fprintf(file, "%s\n", table->sections[section].text);
        print_row(table, file, table->cells + row * table->column_count);
    }
}

/* How narrow a column can be. */
static size_t min_width(const struct text_table *table, size_t column)
{
    enum { MIN_PROSE = 16 };
    const struct text_column *own = &table->columns[column];
    size_t width = own->breaking == BREAKING_LAST ? piece_width(own->heading, BREAKING_HEADING)
                                                  : text_width(own->heading);
    width = width > MIN_PROSE ? width : MIN_PROSE;
    for (size_t i = column; i < table->cell_count; i += table->column_count) {
        const size_t needed = piece_width(table->cells[i], own->breaking);
        width = needed > width ? needed : width;
    }
    return width;
}

/* Narrows the columns that may be broken so, the widest first, until the table fits or none can be
 * narrower. */
static void narrow(struct text_table *table, size_t width, enum breaking breaking)
{
    size_t *min = heap_take(table->column_count, sizeof *min);
    for (size_t i = 0; i < table->column_count; i++)
        min[i] = table->columns[i].breaking == breaking ? min_width(table, i) : SIZE_MAX;
    for (size_t is = text_table_width(table); is > width; is = text_table_width(table)) {
        struct text_column *widest = NULL;
        for (size_t i = 0; i < table->column_count; i++) {
            struct text_column *column = &table->columns[i];
            if (column->width > min[i] && (widest == NULL || column->width > widest->width))
                widest = column;
        }
        if (widest == NULL)
            break;
        widest->width--;
    }
    free(min);
}

/* Leaves out the columns of the highest rank. False if all that are left must be shown. */
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

/* A copy of the first column and of those from `first` to before `end`; the texts stay the table's.
 */
static struct text_table columns_of(const struct text_table *table, size_t first, size_t end)
{
    struct text_table part = {.sections = table->sections, .section_count = table->section_count};
    part.columns = heap_take(table->column_count, sizeof *part.columns);
    part.cells = heap_take(table->cell_count, sizeof *part.cells);
    for (size_t i = 0; i < table->column_count; i++)
        if (i == 0 || (i >= first && i < end))
            part.columns[part.column_count++] = table->columns[i];
    for (size_t i = 0; i < table->cell_count; i++) {
        const size_t column = i % table->column_count;
        if (column == 0 || (column >= first && column < end))
            part.cells[part.cell_count++] = table->cells[i];
    }
    return part;
}

bool text_table_print_within(const struct text_table *table, FILE *file, size_t width)
{
    struct text_table shown = columns_of(table, 1, table->column_count);
    narrow(&shown, width, BREAKING_FIRST);
    while (text_table_width(&shown) > width && leave_out(&shown))
        narrow(&shown, width, BREAKING_FIRST);
    narrow(&shown, width, BREAKING_LAST);
    print_whole(&shown, file);
    const char *before = "(not shown: ";
    for (size_t i = 0; i < table->column_count; i++)
        if (!is_shown(&shown, &table->columns[i])) {
            fprintf(file, "%s%s%s%s", before, table->columns[i].group,
                    *table->columns[i].group == '\0' ? "" : " ", table->columns[i].heading);
            before = ", ";
        }
    const bool left_out = shown.column_count < table->column_count;
    fputs(left_out ? "; --wide shows all)\n" : "", file);
    free(shown.columns);
    free(shown.cells);
    return left_out;
}

/* Narrows columns whose headings are wider than their cells, as those can stand in lines. */
static void break_headings(struct text_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        size_t width = piece_width(table->columns[i].heading, BREAKING_HEADING);
        for (size_t j = i; j < table->cell_count; j += table->column_count)
            width = text_width(table->cells[j]) > width ? text_width(table->cells[j]) : width;
        table->columns[i].width = width;
    }
}

void text_table_print_parts_within(const struct text_table *table, FILE *file, size_t width)
{
    struct text_table all = columns_of(table, 1, table->column_count);
    if (text_table_width(&all) > width)
        break_headings(&all);
    for (size_t first = 1, end; first == 1 || first < all.column_count; first = end) {
        struct text_table part;
        for (end = all.column_count;; end--) {
            part = columns_of(&all, first, end);
            if (text_table_width(&part) <= width || end <= first + 1)
                break;
            free(part.columns);
            free(part.cells);
        }
        narrow(&part, width, BREAKING_FIRST);
        narrow(&part, width, BREAKING_LAST);
        fputs(first > 1 ? "\n" : "", file);
        print_whole(&part, file);
        free(part.columns);
        free(part.cells);
    }
    free(all.columns);
    free(all.cells);
}

void text_table_print_parts(const struct text_table *table, FILE *file)
{
    text_table_print_parts_within(table, file, screen_width(file));
}

bool text_table_print(const struct text_table *table, FILE *file)
{
    return text_table_print_within(table, file, screen_width(file));
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
    for (size_t i = 0; i < table->section_count; i++)
        free(table->sections[i].text);
    free(table->sections);
    free(table->columns);
    free(table->cells);
    *table = (struct text_table){0};
}
