/* Any bytes are read as CSV under each flag: rows as wide as the header, problems counted. Fields
 * that csv_write_field writes are read back byte for byte. */
#include "fuzz.h"
#include "instances/csv.h"

static FILE *open_bytes(const void *bytes, size_t size)
{
    FILE *file = fmemopen((void *)(uintptr_t)bytes, size, "r");
    MUST_HOLD(file != NULL);
    return file;
}

/* Writes the row at hand below a header of numbers, behind a first field, as a row of one empty
 * field would be an empty line. */
static void check_same(const struct csv *row)
{
    SCOPED char *text = NULL;
    size_t length = 0;
    SCOPED_BY(csv_end) struct csv again;
    SCOPED_BY(report_end) struct report report;
    FILE *stream = open_memstream(&text, &length);
    MUST_HOLD(stream != NULL);
    for (size_t i = 0; i < row->columns; i++)
        fprintf(stream, "%zu,", i);
    fputs("last\n-", stream);
    for (size_t i = 0; i < row->columns; i++) {
        putc(',', stream);
        csv_write_field(stream, row->fields[i].text);
    }
    putc('\n', stream);
    fclose(stream);
    FILE *file = open_bytes(text, length);
    report_start(&report, "again");
    MUST_HOLD(csv_start(&again, file, CSV_APPENDED, &report));
    MUST_HOLD(csv_next(&again));
    MUST_HOLD(again.columns == row->columns + 1);
    for (size_t i = 0; i < row->columns; i++)
        MUST_HOLD(strcmp(again.fields[i + 1].text, row->fields[i].text) == 0);
    MUST_HOLD(again.end == length);
    MUST_HOLD(!csv_next(&again) && !again.cut && report.count == 0);
    fclose(file);
}

static void check(const uint8_t *data, size_t size, unsigned flags)
{
    SCOPED_BY(csv_end) struct csv csv;
    SCOPED_BY(report_end) struct report report = {.file = "fuzz"};
    FILE *file = open_bytes(data, size);
    if (csv_start(&csv, file, flags, &report)) {
        size_t line = csv.fields[0].place.line;
        uint64_t end = csv.end;
        MUST_HOLD(report.count == 0);
        check_same(&csv);
        for (size_t i = 0; i < csv.columns; i++)
            MUST_HOLD(csv_need(&csv, csv.fields[i].text) == i);
        while (csv_next(&csv)) {
            MUST_HOLD(csv.fields[0].place.line > line && csv.end > end && csv.end <= size);
            line = csv.fields[0].place.line;
            end = csv.end;
            check_same(&csv);
        }
        MUST_HOLD(report.count == csv.bad);
        MUST_HOLD(!csv.cut || (flags & CSV_APPENDED) != 0);
    } else {
        MUST_HOLD(report.count > 0);
    }
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (unsigned flags = 0; flags <= (CSV_COMMENTS | CSV_APPENDED | CSV_LINES); flags++)
        check(data, size, flags);
    return 0;
}
