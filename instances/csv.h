/* CSV as RFC 4180 describes it: streamed row by row in, field by field out.
 *
 * Reading keeps one row in memory, in buffers that are used again for the next. The first row is
 * the header and columns are found by its names. Rows end with LF or CRLF, the last one also with
 * the end of the file; empty lines are skipped, and so is a byte order mark. Fields are texts
 * without zero bytes; a quoted field may hold commas, line ends and doubled quotes.
 *
 * A row that is not well formed (a wrong number of fields, a stray quote, a zero byte) is told to
 * the report with its place, counted in `bad` and skipped.
 *
 *     struct csv csv;
 *     if (csv_start(&csv, file, 0, &report)) {
 *         size_t name = csv_need(&csv, "name");
 *         while (name != CSV_NONE && csv_next(&csv))
 *             use(csv.fields[name].text);
 *     }
 *     csv_end(&csv); */
#ifndef INSTANCES_CSV_H
#define INSTANCES_CSV_H

#include "base/report.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CSV_NONE SIZE_MAX

/* Flags of csv_start. */
enum {
    CSV_SEMICOLONS = 8, /* fields are parted by semicolons, as spreadsheets write them where the
                           comma is the decimal mark */
    CSV_COMMENTS = 1,   /* lines before the header that start with '#' are comments */
    CSV_LINES = 4,      /* no field holds a line end: each line is a row by itself, and a quote that
                           is not closed on its line spoils that row alone */
    CSV_APPENDED = 2,   /* rows are appended to the file: a last row without a line end is being
                           written or was cut off; it is left out silently and `cut` is set */
};

struct csv_field {
    const char *text;    /* valid until the next csv_next */
    size_t line, column; /* where it starts, both from 1, for report_add */
};

struct csv {
    struct csv_field *fields; /* the row at hand (before the first csv_next: the header) */
    size_t columns;           /* how many fields every row has */
    uint64_t end;             /* bytes of the file up to the end of the last row read whole */
    size_t bad;               /* rows skipped because they were not well formed */
    bool cut;                 /* see CSV_APPENDED */

    /* Private. */
    FILE *file;
    struct report *report;
    unsigned flags;
    char **names; /* the header */
    size_t header_line;
    uint64_t offset;
    size_t at_line, at_column; /* the place of the byte to come */
    char *text;                /* the fields of the row, each with its zero */
    size_t used, capacity;
    size_t *starts; /* where in `text` each field starts */
    size_t count;   /* fields of the row at hand */
    size_t room;    /* for so many `fields` and `starts` */
};

/* Starts reading `file` and reads the header. `file` and `report` are not owned and must outlive
 * the reader; `file` must stand at its beginning. False, and a problem in the report, when there is
 * no well formed header or a name is there twice. csv_end is due in either case. */
bool csv_start(struct csv *csv, FILE *file, unsigned flags, struct report *report);

/* The next well formed row, in `fields`; false at the end of the file. */
bool csv_next(struct csv *csv);

/* Tells of a row whose fields are wrong to the user, as one that is not well formed: it counts in
 * `bad`, and is told unless too many were. */
void csv_blame(struct csv *csv, size_t line, size_t column, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* The column with this name in the header, or CSV_NONE. csv_need also reports a missing one. */
size_t csv_column(const struct csv *csv, const char *name);
size_t csv_need(struct csv *csv, const char *name);

void csv_end(struct csv *csv);

/* Writes one field, in quotes where the text needs them, and where a spreadsheet would take it for
 * a formula: it begins with = + - @, a tab or a carriage return. Commas and line ends are the
 * caller's. */
void csv_write_field(FILE *file, const char *text);

#endif
