/* A whole line in the block, with as many fields as the header and its quotes where they should be,
 * is cut at its separators where it lies. All else goes through a state machine over bytes, which
 * says what is wrong; it stores the fields of a row one after the other in one growing text. */
#include "instances/csv.h"
#include "base/heap.h"
#include "base/named.h"
#include <errno.h>
#include <limits.h>

enum { BLOCK = 1 << 16 };

/* Reads more of the file behind what is in the block. */
static bool fill_block(struct csv *csv)
{
    csv->filled -= csv->taken;
    memmove(csv->block, csv->block + csv->taken, csv->filled);
    csv->taken = 0;
    const size_t got = fread(csv->block + csv->filled, 1, csv->block_room - csv->filled, csv->file);
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
    csv->fields[csv->count] = (struct csv_field){.place = {csv->at_line, csv->at_column}};
    csv->starts[csv->count] = csv->used;
    csv->count++;
}

void csv_blame(struct csv *csv, struct text_place place, const char *format, ...)
{
    SCOPED char *message = FORMATTED(format);
    csv->bad++;
    report_add(csv->report, place, "%s", message);
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

static enum csv_row bad_row(struct csv *csv, struct text_place place, const char *message)
{
    if (!skip_line(csv))
        return CSV_END;
    csv_blame(csv, place, "%s", message);
    return CSV_BAD;
}

static char separator_of(const struct csv *csv)
{
    return (csv->flags & CSV_SEMICOLONS) != 0 ? ';' : ',';
}

/* Finds where the fields of a line begin, as if it had no quotes; false where they are not as many
 * as the columns. `ascii`: all is printable ASCII; `quoted`: there is a quote. */
static bool scan_line(const struct csv *csv, const char *line, size_t length,
                      struct csv_field *fields, bool *ascii, bool *quoted)
{
    typedef uint8_t bytes __attribute__((vector_size(16)));
    typedef uint64_t halves __attribute__((vector_size(16)));
    const char separator = separator_of(csv);
    bytes odd = {0};
    bytes quotes = {0};
    size_t count = 0;
    fields[0] = (struct csv_field){.text = line, .place.column = 1};
    for (size_t at = 0; at < length; at += sizeof(bytes)) {
        bytes part;
        if (length - at >= sizeof part)
            memcpy(&part, line + at, sizeof part);
        else
            memcpy(memset(&part, ' ', sizeof part), line + at, length - at);
        odd |= (bytes)(part < (uint8_t)' ') | (bytes)(part > (uint8_t)'~');
        quotes |= (bytes)(part == (uint8_t)'"');
        const halves found = (halves)(part == (uint8_t)separator);
        for (unsigned half = 0; half < 2; half++)
            for (uint64_t left = found[half] & UINT64_C(0x8080808080808080); left != 0;
                 left &= left - 1) {
                const size_t end = at + 8 * half + (unsigned)__builtin_ctzll(left) / 8;
                if (++count < csv->columns)
                    fields[count] =
                        (struct csv_field){.text = line + end + 1, .place.column = end + 2};
            }
    }
    const halves any_odd = (halves)odd;
    const halves any_quote = (halves)quotes;
    *ascii = (any_odd[0] | any_odd[1]) == 0;
    *quoted = (any_quote[0] | any_quote[1]) != 0;
    return count + 1 == csv->columns;
}

/* The end of a field, at a separator or at that of the line; NULL where quotes are not where they
 * should be. */
static const char *field_end(const char *field, const char *end, char separator)
{
    const char *at = field + 1;
    if (field == end || *field != '"') {
        at = memchr(field, separator, (size_t)(end - field));
        at = at == NULL ? end : at;
        return memchr(field, '"', (size_t)(at - field)) == NULL ? at : NULL;
    }
    while ((at = memchr(at, '"', (size_t)(end - at))) != NULL && at + 1 < end && at[1] == '"')
        at += 2;
    return at == NULL || at + 1 == end || at[1] == separator ? at == NULL ? NULL : at + 1 : NULL;
}

/* The same as scan_line where there are quotes; false, too, where they are not where they should
 * be. */
static bool scan_quoted(const struct csv *csv, const char *line, size_t length,
                        struct csv_field *fields)
{
    const char *end = line + length;
    const char *at = line;
    for (size_t i = 0; i < csv->columns; i++) {
        fields[i] = (struct csv_field){.text = at, .place.column = 1 + (size_t)(at - line)};
        at = field_end(at, end, separator_of(csv));
        if (at == NULL || (at == end) != (i + 1 == csv->columns))
            return false;
        at++;
    }
    return true;
}

/* Takes the quotes out of the fields of a line, and what is between them. */
static void close_up(const struct csv *csv, char *line, size_t length, struct csv_field *fields)
{
    char *to = line;
    for (size_t i = 0; i < csv->columns; i++) {
        const char *from = fields[i].text;
        const char *end = i + 1 < csv->columns ? fields[i + 1].text - 1 : line + length;
        const bool quoted = from < end && *from == '"';
        fields[i].text = to;
        fields[i].place.column += quoted;
        for (from += quoted, end -= quoted; from < end; from++) {
            from += quoted && *from == '"';
            *to++ = *from;
        }
        *to++ = '\0';
    }
}

bool csv_cut(const struct csv *csv, char *line, size_t length, struct csv_field *fields,
             bool *ascii)
{
    bool quoted;
    const bool fits = scan_line(csv, line, length, fields, ascii, &quoted);
    if ((!fits && !quoted) ||
        (!*ascii && (memchr(line, '\r', length) != NULL || memchr(line, '\0', length) != NULL)))
        return false;
    if (quoted) {
        if (!scan_quoted(csv, line, length, fields))
            return false;
        close_up(csv, line, length, fields);
    } else {
        for (size_t i = 1; i < csv->columns; i++)
            line[fields[i].place.column - 2] = '\0';
        line[length] = '\0';
    }
    return true;
}

char *csv_lines(struct csv *csv, size_t room, size_t *bytes)
{
    const char *newline = memrchr(csv->block + csv->taken, '\n', csv->filled - csv->taken);
    if (newline == NULL) {
        csv->block = heap_reserve(csv->block, &csv->block_room, room, 1);
        if (fill_block(csv))
            newline = memrchr(csv->block, '\n', csv->filled);
    }
    if (newline == NULL)
        return NULL;
    *bytes = (size_t)(newline + 1 - (csv->block + csv->taken));
    return csv->block + csv->taken;
}

void csv_take_line(struct csv *csv, size_t bytes)
{
    const char first = csv->block[csv->taken];
    csv->taken += bytes;
    csv->offset += bytes;
    if (first != '\n' && first != '\r') /* no empty line */
        csv->end = csv->offset;
    csv->at_line++;
    csv->at_column = 1;
}

/* Cuts the next line into fields. False, and nothing is taken, where it is not whole in the block,
 * empty, or not as simple as that. */
static bool cut_line(struct csv *csv)
{
    bool ascii;
    if (csv->columns == 0) /* this is the header */
        return false;
    char *line = csv->block + csv->taken;
    const char *newline = memchr(line, '\n', csv->filled - csv->taken);
    if (newline == NULL && fill_block(csv)) {
        line = csv->block;
        newline = memchr(line, '\n', csv->filled);
    }
    if (newline == NULL || newline == line)
        return false;
    const size_t length = (size_t)(newline - line);
    if (!csv_cut(csv, line, length, csv->fields, &ascii))
        return false;
    for (size_t i = 0; i < csv->columns; i++)
        csv->fields[i].place.line = csv->at_line;
    csv->count = csv->columns;
    csv_take_line(csv, length + 1);
    return true;
}

/* Reads the fields of one row, whatever their number; CSV_END at the end of the file. */
static enum csv_row read_fields(struct csv *csv)
{
    enum { START, PLAIN, QUOTED, CLOSED } state = START;
    csv->used = 0;
    csv->count = 0;
    open_field(csv);
    for (;;) {
        const struct text_place place = {csv->at_line, csv->at_column};
        const struct csv_field *field = &csv->fields[csv->count - 1];
        int byte = take_byte(csv);
        if (byte == '\0')
            return bad_row(csv, place, "a zero byte; expected text");
        if (state == QUOTED) {
            if (byte == EOF)
                return bad_row(csv, field->place, "this quote is never closed");
            if (byte == '\n' && (csv->flags & CSV_LINES) != 0) {
                csv_blame(csv, field->place,
                          "this quote is not closed on its line; expected a closing quote");
                return CSV_BAD;
            }
            if (byte != '"') {
                put_byte(csv, byte);
            } else if (peek_byte(csv) == '"') {
                put_byte(csv, take_byte(csv));
            } else {
                state = CLOSED;
                csv->fields[csv->count - 1].place.column++;
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
                return CSV_END;
            if (byte == EOF && (csv->flags & CSV_APPENDED) != 0) {
                csv->cut = true;
                return CSV_END;
            }
            if (!empty) {
                put_byte(csv, '\0');
                return CSV_ROW;
            }
            csv->count = 0;
            open_field(csv);
        } else if (byte == '"' && state == START) {
            state = QUOTED;
        } else if (state == CLOSED) {
            return bad_row(csv, place,
                           "text after a closing quote; expected ',' or the end of the line");
        } else if (byte == '"') {
            return bad_row(csv, place,
                           "a quote inside a field; expected the whole field in quotes");
        } else {
            put_byte(csv, byte);
            state = PLAIN;
        }
    }
}

static enum csv_row read_row(struct csv *csv)
{
    if (cut_line(csv))
        return CSV_ROW;
    errno = 0;
    enum csv_row row = read_fields(csv);
    if (ferror(csv->file)) {
        report_add(csv->report, NO_PLACE, "cannot be read: %s", strerror(errno));
        return CSV_END;
    }
    if (row != CSV_ROW)
        return row;
    for (size_t i = 0; i < csv->count; i++)
        csv->fields[i].text = csv->text + csv->starts[i];
    csv->end = csv->offset;
    return CSV_ROW;
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
    return report_add(csv->report, FIRST_PLACE,
                      "not a CSV file; expected a header of column names");
}

bool csv_has_semicolons(const char *header)
{
    bool quoted = false;
    int depth = 0;
    for (const char *at = header; *at != '\0' && *at != '\n'; at++) {
        quoted ^= *at == '"';
        depth += quoted ? 0 : (*at == '(') - (*at == ')');
        if (!quoted && depth == 0 && (*at == ',' || *at == ';'))
            return *at == ';';
    }
    return false;
}

bool csv_start(struct csv *csv, FILE *file, unsigned flags, struct report *report)
{
    *csv =
        (struct csv){.file = file, .report = report, .flags = flags, .at_line = 1, .at_column = 1};
    csv->block = heap_reserve(NULL, &csv->block_room, BLOCK, 1);
    if (!skip_mark(csv))
        return false;
    while ((flags & CSV_COMMENTS) != 0) {
        int byte = peek_byte(csv);
        if ((byte != '#' && byte != '\n' && byte != '\r') || !skip_line(csv))
            break;
    }
    size_t problems = report->count;
    if (read_row(csv) != CSV_ROW) {
        if (report->count == problems)
            report_add(report, NO_PLACE, "no header; expected a first line of column names");
        return false;
    }
    csv->columns = csv->count;
    csv->header_line = csv->fields[0].place.line;
    csv->names = heap_take(csv->columns, sizeof *csv->names);
    for (size_t i = 0; i < csv->columns; i++) {
        const struct csv_field *field = &csv->fields[i];
        if (csv_column(csv, field->text) != CSV_NONE)
            report_add(report, field->place, "column '%s' occurs twice", field->text);
        csv->names[i] = heap_text(field->text);
    }
    return report->count == problems;
}

enum csv_row csv_try(struct csv *csv)
{
    const enum csv_row row = read_row(csv);
    if (row != CSV_ROW || csv->count == csv->columns)
        return row;
    const struct csv_field *place =
        &csv->fields[csv->count > csv->columns ? csv->columns : csv->count - 1];
    csv_blame(csv, place->place, "the row has %zu field%s; expected %zu as in the header",
              csv->count, csv->count == 1 ? "" : "s", csv->columns);
    return CSV_BAD;
}

bool csv_next(struct csv *csv)
{
    enum csv_row row;
    do
        row = csv_try(csv);
    while (row == CSV_BAD);
    return row == CSV_ROW;
}

size_t csv_column(const struct csv *csv, const char *name)
{
    const size_t place = WORD_PLACE(csv->names, csv->columns, name);
    return place < csv->columns ? place : CSV_NONE;
}

size_t csv_need(struct csv *csv, const char *name)
{
    size_t column = csv_column(csv, name);
    if (column == CSV_NONE)
        report_add(csv->report, (struct text_place){csv->header_line, 1},
                   "no column '%s'; expected it in the header", name);
    return column;
}

void csv_end(struct csv *csv)
{
    for (size_t i = 0; csv->names != NULL && i < csv->columns; i++)
        free(csv->names[i]);
    FREE(csv->names, csv->fields, csv->starts, csv->text, csv->block);
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
    SCOPED char *field = heap_resize(NULL, 2 * length + CSV_QUOTES);
    fwrite(field, 1, (size_t)(csv_put_field(field, text, length) - field), file);
}
