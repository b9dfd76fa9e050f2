#include "harness/report/points_file.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/results/columns.h"
#include "harness/results/datapackage.h"
#include "harness/text/screen.h"
#include "harness/text/terminal.h"
#include "instances/csv.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Cells as texts, row by row; the first row is the header. */
struct sheet {
    char **cells; /* owned, as each of them */
    size_t columns, rows;
};

static void sheet_add(struct sheet *sheet, const char *text)
{
    const size_t count = sheet->columns * sheet->rows;
    sheet->cells = heap_resize(sheet->cells, (count + 1) * sizeof *sheet->cells);
    sheet->cells[count] = heap_text(text);
    sheet->columns++;
}

static char **row_of(const struct sheet *sheet, size_t row)
{
    return &sheet->cells[row * sheet->columns];
}

static char **add_row(struct sheet *sheet)
{
    const size_t count = sheet->columns * sheet->rows++;
    sheet->cells = heap_resize(sheet->cells, (count + sheet->columns) * sizeof *sheet->cells);
    for (size_t i = 0; i < sheet->columns; i++)
        sheet->cells[count + i] = heap_text("");
    return row_of(sheet, sheet->rows - 1);
}

static void put(char **cell, const char *text)
{
    free(*cell);
    *cell = heap_text(text);
}

static size_t column_of(const struct sheet *sheet, const char *name)
{
    for (size_t i = 0; i < sheet->columns; i++)
        if (strcmp(sheet->cells[i], name) == 0)
            return i;
    return SIZE_MAX;
}

static void sheet_end(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->columns * sheet->rows; i++)
        free(sheet->cells[i]);
    free(sheet->cells);
}

/* A label is no formula for a spreadsheet: an apostrophe before it makes it a text there. */
static char *safe_label(const char *label)
{
    return heap_format("%s%s", strchr("=+-@", label[0]) != NULL ? "'" : "", label);
}

/* What is tilelab's own in a column, for a label; NULL: the column is a person's. Heap memory. */
static char *own_cell(const struct marks *marks, const struct marked_solver *solver,
                      const char *column)
{
    if (strcmp(column, "label") == 0)
        return safe_label(solver->label);
    if (strcmp(column, "points") == 0)
        return heap_text(points_text(solver->points).text);
    if (strcmp(column, "comment") == 0)
        return heap_text(solver->comment);
    for (size_t i = 0; i < marks->rule_count; i++)
        if (strcmp(column, marks->rules[i].text) == 0)
            return heap_text(points_text(marks_points(&marks->rules[i], &solver->tallies[i])).text);
    return NULL;
}

/* Whether two cells say the same: "4" and "4.00" do. */
static bool same_cell(const char *a, const char *b)
{
    char *ends[2];
    const double x = strtod(a, &ends[0]);
    const double y = strtod(b, &ends[1]);
    return strcmp(a, b) == 0 ||
           (ends[0] != a && ends[1] != b && *ends[0] == '\0' && *ends[1] == '\0' && x == y);
}

/* Reads the file that is there, nothing where there is none. False with a problem. */
static bool read_sheet(const char *path, struct sheet *sheet, struct report *report)
{
    const char *why;
    struct csv csv;
    FILE *file = file_open_own(path, &why);
    if (file == NULL) {
        if (access(path, F_OK) != 0 && !file_is_link(path))
            return true;
        report_add(report, 0, 0, "cannot be read: %s", why);
        return false;
    }
    char first[512] = "";
    const bool any = fgets(first, sizeof first, file) != NULL;
    const bool semicolons = any && strchr(first, ';') != NULL && strchr(first, ',') == NULL;
    rewind(file);
    if (csv_start(&csv, file, semicolons ? CSV_SEMICOLONS : 0, report)) {
        sheet->rows = 1;
        const size_t columns = csv.columns;
        for (size_t i = 0; i < columns; i++) {
            sheet->columns = i;
            sheet_add(sheet, csv.fields[i].text);
        }
        if (column_of(sheet, "label") == SIZE_MAX)
            report_add(report, 1, 1,
                       "there is no column label; expected a file that tilelab marks "
                       "wrote, or none of that name");
        while (csv_next(&csv)) {
            char **row = add_row(sheet);
            for (size_t i = 0; i < columns; i++)
                put(&row[i], csv.fields[i].text);
        }
    }
    csv_end(&csv);
    fclose(file);
    return report->count == 0;
}

/* The columns that the new file has: those of the old one, without rules that are no more, and
 * those of tilelab's own that it lacks. */
static struct sheet start_sheet(const struct marks *marks, const struct sheet *old, bool *changed)
{
    static const char *const own[] = {"label", "points", "comment"};
    struct sheet sheet = {.rows = 1};
    for (size_t i = 0; i < old->columns; i++) {
        char *cell = own_cell(marks, &marks->solvers[0], old->cells[i]);
        if (cell != NULL || !point_rule_is(old->cells[i]))
            sheet_add(&sheet, old->cells[i]);
        else
            *changed = true;
        free(cell);
    }
    for (size_t i = 0; i < sizeof own / sizeof *own + marks->rule_count; i++) {
        const char *name = i < 3 ? own[i] : marks->rules[i - 3].text;
        if (column_of(&sheet, name) == SIZE_MAX)
            sheet_add(&sheet, name);
    }
    return sheet;
}

/* Adds the row of a label: what a person has there (`was`, a row of the old file, or NULL), and
 * what it has now (NULL: the label is gone). */
static void fill_row(const struct marks *marks, const struct sheet *old, char *const *was,
                     const struct marked_solver *solver, struct sheet *sheet, bool *changed)
{
    char **row = add_row(sheet);
    for (size_t i = 0; i < sheet->columns; i++) {
        const size_t place = was == NULL ? SIZE_MAX : column_of(old, sheet->cells[i]);
        char *own = solver == NULL ? NULL : own_cell(marks, solver, sheet->cells[i]);
        if (place != SIZE_MAX && own != NULL && !same_cell(was[place], own))
            *changed = true;
        if (own != NULL)
            put(&row[i], own);
        else if (place != SIZE_MAX)
            put(&row[i], was[place]);
        free(own);
    }
}

static struct sheet make_sheet(const struct marks *marks, const struct sheet *old, bool *changed,
                               FILE *errors)
{
    struct sheet sheet = start_sheet(marks, old, changed);
    const size_t labels = column_of(old, "label");
    bool *placed = heap_take(marks->solver_count, sizeof *placed);
    bool *gone = heap_take(old->rows + 1, sizeof *gone);
    for (size_t i = 1; i < old->rows; i++) {
        const char *label = row_of(old, i)[labels];
        const struct marked_solver *solver =
            marks_find(marks, label[0] == '\'' && label[1] != '\0' ? label + 1 : label);
        const size_t number = solver == NULL ? 0 : (size_t)(solver - marks->solvers);
        gone[i] = solver == NULL || placed[number];
        if (gone[i])
            continue;
        placed[number] = true;
        fill_row(marks, old, row_of(old, i), solver, &sheet, changed);
    }
    for (size_t i = 0; i < marks->solver_count; i++)
        if (!placed[i])
            fill_row(marks, old, NULL, &marks->solvers[i], &sheet, changed);
    for (size_t i = 1; i < old->rows; i++)
        if (gone[i]) {
            fill_row(marks, old, row_of(old, i), NULL, &sheet, changed);
            screen_say(errors,
                       "tilelab marks: points.csv: no other rows are of the label '%s'; its line "
                       "is kept at the end, as it was\n",
                       row_of(old, i)[labels]);
        }
    free(placed);
    free(gone);
    return sheet;
}

static char *sheet_text(const struct sheet *sheet, size_t *length)
{
    char *text;
    FILE *stream = heap_stream(&text, length);
    for (size_t i = 0; i < sheet->columns * sheet->rows; i++) {
        csv_write_field(stream, sheet->cells[i]);
        putc((i + 1) % sheet->columns == 0 ? '\n' : ',', stream);
    }
    heap_stream_end(stream);
    return text;
}

/* Copies the file to the first of PATH.1, PATH.2, .. that is free. */
static bool keep_copy(const char *path, FILE *errors)
{
    struct report report;
    size_t length;
    report_start(&report, path);
    char *text = file_read_own(path, &length, &report);
    char *copy = NULL;
    for (unsigned i = 1; text != NULL && (copy == NULL || access(copy, F_OK) == 0); i++) {
        free(copy);
        copy = heap_format("%s.%u", path, i);
    }
    const bool kept = text != NULL && file_write(copy, text, length);
    if (kept)
        screen_say(errors,
                   "tilelab marks: points.csv: cells that tilelab makes held something else; the "
                   "earlier file is kept as %s\n",
                   copy);
    report_end(&report);
    free(copy);
    free(text);
    return kept;
}

bool points_file_write(const struct marks *marks, const char *folder, FILE *errors)
{
    struct sheet old = {0};
    struct report report;
    char *path = heap_format("%s/points.csv", folder);
    report_start(&report, path);
    bool fine = read_sheet(path, &old, &report);
    if (!fine) {
        screen_say(errors, "%s", report.text);
    } else {
        bool changed = false;
        size_t length;
        struct sheet sheet = make_sheet(marks, &old, &changed, errors);
        char *text = sheet_text(&sheet, &length);
        struct terminal terminal = terminal_make();
        fine = (!changed || keep_copy(path, errors)) && file_write(path, text, length) &&
               datapackage_write(folder, NULL, &terminal.display);
        if (!fine)
            screen_say(errors, "tilelab marks: cannot write '%s': %s\n", path, file_problem(errno));
        free(text);
        sheet_end(&sheet);
    }
    sheet_end(&old);
    report_end(&report);
    free(path);
    return fine;
}
