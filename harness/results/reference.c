#include "harness/results/reference.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/results/columns.h"
#include "instances/csv.h"
#include <ctype.h>

enum {
    PLACE_SET,
    PLACE_INSTANCE,
    PLACE_LENGTH,
    PLACE_SOLVER,
    PLACE_COLUMN,
    PLACE_PUBLISHED,
    PLACE_CORRECTED,
    PLACE_TOLERANCE,
    PLACE_BOARDS,
    PLACE_SD,
    PLACE_WHOLE,
    PLACE_NOTE,
    PLACE_SOURCE,
    PLACES
};
static const char *const places[PLACES] = {"set",    "instance",  "optimal_length", "solver",
                                           "column", "published", "corrected",      "tolerance",
                                           "boards", "sd",        "whole",          "note",
                                           "source"};

/* What a cell by instance may be of: numbers that a run has. */
static const char *const run_columns[] = {
#define METRIC(name, unit, repeats, rises) #name,
#include "harness/experiment/metrics.def"
#undef METRIC
    "h_start",
    REFERENCE_WITHOUT_ROOT,
};
enum { RUN_COLUMNS = sizeof run_columns / sizeof *run_columns };

struct reader {
    struct reference *reference;
    struct csv csv;
    size_t at[PLACES]; /* where each column is; CSV_NONE: nowhere */
};

bool reference_mean_of(enum expect_by by, const char *column, struct reference_mean *of)
{
    const size_t length = strlen(column);
    const bool ends = length > 5 && strcmp(column + length - 5, "_mean") == 0;
    *of = (struct reference_mean){.nodes_of_root = -1};
    if (by == EXPECT_BY_DEPTH && strcmp(column, "effective_branching_factor") == 0)
        *of = (struct reference_mean){heap_text("mean_generated"), heap_text("sd_generated"), 0};
    else if (by == EXPECT_BY_DEPTH && strcmp(column, "branching_factor_with_parent") == 0)
        *of = (struct reference_mean){heap_text("mean_generated_with_parent"),
                                      heap_text("sd_generated_with_parent"), 1};
    else if (by == EXPECT_BY_DEPTH && strncmp(column, "mean_", 5) == 0)
        *of = (struct reference_mean){heap_text(column), heap_format("sd_%s", column + 5), -1};
    else if (by == EXPECT_BY_SOLVER && ends)
        *of = (struct reference_mean){heap_text(column),
                                      heap_format("%.*s_sd", (int)length - 5, column), -1};
    return of->mean != NULL;
}

void reference_mean_end(struct reference_mean *of)
{
    FREE(of->mean, of->sd);
}

static const char *text_of(const struct reader *reader, unsigned place)
{
    return reader->at[place] == CSV_NONE ? "" : reader->csv.fields[reader->at[place]].text;
}

static void blame(struct reader *reader, unsigned place, const char *expected)
{
    const struct csv_field *field = &reader->csv.fields[reader->at[place]];
    csv_blame(&reader->csv, field->place, "%s '%.60s'; expected %s", places[place], field->text,
              expected);
}

/* The number of a cell, which may end with '%' where `share` is given; NaN where it is empty. */
static double number_of(struct reader *reader, unsigned place, bool *share)
{
    const char *text = text_of(reader, place);
    char *end;
    if (text[0] == '\0')
        return NAN;
    const double number = strtod(text, &end);
    if (share != NULL && *end == '%') {
        *share = true;
        end++;
    }
    if (!isdigit((unsigned char)text[0]) || text[1] == 'x' || *end != '\0' || !isfinite(number))
        blame(reader, place,
              share == NULL ? "a number such as 12 or 0.5"
                            : "a number such as 0.01, or a share such as 1%");
    return number;
}

/* Finds the columns; reports those that are missing and those that mean nothing here. */
static bool find_columns(struct reader *reader, struct report *report)
{
    const enum expect_by by = reader->reference->by;
    const bool needed[PLACES] = {[PLACE_INSTANCE] = by == EXPECT_BY_INSTANCE,
                                 [PLACE_LENGTH] = by == EXPECT_BY_DEPTH,
                                 [PLACE_SOLVER] = true,
                                 [PLACE_COLUMN] = true,
                                 [PLACE_PUBLISHED] = true};
    const size_t before = report->count;
    const char *words[PLACES];
    size_t count = 0;
    for (unsigned i = 0; i < PLACES; i++)
        if (needed[i] || (i != PLACE_INSTANCE && i != PLACE_LENGTH))
            words[count++] = places[i];
    for (size_t i = 0; i < reader->csv.columns; i++) {
        const struct csv_field *field = &reader->csv.fields[i];
        if (WORD_PLACE(words, count, field->text) == count)
            report_unknown(report, field->place, "column", field->text, words, count);
    }
    for (unsigned i = 0; i < PLACES; i++)
        reader->at[i] =
            needed[i] ? csv_need(&reader->csv, places[i]) : csv_column(&reader->csv, places[i]);
    return report->count == before;
}

/* Says which columns could be meant by a name that is none of them. */
static void blame_column(struct reader *reader, const char *name, const struct table_schema *table,
                         const char *const *words, size_t count)
{
    SCOPED char *meant = word_meant(name, words, count);
    SCOPED char *expected =
        heap_format("a column of %s that is a number (tilelab list columns %s)%s",
                    table == NULL                            ? "runs.csv"
                    : table == &table_schemas[TABLE_SUMMARY] ? "summary.csv"
                                                             : "by_depth.csv",
                    table == NULL ? "runs" : table->name, meant);
    blame(reader, PLACE_COLUMN, expected);
}

/* Checks the name of a column, and that only means have boards. */
static void check_column(struct reader *reader, const struct reference_cell *cell)
{
    static const enum table tables[] = {
        [EXPECT_BY_DEPTH] = TABLE_BY_DEPTH, [EXPECT_BY_SOLVER] = TABLE_SUMMARY};
    const enum expect_by by = reader->reference->by;
    const struct table_schema *table = by == EXPECT_BY_INSTANCE ? NULL : &table_schemas[tables[by]];
    const size_t count = table == NULL ? RUN_COLUMNS : table->column_count;
    SCOPED const char **words = heap_take(count, sizeof *words);
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (table == NULL || table->columns[i].type == COLUMN_TYPE_NUMBER ||
            table->columns[i].type == COLUMN_TYPE_INTEGER)
            words[used++] = table == NULL ? run_columns[i] : table->columns[i].name;
    const bool known = WORD_PLACE(words, used, cell->column) < used;
    if (!known)
        blame_column(reader, cell->column, table, words, used);
    struct reference_mean of;
    if (known && !isnan(cell->boards) && !reference_mean_of(by, cell->column, &of))
        blame(reader, PLACE_BOARDS, "nothing, as the column is no mean");
    else if (known && !isnan(cell->boards))
        reference_mean_end(&of);
}

/* The solver as rows have it, if it is one; else a label. */
static void read_solver(struct reader *reader, struct reference_cell *cell)
{
    const struct csv_field *field = &reader->csv.fields[reader->at[PLACE_SOLVER]];
    struct solver solver;
    SCOPED_BY(report_end) struct report report = {0};
    cell->is_label = !solver_parse(field->text, NO_PLACE, &report, &solver);
    cell->solver = cell->is_label ? heap_text(field->text) : solver_text(&solver);
    cell->solver_place = field->place;
}

/* What `source` says; where it says nothing: what follows from the rest. */
static const char *source_of(struct reader *reader, const struct reference_cell *cell)
{
    static const char *const sources[] = {"published", "recalled", "relabelled", "corrected",
                                          "own"};
    const char *text = text_of(reader, PLACE_SOURCE);
    if (text[0] == '\0')
        return !isnan(cell->corrected) ? "corrected" : reader->reference->own ? "own" : "published";
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (strcmp(text, sources[i]) == 0)
            return sources[i];
    blame(reader, PLACE_SOURCE, "published, recalled, relabelled, corrected or own");
    return "";
}

static void read_cell(struct reader *reader)
{
    struct reference *reference = reader->reference;
    bool share = false;
    struct reference_cell cell = {.set = heap_text(text_of(reader, PLACE_SET)),
                                  .instance = heap_text(text_of(reader, PLACE_INSTANCE)),
                                  .column = heap_text(text_of(reader, PLACE_COLUMN)),
                                  .note = heap_text(text_of(reader, PLACE_NOTE)),
                                  .optimal_length = -1,
                                  .published = number_of(reader, PLACE_PUBLISHED, NULL),
                                  .corrected = number_of(reader, PLACE_CORRECTED, NULL),
                                  .tolerance = number_of(reader, PLACE_TOLERANCE, &share),
                                  .boards = number_of(reader, PLACE_BOARDS, NULL),
                                  .sd = number_of(reader, PLACE_SD, NULL),
                                  .whole = number_of(reader, PLACE_WHOLE, NULL)};
    cell.source = source_of(reader, &cell);
    read_solver(reader, &cell);
    if (reference->by == EXPECT_BY_DEPTH) {
        const double length = number_of(reader, PLACE_LENGTH, NULL);
        if (!(length >= 0 && length < 1e9) || length != floor(length))
            blame(reader, PLACE_LENGTH, "a number of moves");
        else
            cell.optimal_length = (long)length;
    }
    const double truth = reference_truth(&cell);
    cell.tolerance = isnan(cell.tolerance) ? 0
                     : share               ? cell.tolerance / 100 * truth
                                           : cell.tolerance;
    if (isnan(cell.published))
        blame(reader, PLACE_PUBLISHED, "a number such as 12 or 0.5");
    if (!isnan(cell.corrected) && cell.note[0] == '\0')
        blame(reader, PLACE_CORRECTED, "a note that says why");
    if (!isnan(cell.boards) && !(cell.boards >= 1))
        blame(reader, PLACE_BOARDS, "1 or more");
    if (!isnan(cell.sd) && isnan(cell.boards))
        blame(reader, PLACE_SD, "the number of boards too");
    if (!isnan(cell.whole) && reference->by == EXPECT_BY_INSTANCE)
        blame(reader, PLACE_WHOLE, "nothing, as the cell is of one board");
    else if (!isnan(cell.whole) && (!(cell.whole >= 1) || !isnan(cell.boards)))
        blame(reader, PLACE_WHOLE, "1 or more, and nothing in boards: all boards are no sample");
    check_column(reader, &cell);
    *HEAP_ADD(reference->cells, reference->count) = cell;
}

bool reference_read(struct reference *reference, const char *name, enum expect_by by, double level,
                    const char *text, struct report *report)
{
    struct reader reader = {.reference = reference};
    const size_t before = report->count;
    *reference = (struct reference){.name = heap_text(name),
                                    .by = by,
                                    .level = level,
                                    .own = strstr(text, "\n# Source: this program") != NULL};
    /* fmemopen takes no empty text. */
    SCOPED_BY(stream_end)
    FILE *file = fmemopen((char *)(uintptr_t)text, text[0] == '\0' ? 1 : strlen(text), "r");
    if (file == NULL)
        heap_exhausted();
    if (csv_start(&reader.csv, file, CSV_COMMENTS, report) && find_columns(&reader, report))
        while (csv_next(&reader.csv))
            read_cell(&reader);
    if (report->count == before && reference->count == 0)
        report_add(report, NO_PLACE, "no cells; expected a row for each published value");
    csv_end(&reader.csv);
    return report->count == before;
}

void reference_end(struct reference *reference)
{
    for (size_t i = 0; i < reference->count; i++) {
        struct reference_cell *cell = &reference->cells[i];
        FREE(cell->set, cell->instance, cell->solver, cell->column, cell->note);
    }
    FREE(reference->cells, reference->name);
    *reference = (struct reference){0};
}
