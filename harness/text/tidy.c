/* Cells are stored as they come, so CSV and JSON show the same numbers. */
#include "harness/text/tidy.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/text/human.h"
#include "instances/csv.h"
#include <math.h>

struct tidy_heading *tidy_column(struct tidy *tidy, const char *name, const char *unit,
                                 const char *meaning)
{
    struct tidy_heading *column = HEAP_ADD(tidy->columns, tidy->column_count);
    *column = (struct tidy_heading){
        .name = heap_text(name), .unit = heap_text(unit), .meaning = heap_text(meaning)};
    return column;
}

struct tidy_heading *tidy_column_as(struct tidy *tidy, const char *name, const char *unit,
                                    enum tidy_shape shape)
{
    struct tidy_heading *column = tidy_column(tidy, name, unit, "");
    column->shape = shape;
    return column;
}

void tidy_fixed(struct tidy *tidy, const char *name, int decimals)
{
    tidy_column_as(tidy, name, "", SHAPE_FIXED)->decimals = decimals;
}

struct tidy_heading *tidy_heads(struct tidy *tidy, const char *heads)
{
    static const char letters[] = {[SHAPE_MEAN] = 'm',  [SHAPE_RATIO] = 'r', [SHAPE_P] = 'p',
                                   [SHAPE_SHARE] = 's', [SHAPE_FULL] = 'f',  [SHAPE_TEXT] = 't'};
    struct tidy_heading *column;
    const char *at = heads;
    do {
        const size_t length = strcspn(at, "[:|");
        const size_t more = at[length] == '[' ? strcspn(at + length + 1, "]") : 0;
        SCOPED char *name = heap_format("%.*s", (int)length, at);
        SCOPED char *unit = heap_format("%.*s", (int)more, at + length + (more > 0));
        column = tidy_column(tidy, name, unit, "");
        for (at += length + (more > 0 ? more + 2 : 0); *at != '|' && *at != '\0'; at++) {
            const char *letter = memchr(letters, *at, sizeof letters);
            column->hidden = column->hidden || *at == '-';
            if (*at == '^')
                tidy_rank(tidy, (unsigned)(*++at - '0'));
            else if (letter != NULL)
                column->shape = (enum tidy_shape)(letter - letters);
            else if (*at >= '0' && *at <= '9') {
                column->shape = SHAPE_FIXED;
                column->decimals = *at - '0';
            }
        }
    } while (*at++ == '|');
    return column;
}

static void add_cell(struct tidy *tidy, struct tidy_cell cell)
{
    *HEAP_ADD(tidy->cells, tidy->cell_count) = cell;
}

void tidy_text(struct tidy *tidy, const char *text)
{
    add_cell(tidy, (struct tidy_cell){.text = heap_text(text)});
}

void tidy_format(struct tidy *tidy, const char *format, ...)
{
    add_cell(tidy, (struct tidy_cell){.text = FORMATTED(format)});
}

void tidy_number(struct tidy *tidy, double number)
{
    add_cell(tidy, (struct tidy_cell){.number = number});
}

void tidy_add(struct tidy *tidy, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    for (; (format = strchr(format, '%')) != NULL; format++)
        if (format[1] == 's')
            tidy_text(tidy, va_arg(values, const char *));
        else
            tidy_number(tidy, va_arg(values, double));
    va_end(values);
}

void tidy_add_numbers(struct tidy *tidy, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tidy_number(tidy, numbers[i]);
}

void tidy_row(struct tidy *tidy)
{
    for (size_t i = 0; i < tidy->column_count; i++)
        tidy_number(tidy, NAN);
}

static struct tidy_cell *last_row(struct tidy *tidy)
{
    return &tidy->cells[tidy->cell_count - tidy->column_count];
}

void tidy_set_text(struct tidy *tidy, size_t column, const char *text)
{
    last_row(tidy)[column] = (struct tidy_cell){.text = heap_text(text)};
}

void tidy_set_number(struct tidy *tidy, size_t column, double number)
{
    last_row(tidy)[column] = (struct tidy_cell){.number = number};
}

void tidy_rank(struct tidy *tidy, unsigned rank)
{
    tidy->columns[tidy->column_count - 1].rank = rank;
    tidy->ranked = true;
}

static void set_shown(struct tidy *tidy, char *shown)
{
    struct tidy_cell *cell = &tidy->cells[tidy->cell_count - 1];
    free(cell->shown);
    cell->shown = shown;
}

void tidy_show(struct tidy *tidy, const char *format, ...)
{
    set_shown(tidy, FORMATTED(format));
}

void tidy_mark(struct tidy *tidy, const char *mark)
{
    char *shown = tidy_shown(tidy, tidy->cell_count - 1);
    heap_append(&shown, "%s", mark);
    set_shown(tidy, shown);
}

static struct human number_shown(const struct tidy_heading *column, double number)
{
    switch (column->shape) {
    case SHAPE_RATIO:
        return human_ratio(number);
    case SHAPE_P:
        return human_p(number);
    case SHAPE_SHARE:
        return human_decimals(number, 2);
    case SHAPE_FIXED:
        return human_decimals(number, column->decimals);
    default:
        break;
    }
    if (strcmp(column->unit, "s") == 0)
        return human_seconds(number);
    if (strcmp(column->unit, "bytes") == 0)
        return human_bytes(number);
    return column->shape == SHAPE_MEAN ? human_mean(number) : human_count(number);
}

static bool is_whole(double number)
{
    return number == floor(number) && fabs(number) < 0x1p53;
}

/* A number as CSV has it; "" for NaN, and INF as Frictionless data packages spell it. */
static char *in_full(double number)
{
    return isnan(number)      ? heap_text("")
           : isinf(number)    ? heap_text(number < 0 ? "-INF" : "INF")
           : is_whole(number) ? heap_format("%.0f", number)
                              : heap_format("%.*g", TIDY_DIGITS, number);
}

char *tidy_shown(const struct tidy *tidy, size_t cell)
{
    const struct tidy_cell *own = &tidy->cells[cell];
    const struct tidy_heading *column = &tidy->columns[cell % tidy->column_count];
    if (own->shown != NULL || own->text != NULL)
        return heap_text(own->shown != NULL ? own->shown : own->text);
    if (column->shape == SHAPE_FULL && !isnan(own->number))
        return in_full(own->number);
    return heap_text(number_shown(column, own->number).text);
}

/* Words instead of underscores. */
char *tidy_heading_shown(const struct tidy_heading *column)
{
    char *heading = heap_text(column->heading != NULL ? column->heading : column->name);
    for (char *at = heading; *at != '\0'; at++)
        if (*at == '_' && column->meaning[0] != '\0')
            *at = ' ';
    return heading;
}

bool tidy_is_text(const struct tidy *tidy, size_t column)
{
    return tidy->columns[column].shape >= SHAPE_TEXT;
}

size_t tidy_find(const struct tidy *tidy, const char *name)
{
    const size_t place = NAME_PLACE(tidy->columns, tidy->column_count, name, name);
    return place < tidy->column_count ? place : SIZE_MAX;
}

size_t tidy_rows(const struct tidy *tidy)
{
    return tidy->column_count == 0 ? 0 : tidy->cell_count / tidy->column_count;
}

void tidy_csv(const struct tidy *tidy, FILE *file)
{
    for (size_t i = 0; i < tidy->column_count; i++) {
        csv_write_field(file, tidy->columns[i].name);
        putc(i + 1 < tidy->column_count ? ',' : '\n', file);
    }
    for (size_t i = 0; i < tidy->cell_count; i++) {
        const struct tidy_cell *cell = &tidy->cells[i];
        SCOPED char *number = cell->text == NULL ? in_full(cell->number) : NULL;
        if (cell->text != NULL)
            csv_write_field(file, cell->text);
        else
            fputs(number, file);
        putc((i + 1) % tidy->column_count != 0 ? ',' : '\n', file);
    }
}

bool tidy_write(const struct tidy *tidy, const char *folder, const char *file)
{
    SCOPED char *path = heap_format("%s/%s", folder, file);
    SCOPED char *text = WRITTEN(stream, tidy_csv(tidy, stream));
    return file_write(path, text, strlen(text));
}

json_t *json_text(const char *text)
{
    json_t *json = json_string(text);
    if (json != NULL)
        return json;
    SCOPED char *shown = text_printable(text);
    return json_string(shown);
}

char *json_written(const json_t *json, size_t flags)
{
    char *text = json_dumps(json, flags);
    if (text == NULL)
        heap_exhausted();
    return text;
}

static json_t *cell_json(const struct tidy_cell *cell, enum tidy_shape shape)
{
    if (cell->text != NULL)
        return shape == SHAPE_TRUTH ? json_boolean(strcmp(cell->text, "yes") == 0)
                                    : json_text(cell->text);
    if (!isfinite(cell->number))
        return json_null();
    if (is_whole(cell->number) && shape != SHAPE_FIXED)
        return json_integer((json_int_t)cell->number);
    return json_real(cell->number);
}

json_t *tidy_json(const struct tidy *tidy)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < tidy->cell_count; i += tidy->column_count) {
        json_t *row = json_object();
        for (size_t j = 0; j < tidy->column_count; j++)
            json_object_set_new(row, tidy->columns[j].name,
                                cell_json(&tidy->cells[i + j], tidy->columns[j].shape));
        json_array_append_new(rows, row);
    }
    return rows;
}

void tidy_end(struct tidy *tidy)
{
    for (size_t i = 0; i < tidy->column_count; i++) {
        FREE(tidy->columns[i].name, tidy->columns[i].unit, tidy->columns[i].meaning,
             tidy->columns[i].heading);
    }
    for (size_t i = 0; i < tidy->cell_count; i++)
        FREE(tidy->cells[i].text, tidy->cells[i].shown);
    FREE(tidy->columns, tidy->cells);
    *tidy = (struct tidy){0};
}
