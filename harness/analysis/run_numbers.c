#include "harness/analysis/run_numbers.h"
#include "base/heap.h"
#include "instances/csv.h"

/* The number in a cell, which may be a fraction, NaN where it is empty; blames the row where it is
 * none. */
static bool read_number(struct csv *csv, size_t column, double *number)
{
    const struct csv_field *field = &csv->fields[column];
    *number = field->text[0] == '\0' ? NAN : cost_number(field->text);
    if (field->text[0] == '\0' || *number >= 0)
        return true;
    csv_blame(csv, field->place, "'%.60s'; expected a number, not negative", field->text);
    return false;
}

static void read_rows(struct run_numbers *numbers, const struct results *results, struct csv *csv,
                      const char *const *columns, size_t count)
{
    size_t places[RUN_NUMBERS];
    const size_t run_id = csv_need(csv, "run_id");
    bool whole = run_id != CSV_NONE;
    for (size_t i = 0; i < count; i++) {
        places[i] = csv_need(csv, columns[i]);
        whole = whole && places[i] != CSV_NONE;
    }
    while (whole && csv_next(csv)) {
        struct run_numbers_row row = {.run =
                                          names_find(&results->run_ids, csv->fields[run_id].text)};
        bool fine = row.run != NAMES_NONE;
        for (size_t i = 0; i < count && fine; i++)
            fine = read_number(csv, places[i], &row.value[i]);
        if (!fine)
            continue;
        *HEAP_ADD(numbers->rows, numbers->count) = row;
    }
}

bool run_numbers_read(struct run_numbers *numbers, const struct results *results, const char *file,
                      const char *const *columns, size_t count, struct report *report)
{
    const size_t problems = report->count;
    const char *why;
    SCOPED_BY(stream_end) FILE *stream = file_open(file, &why);
    if (stream == NULL)
        return report_add(report, NO_PLACE, "cannot open: %s", why);
    SCOPED_BY(csv_end) struct csv csv;
    if (csv_start(&csv, stream, CSV_LINES | CSV_APPENDED, report))
        read_rows(numbers, results, &csv, columns, count);
    return report->count == problems;
}

void run_numbers_end(struct run_numbers *numbers)
{
    free(numbers->rows);
    *numbers = (struct run_numbers){0};
}
