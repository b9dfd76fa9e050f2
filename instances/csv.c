/* A whole line in the block, whose quotes are where they should be, is cut at its separators. All
 * else goes through a state machine over bytes, which says what is wrong. The fields of a row are
 * stored one after the other in one growing text. */
#include "instances/csv.h"
#include "base/heap.h"
#include <errno.h>
#include <limits.h>
#include <string.h>

enum row { ROW_WHOLE, ROW_BAD, ROW_NONE };

enum { BLOCK = 1 << 16 };

/* Reads more of the file behind what is in the block. */
static bool fill_block(struct csv *csv)
{
    csv->filled -= csv->taken;
    memmove(csv->block, csv->block + csv->taken, csv->filled);
    csv->taken = 0;
    const size_t got = fread(csv->block + csv->filled, 1, BLOCK - csv->filled, csv->file);
    csv->filled += got;
    return got > 0;
}

static int peek_byte(struct csv *csv)
{
    if (csv->taken == csv->filled && !fill_block(csv))
        return EOF;
    return (unsigned char)csv->block[csv->taken];
}

static int take_byte(struct csv *csv)
{
    const int byte = peek_byte(csv);
    if (byte == EOF)
        return EOF;
    csv->taken++;
    csv->offset++;
    csv->at_column++;
    if (byte == '\n') {
        csv->at_line++;
        csv->at_column = 1;
    }
    return byte;
}

/* Makes room for so many more bytes of text. */
static void make_room(struct csv *csv, size_t bytes)
{
    csv->text = heap_reserve(csv->text, &csv->capacity, csv->used + bytes, 1);
}

static void put_byte(struct csv *csv, int byte)
{
    make_room(csv, 1);
    csv->text[csv->used++] = (char)byte;
}

/* Makes room for another field. */
static void reserve_field(struct csv *csv)
{
    size_t room = csv->room; /* of both */
    if (csv->count < room)
        return;
    csv->fields = heap_reserve(csv->fields, &room, csv->count + 1, sizeof *csv->fields);
    csv->starts = heap_reserve(csv->starts, &csv->room, csv->count + 1, sizeof *csv->starts);
}

static void open_field(struct csv *csv)
{
    reserve_field(csv);
    csv->fields[csv->count] = (struct csv_field){.line = csv->at_line, .column = csv->at_column};
    csv->starts[csv->count] = csv->used;
    csv->count++;
}

void csv_blame(struct csv *csv, size_t line, size_t column, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *message = heap_format_list(format, values);
    va_end(values);
    csv->bad++;
    report_add(csv->report, line, column, "%s", message);
    free(message);
}

/* Skips the rest of a bad line. False if the line has no end although it must have one. */
static bool skip_line(struct csv *csv)
{
    int byte;
    do
        byte = take_byte(csv);
    while (byte != EOF && byte != '\n');
    if (byte == EOF && (csv->flags & CSV_APPENDED) != 0)
        csv->cut = true;
    return !csv->cut;
}

static enum row bad_row(struct csv *csv, size_t line, size_t column, const char *message)
{
    if (!skip_line(csv))
        return ROW_NONE;
    csv_blame(csv, line, column, "%s", message);
    return ROW_BAD;
}

static char separator_of(const struct csv *csv)
{
    return (csv->flags & CSV_SEMICOLONS) != 0 ? ';' : ',';
}

/* The end of a field in quotes that ends at a separator or at the end of the line, which its text
 * then does; NULL where it does not. The quotes are taken out. */
static char *unquote(char *field, const char *end, char separator)
{
    char *to = field;
    for (char *from = field + 1;;) {
        char *quote = memchr(from, '"', (size_t)(end - from));
        if (quote == NULL)
            return NULL;
        memmove(to, from, (size_t)(quote - from));
        to += quote - from;
        from = quote + 1;
        if (from < end && *from == '"') {
            *to++ = *from++;
        } else {
            *to = '\0';
            return from == end || *from == separator ? from : NULL;
        }
    }
}

/* Cuts a line without quotes, which is in csv->text, at its separators. */
static void cut_plain(struct csv *csv, size_t length)
{
    const char separator = separator_of(csv);
    char *at = csv->text;
    char *const end = at + length;
    *end = separator; /* so that every field ends with one */
    while (at <= end) {
        reserve_field(csv);
        csv->fields[csv->count++] = (struct csv_field){
            .text = at, .line = csv->at_line, .column = 1 + (size_t)(at - csv->text)};
        at = memchr(at, separator, (size_t)(end - at) + 1);
        *at++ = '\0';
    }
}

/* The same for a line with quotes; false where they are not where they should be. */
static bool cut_quoted(struct csv *csv, size_t length)
{
    const char separator = separator_of(csv);
    char *at = csv->text;
    const char *end = at + length;
    for (;; at++) {
        char *field = at;
        open_field(csv);
        csv->fields[csv->count - 1].text = field;
        csv->fields[csv->count - 1].column = 1 + (size_t)(field - csv->text);
        if (at < end && *at == '"') {
            at = unquote(at, end, separator);
        } else {
            at = memchr(field, separator, (size_t)(end - field));
            at = at == NULL ? csv->text + length : at;
            if (memchr(field, '"', (size_t)(at - field)) != NULL)
                at = NULL;
        }
        if (at == NULL)
            return false;
        const bool last = at == end;
        *at = '\0';
        if (last)
            return true;
    }
}

/* Cuts the next line into fields. False, and nothing is taken, where it is not whole in the block,
 * empty, or not as simple as that. */
static bool cut_line(struct csv *csv)
{
    const char *line = csv->block + csv->taken;
    const char *newline = memchr(line, '\n', csv->filled - csv->taken);
    if (newline == NULL && fill_block(csv)) {
        line = csv->block;
        newline = memchr(line, '\n', csv->filled);
    }
    if (newline == NULL || newline == line)
        return false;
    const size_t length = (size_t)(newline - line);
    if (memchr(line, '\r', length) != NULL || memchr(line, '\0', length) != NULL)
        return false;
    csv->used = 0;
    csv->count = 0;
    make_room(csv, length + 1);
    memcpy(csv->text, line, length);
    csv->joined = memchr(line, '"', length) == NULL;
    if (csv->joined)
        cut_plain(csv, length);
    else if (!cut_quoted(csv, length))
        return false;
    csv->taken += length + 1;
    csv->offset += length + 1;
    csv->at_line++;
    csv->at_column = 1;
    return true;
}

/* Reads the fields of one row, whatever their number; ROW_NONE at the end of the file. */
static enum row read_fields(struct csv *csv)
{
    enum { START, PLAIN, QUOTED, CLOSED } state = START;
    csv->used = 0;
    csv->count = 0;
    csv->joined = true;
    open_field(csv);
    for (;;) {
        size_t line = csv->at_line;
        size_t column = csv->at_column;
        const struct csv_field *field = &csv->fields[csv->count - 1];
        int byte = take_byte(csv);
        if (byte == '\0')
            return bad_row(csv, line, column, "a zero byte; expected text");
        if (state == QUOTED) {
            if (byte == EOF)
                return bad_row(csv, field->line, field->column, "this quote is never closed");
            if (byte == '\n' && (csv->flags & CSV_LINES) != 0) {
                csv_blame(csv, field->line, field->column,
                          "this quote is not closed on its line; expected a closing quote");
                return ROW_BAD;
            }
            if (byte != '"') {
                put_byte(csv, byte);
            } else if (peek_byte(csv) == '"') {
                put_byte(csv, take_byte(csv));
            } else {
                state = CLOSED;
            }
            continue;
        }
        if (byte == '\r') {
            int following = peek_byte(csv);
            if (following == '\n' || following == EOF)
                byte = take_byte(csv);
        }
        if (byte == separator_of(csv)) {
            put_byte(csv, '\0');
            open_field(csv);
            state = START;
        } else if (byte == '\n' || byte == EOF) {
            bool empty = csv->count == 1 && state == START;
            if (byte == EOF && empty)
                return ROW_NONE;
            if (byte == EOF && (csv->flags & CSV_APPENDED) != 0) {
                csv->cut = true;
                return ROW_NONE;
            }
            if (!empty) {
                put_byte(csv, '\0');
                return ROW_WHOLE;
            }
            csv->count = 0;
            open_field(csv);
        } else if (byte == '"' && state == START) {
            state = QUOTED;
        } else if (state == CLOSED) {
            return bad_row(csv, line, column,
                           "text after a closing quote; expected ',' or the end of the line");
        } else if (byte == '"') {
            return bad_row(csv, line, column,
                           "a quote inside a field; expected the whole field in quotes");
        } else {
            put_byte(csv, byte);
            state = PLAIN;
        }
    }
}

static enum row read_row(struct csv *csv)
{
    if (cut_line(csv)) {
        csv->end = csv->offset;
        return ROW_WHOLE;
    }
    errno = 0;
    enum row row = read_fields(csv);
    if (ferror(csv->file)) {
        report_add(csv->report, 0, 0, "cannot be read: %s", strerror(errno));
        return ROW_NONE;
    }
    if (row != ROW_WHOLE)
        return row;
    for (size_t i = 0; i < csv->count; i++)
        csv->fields[i].text = csv->text + csv->starts[i];
    csv->end = csv->offset;
    return ROW_WHOLE;
}

/* Skips a byte-order mark. */
static bool skip_mark(struct csv *csv)
{
    if (peek_byte(csv) != 0xEF)
        return true;
    if (take_byte(csv) == 0xEF && take_byte(csv) == 0xBB && take_byte(csv) == 0xBF) {
        csv->at_column = 1;
        return true;
    }
    report_add(csv->report, 1, 1, "not a CSV file; expected a header of column names");
    return false;
}

bool csv_start(struct csv *csv, FILE *file, unsigned flags, struct report *report)
{
    *csv =
        (struct csv){.file = file, .report = report, .flags = flags, .at_line = 1, .at_column = 1};
    csv->block = heap_resize(NULL, BLOCK);
    if (!skip_mark(csv))
        return false;
    while ((flags & CSV_COMMENTS) != 0) {
        int byte = peek_byte(csv);
        if ((byte != '#' && byte != '\n' && byte != '\r') || !skip_line(csv))
            break;
    }
    size_t problems = report->count;
    if (read_row(csv) != ROW_WHOLE) {
        if (report->count == problems)
            report_add(report, 0, 0, "no header; expected a first line of column names");
        return false;
    }
    csv->columns = csv->count;
    csv->header_line = csv->fields[0].line;
    csv->names = heap_take(csv->columns, sizeof *csv->names);
    for (size_t i = 0; i < csv->columns; i++) {
        const struct csv_field *field = &csv->fields[i];
        if (csv_column(csv, field->text) != CSV_NONE)
            report_add(report, field->line, field->column, "column '%s' occurs twice", field->text);
        csv->names[i] = heap_text(field->text);
    }
    return report->count == problems;
}

bool csv_next(struct csv *csv)
{
    for (;;) {
        enum row row = read_row(csv);
        if (row == ROW_NONE)
            return false;
        if (row == ROW_BAD)
            continue;
        if (csv->count == csv->columns)
            return true;
        const struct csv_field *place =
            &csv->fields[csv->count > csv->columns ? csv->columns : csv->count - 1];
        csv_blame(csv, place->line, place->column,
                  "the row has %zu field%s; expected %zu as in the header", csv->count,
                  csv->count == 1 ? "" : "s", csv->columns);
    }
}

size_t csv_column(const struct csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->columns && csv->names[i] != NULL; i++) {
        if (strcmp(csv->names[i], name) == 0)
            return i;
    }
    return CSV_NONE;
}

size_t csv_need(struct csv *csv, const char *name)
{
    size_t column = csv_column(csv, name);
    if (column == CSV_NONE)
        report_add(csv->report, csv->header_line, 1, "no column '%s'; expected it in the header",
                   name);
    return column;
}

void csv_end(struct csv *csv)
{
    for (size_t i = 0; csv->names != NULL && i < csv->columns; i++)
        free(csv->names[i]);
    free(csv->names);
    free(csv->fields);
    free(csv->starts);
    free(csv->text);
    free(csv->block);
    *csv = (struct csv){0};
}

/* Whether a field is written as it is. */
static bool is_plain(const char *text, size_t length)
{
    static const bool quoted[UCHAR_MAX + 1] = {
        [','] = true, ['"'] = true, ['\r'] = true, ['\n'] = true};
    if (length > 0 && memchr("=+-@\t", text[0], 5) != NULL)
        return false; /* else a formula */
    for (size_t i = 0; i < length; i++)
        if (quoted[(unsigned char)text[i]])
            return false;
    return true;
}

char *csv_put_field(char *to, const char *text, size_t length)
{
    if (is_plain(text, length))
        return mempcpy(to, text, length);
    *to++ = '"';
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            *to++ = '"';
        *to++ = text[i];
    }
    *to++ = '"';
    return to;
}

void csv_write_field(FILE *file, const char *text)
{
    const size_t length = strlen(text);
    if (is_plain(text, length)) {
        fwrite(text, 1, length, file);
        return;
    }
    char *field = heap_resize(NULL, 2 * length + CSV_QUOTES);
    fwrite(field, 1, (size_t)(csv_put_field(field, text, length) - field), file);
    free(field);
}
