#include "harness/analysis/round_counts.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/experiment/units.h"
#include "instances/csv.h"
#include <string.h>

/* The count in a cell; blames the row where it is none. */
static bool read_count(struct csv *csv, size_t column, double *number)
{
    const struct csv_field *field = &csv->fields[column];
    uint64_t count;
    if (field->text[strspn(field->text, "0123456789")] == '\0' &&
        parse_count(field->text, &count)) {
        *number = (double)count;
        return true;
    }
    csv_blame(csv, field->line, field->column, "'%.60s'; expected a whole number", field->text);
    return false;
}

static void read_rows(struct round_counts *rounds, const struct results *results, struct csv *csv)
{
    const size_t run_id = csv_need(csv, "run_id");
    const size_t round = csv_need(csv, "round");
    const size_t expanded = csv_need(csv, "expanded");
    const size_t generated = csv_need(csv, "generated");
    if (run_id == CSV_NONE || round == CSV_NONE || expanded == CSV_NONE || generated == CSV_NONE)
        return;
    while (csv_next(csv)) {
        struct round_count row = {.run = names_find(&results->run_ids, csv->fields[run_id].text)};
        if (row.run == NAMES_NONE || !read_count(csv, round, &row.round) ||
            !read_count(csv, expanded, &row.expanded) ||
            !read_count(csv, generated, &row.generated))
            continue;
        rounds->rows = heap_grow(rounds->rows, rounds->count, sizeof row);
        rounds->rows[rounds->count++] = row;
    }
}

bool round_counts_read(struct round_counts *rounds, const struct results *results, const char *file,
                       struct report *report)
{
    const size_t problems = report->count;
    const char *why;
    FILE *stream = file_open(file, &why);
    if (stream == NULL) {
        report_add(report, 0, 0, "cannot open: %s", why);
        return false;
    }
    struct csv csv;
    if (csv_start(&csv, stream, CSV_LINES | CSV_APPENDED, report))
        read_rows(rounds, results, &csv);
    csv_end(&csv);
    fclose(stream);
    return report->count == problems;
}

void round_counts_end(struct round_counts *rounds)
{
    free(rounds->rows);
    *rounds = (struct round_counts){0};
}
