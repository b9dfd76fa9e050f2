/* CSV as RFC 4180 describes it: read row by row, written field by field.
 *
 * The reader keeps a block of the file and one row in memory and reuses its buffers for the next.
 * The first row is the header; columns are found by name. Rows end with LF or CRLF, the last one
 * also at the end of the file; empty lines and a byte-order mark are skipped. Fields contain no
 * zero bytes; a quoted field may contain commas, line ends and doubled quotes.
 *
 * A malformed row (a wrong number of fields, a stray quote, a zero byte) is reported with its
 * place, counted in `bad` and skipped.
 *
 *     struct csv csv;
 *     if (csv_start(&csv, file, 0, &report)) {
 *         size_t name = csv_need(&csv, "name");
 *         while (name != CSV_NONE && csv_next(&csv))
 *             use(csv.fields[name].text);
 *     }
 *     csv_end(&csv); */
#pragma once

#include "base/report.h"
#include <stdint.h>
#include <stdio.h>

#define CSV_NONE SIZE_MAX

/* Flags of csv_start. */
enum {
    CSV_SEMICOLONS = 8, /* semicolons separate fields, as spreadsheets write them where the comma is
                           the decimal mark */
    CSV_COMMENTS = 1,   /* lines before the header that start with '#' are comments */
    CSV_LINES = 4,      /* no field contains a line end: each line is a row, and a quote that is not
                           closed on its line spoils only that row */
    CSV_APPENDED = 2, /* rows are appended to the file: a last row without a line end is still being
                         written or was cut off; it is skipped silently and `cut` is set */
};

struct csv_field {
    const char *text;        /* valid until the next csv_next */
    struct text_place place; /* where it starts, after a quote, both from 1, for report_add */
};

struct csv {
    struct csv_field *fields; /* the current row (before the first csv_next: the header); their
                                 texts follow one another, each with its zero byte */
    size_t columns;           /* how many fields every row has */
    uint64_t end;             /* bytes of the file up to the end of the last complete row read */
    size_t bad;               /* malformed rows, which were skipped */
    bool cut;                 /* see CSV_APPENDED */

    /* Private. */
    FILE *file;
    char *block; /* what is read of the file and not taken yet: from `taken` to `filled` */
    size_t taken, filled, block_room;
    struct report *report;
    unsigned flags;
    char **names; /* the header */
    size_t header_line;
    uint64_t offset;
    size_t at_line, at_column; /* the place of the next byte */
    char *text;                /* the fields of the row, each with its zero byte */
    size_t used, capacity;
    size_t *starts; /* where in `text` each field starts */
    size_t count;   /* fields of the current row */
    size_t room;    /* the capacity of `fields` and `starts` */
};

/* Whether semicolons separate the fields of a header: a comma comes later, if at all, but for those
 * in quotes or parentheses. */
bool csv_has_semicolons(const char *header);

/* Starts reading `file` and reads the header. `file` and `report` are not owned and must outlive
 * the reader; `file` must be at its beginning, and is anywhere afterwards. Returns false, with a
 * problem in the report, if there is no valid header or a name occurs twice. Call csv_end in either
 * case. */
bool csv_start(struct csv *csv, FILE *file, unsigned flags, struct report *report);

/* Reads the next well-formed row into `fields`; false at the end of the file. */
bool csv_next(struct csv *csv);

/* The same for one row: CSV_BAD after a malformed one, which is reported and counted. */
enum csv_row { CSV_ROW, CSV_BAD, CSV_END };
enum csv_row csv_try(struct csv *csv);

/* For a reader that cuts lines before it is their turn (CSV_LINES, after csv_start): the whole
 * lines at hand, next to which `*bytes` bytes with all their ends; NULL if there is none, and
 * csv_try reads on. At most `room` bytes of the file are at hand. Lines stay where they are until
 * csv_try or csv_take_line took the last of them. */
char *csv_lines(struct csv *csv, size_t room, size_t *bytes);

/* Cuts a line of `length` bytes, without its end, into csv->columns `fields`, whose texts follow
 * one another in the line's place; a zero byte takes the place of its end. Their `line` is left
 * out. False, and the line is unchanged, where it is not as simple as that, and csv_try must read
 * it. `ascii` tells whether all is printable ASCII. Threads may do this at the same time. */
bool csv_cut(const struct csv *csv, char *line, size_t length, struct csv_field *fields,
             bool *ascii);

/* Takes the next line, of `bytes` with its end, without reading it: it was cut, or is empty. */
void csv_take_line(struct csv *csv, size_t bytes);

/* Reports a row whose fields are wrong for the caller as a malformed one: it counts in `bad`. */
void csv_blame(struct csv *csv, struct text_place place, const char *format, ...) PRINTF_LIKE(3, 4);

/* The index of the column with this name, or CSV_NONE. csv_need also reports a missing one. */
size_t csv_column(const struct csv *csv, const char *name);
size_t csv_need(struct csv *csv, const char *name);

void csv_end(struct csv *csv);

/* Writes one field, quoted if the text needs it or if a spreadsheet would take it for a formula: it
 * starts with = + - @, a tab or a carriage return. The caller writes commas and line ends. */
void csv_write_field(FILE *file, const char *text);

/* The same into memory, for a text of `length` bytes: at most twice as many and CSV_QUOTES. Returns
 * the end of what it wrote. */
enum { CSV_QUOTES = 2 };
char *csv_put_field(char *to, const char *text, size_t length);
