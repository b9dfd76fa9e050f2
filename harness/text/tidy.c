/* Cells are stored as they come, so CSV and JSON show the same numbers. */
#include "harness/text/tidy.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/text/human.h"
#include "instances/csv.h"
#include <errno.h>
#include <math.h>
#include <string.h>

void tidy_column(struct tidy *tidy, const char *name, const char *unit, const char *meaning)
{
    tidy->columns = heap_grow(tidy->columns, tidy->column_count, sizeof *tidy->columns);
    tidy->columns[tidy->column_count++] = (struct tidy_heading){
        .name = heap_text(name), .unit = heap_text(unit), .meaning = heap_text(meaning)};
}

static void add_cell(struct tidy *tidy, struct tidy_cell cell)
{
    tidy->cells = heap_grow(tidy->cells, tidy->cell_count, sizeof *tidy->cells);
    tidy->cells[tidy->cell_count++] = cell;
}

void tidy_text(struct tidy *tidy, const char *text)
{
    add_cell(tidy, (struct tidy_cell){.text = heap_text(text)});
}

void tidy_number(struct tidy *tidy, double number)
{
    add_cell(tidy, (struct tidy_cell){.number = number});
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

void tidy_shape(struct tidy *tidy, enum tidy_shape shape)
{
    tidy->columns[tidy->column_count - 1].shape = shape;
}

void tidy_hide(struct tidy *tidy)
{
    tidy->columns[tidy->column_count - 1].hidden = true;
}

void tidy_heading(struct tidy *tidy, const char *heading)
{
    tidy->columns[tidy->column_count - 1].heading = heap_text(heading);
}

void tidy_section(struct tidy *tidy)
{
    tidy->columns[tidy->column_count - 1].section = true;
}

void tidy_rank(struct tidy *tidy, unsigned rank)
{
    tidy->columns[tidy->column_count - 1].rank = rank;
    tidy->ranked = true;
}

void tidy_mark(struct tidy *tidy, const char *mark)
{
    struct tidy_cell *cell = &tidy->cells[tidy->cell_count - 1];
    free(cell->mark);
    cell->mark = heap_text(mark);
}

static struct human number_shown(const struct tidy_heading *column, double number)
{
    switch (column->shape) {
    case SHAPE_RATIO:
        return human_ratio(number);
    case SHAPE_FACTOR:
        return human_factor(number);
    case SHAPE_P:
        return human_p(number);
    case SHAPE_SHARE:
        return human_share(number);
    case SHAPE_FULL:
    case SHAPE_NUMBER:
    case SHAPE_MEAN:
    case SHAPE_TEXT:
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
    const char *mark = own->mark == NULL ? "" : own->mark;
    if (own->text != NULL)
        return heap_format("%s%s", own->text, mark);
    const struct tidy_heading *column = &tidy->columns[cell % tidy->column_count];
    if (column->shape == SHAPE_FULL && !isnan(own->number)) {
        char *number = in_full(own->number);
        heap_append(&number, "%s", mark);
        return number;
    }
    return heap_format("%s%s", number_shown(column, own->number).text, mark);
}

void tidy_csv(const struct tidy *tidy, FILE *file)
{
    for (size_t i = 0; i < tidy->column_count; i++) {
        csv_write_field(file, tidy->columns[i].name);
        putc(i + 1 < tidy->column_count ? ',' : '\n', file);
    }
    for (size_t i = 0; i < tidy->cell_count; i++) {
        const struct tidy_cell *cell = &tidy->cells[i];
        char *number = cell->text == NULL ? in_full(cell->number) : NULL;
        if (cell->text != NULL)
            csv_write_field(file, cell->text);
        else
            fputs(number, file);
        free(number);
        putc((i + 1) % tidy->column_count != 0 ? ',' : '\n', file);
    }
}

bool tidy_write(const struct tidy *tidy, const char *folder, const char *file)
{
    char *path = heap_format("%s/%s", folder, file);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = heap_stream(&text, &length);
    tidy_csv(tidy, stream);
    heap_stream_end(stream);
    const bool done = file_write(path, text, length);
    const int why = errno;
    free(text);
    free(path);
    errno = why;
    return done;
}

static json_t *text_json(const char *text)
{
    json_t *json = json_string(text);
    if (json != NULL)
        return json;
    char *shown = text_printable(text);
    json = json_string(shown);
    free(shown);
    return json;
}

static json_t *cell_json(const struct tidy_cell *cell)
{
    if (cell->text != NULL)
        return text_json(cell->text);
    if (!isfinite(cell->number))
        return json_null();
    if (is_whole(cell->number))
        return json_integer((json_int_t)cell->number);
    return json_real(cell->number);
}

json_t *tidy_json(const struct tidy *tidy)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < tidy->cell_count; i += tidy->column_count) {
        json_t *row = json_object();
        for (size_t j = 0; j < tidy->column_count; j++)
            json_object_set_new(row, tidy->columns[j].name, cell_json(&tidy->cells[i + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}

void tidy_end(struct tidy *tidy)
{
    for (size_t i = 0; i < tidy->column_count; i++) {
        free(tidy->columns[i].name);
        free(tidy->columns[i].unit);
        free(tidy->columns[i].meaning);
        free(tidy->columns[i].heading);
    }
    for (size_t i = 0; i < tidy->cell_count; i++) {
        free(tidy->cells[i].text);
        free(tidy->cells[i].mark);
    }
    free(tidy->columns);
    free(tidy->cells);
    *tidy = (struct tidy){0};
}
