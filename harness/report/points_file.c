#include "harness/report/points_file.h"
#include "base/heap.h"
#include "harness/results/datapackage.h"
#include "harness/text/screen.h"
#include "harness/text/terminal.h"
#include "instances/csv.h"
#include <errno.h>
#include <unistd.h>

static const char *cell_of(const struct tidy *table, size_t row, size_t column)
{
    return table->cells[row * table->column_count + column].text;
}

/* A label is no formula for a spreadsheet: an apostrophe before it makes it a text there. So that
 * it can be taken away again, a label that begins with one has two. */
static char *safe_label(const char *label)
{
    return heap_format("%s%s", strchr("=+-@'", label[0]) != NULL ? "'" : "", label);
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
static bool read_file(const char *path, struct tidy *old, struct report *report)
{
    const char *why;
    SCOPED_BY(csv_end) struct csv csv = {0};
    SCOPED_BY(stream_end) FILE *file = file_open_own(path, &why);
    if (file == NULL) {
        if (access(path, F_OK) != 0 && !file_is_link(path))
            return true;
        return report_add(report, NO_PLACE, "cannot be read: %s", why);
    }
    char first[512] = "";
    const bool any = fgets(first, sizeof first, file) != NULL;
    const bool semicolons = any && csv_has_semicolons(first);
    rewind(file);
    if (csv_start(&csv, file, semicolons ? CSV_SEMICOLONS : 0, report)) {
        for (size_t i = 0; i < csv.columns; i++)
            tidy_column(old, csv.fields[i].text, "", "");
        if (tidy_find(old, "label") == SIZE_MAX)
            report_add(report, FIRST_PLACE,
                       "there is no column label; expected a file that tilelab marks "
                       "wrote, or none of that name");
        while (csv_next(&csv))
            for (size_t i = 0; i < csv.columns; i++)
                tidy_text(old, csv.fields[i].text);
    }
    return report->count == 0;
}

/* The columns that the new file has: those of the old one, without rules that are no more, and
 * those of tilelab's own that it lacks. */
static struct tidy start_file(const struct marks *marks, const struct tidy *old, bool *changed)
{
    static const char *const own[] = {"label", "points", "comment"};
    enum { OWN = sizeof own / sizeof *own };
    struct tidy table = {0};
    for (size_t i = 0; i < old->column_count; i++) {
        const char *name = old->columns[i].name;
        SCOPED char *cell = own_cell(marks, &marks->solvers[0], name);
        if (cell != NULL || !point_rule_is(name))
            tidy_column(&table, name, "", "");
        else
            *changed = true;
    }
    for (size_t i = 0; i < OWN + marks->rule_count; i++) {
        const char *name = i < OWN ? own[i] : marks->rules[i - OWN].text;
        if (tidy_find(&table, name) == SIZE_MAX)
            tidy_column(&table, name, "", "");
    }
    return table;
}

/* Adds the row of a label: what a person has in a row of the old file (SIZE_MAX: in none), and what
 * it has now (NULL: the label is gone). */
static void add_row(const struct marks *marks, const struct tidy *old, size_t row,
                    const struct marked_solver *solver, struct tidy *table, bool *changed)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const char *name = table->columns[i].name;
        const size_t place = row == SIZE_MAX ? SIZE_MAX : tidy_find(old, name);
        const char *was = place == SIZE_MAX ? NULL : cell_of(old, row, place);
        SCOPED char *own = solver == NULL ? NULL : own_cell(marks, solver, name);
        *changed = *changed || (was != NULL && own != NULL && !same_cell(was, own));
        tidy_text(table, own != NULL ? own : was != NULL ? was : "");
    }
}

static struct tidy make_file(const struct marks *marks, const struct tidy *old, bool *changed,
                             FILE *errors)
{
    struct tidy table = start_file(marks, old, changed);
    const size_t rows = tidy_rows(old);
    const size_t labels = tidy_find(old, "label");
    SCOPED bool *placed = heap_take(marks->solver_count, sizeof *placed);
    SCOPED bool *gone = heap_take(rows, sizeof *gone);
    for (size_t i = 0; i < rows; i++) {
        const char *label = cell_of(old, i, labels);
        const struct marked_solver *solver =
            marks_find(marks, label[0] == '\'' && label[1] != '\0' ? label + 1 : label);
        gone[i] = solver == NULL || placed[solver - marks->solvers];
        if (gone[i])
            continue;
        placed[solver - marks->solvers] = true;
        add_row(marks, old, i, solver, &table, changed);
    }
    for (size_t i = 0; i < marks->solver_count; i++)
        if (!placed[i])
            add_row(marks, old, SIZE_MAX, &marks->solvers[i], &table, changed);
    for (size_t i = 0; i < rows; i++)
        if (gone[i]) {
            add_row(marks, old, i, NULL, &table, changed);
            screen_say(errors,
                       "tilelab marks: points.csv: no other rows are of the label '%s'; its line "
                       "is kept at the end, as it was\n",
                       cell_of(old, i, labels));
        }
    return table;
}

/* Copies the file to the first of PATH.1, PATH.2, .. that is free. */
static bool keep_copy(const char *path, FILE *errors)
{
    size_t length;
    SCOPED_BY(report_end) struct report report = {.file = path};
    SCOPED char *text = file_read_own(path, &length, &report);
    SCOPED char *copy = NULL;
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
    return kept;
}

bool points_file_write(const struct marks *marks, const char *folder, FILE *errors)
{
    SCOPED_BY(tidy_end) struct tidy old = {0};
    SCOPED char *path = heap_format("%s/points.csv", folder);
    SCOPED_BY(report_end) struct report report = {.file = path};
    bool fine = read_file(path, &old, &report);
    if (!fine) {
        screen_say(errors, "%s", report.text);
    } else {
        bool changed = false;
        SCOPED_BY(tidy_end) struct tidy table = make_file(marks, &old, &changed, errors);
        struct terminal terminal = terminal_make();
        fine = (!changed || keep_copy(path, errors)) && tidy_write(&table, folder, "points.csv") &&
               datapackage_write(folder, NULL, &terminal.display);
        if (!fine)
            screen_say(errors, "tilelab marks: cannot write '%s': %s\n", path, file_problem(errno));
    }
    return fine;
}
