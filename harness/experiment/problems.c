#include "harness/experiment/problems.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/text/screen.h"
#include "harness/text/sorting.h"
#include <unistd.h>

struct attachment {
    struct text_place place;
    struct report report;
};

void problems_start(struct problems *problems, const struct overrides *overrides)
{
    *problems = (struct problems){.overrides = overrides};
    report_start(&problems->inbox, "");
    problems->inbox.unlimited = true; /* the first are known only once they are sorted */
}

void problems_attach(struct problems *problems, struct text_place place, struct report *other)
{
    if (other->count == 0)
        return;
    *HEAP_ADD(problems->attachments, problems->attachment_count) =
        (struct attachment){place, *other};
    report_start(other, other->file);
}

bool problems_none(const struct problems *problems)
{
    return problems->inbox.count == 0 && problems->attachment_count == 0;
}

/* A problem on its way from the inbox, or a whole attachment. */
struct entry {
    struct text_place place;
    size_t number; /* in which order they came */
    const char *text;
    struct report *attached; /* NULL for one of the inbox */
};

ORDER_BY(by_place, struct entry, BY(place.line), BY(place.column), BY(number));

/* Whether an entry was reported already at its place. Few entries share a place. */
static bool is_repeated(const struct entry *entries, size_t i)
{
    for (size_t j = i; j-- > 0 && entries[j].place.line == entries[i].place.line &&
                       entries[j].place.column == entries[i].place.column;)
        if (entries[j].attached == NULL && entries[i].attached == NULL &&
            strcmp(entries[j].text, entries[i].text) == 0)
            return true;
    return false;
}

/* Takes the inbox apart: its lines read ":LINE:COLUMN: text" or ": text". A message never holds a
 * line feed, so there are no more lines than problems. */
static struct entry *sort_entries(struct problems *problems, size_t *count)
{
    struct entry *entries =
        heap_take(problems->inbox.count + problems->attachment_count, sizeof *entries);
    char *at = problems->inbox.text;
    *count = 0;
    while (at != NULL && *at != '\0') {
        struct entry *entry = &entries[*count];
        char *end = at + strcspn(at, "\n");
        *end = '\0';
        entry->number = (*count)++;
        if (at[0] == ':' && at[1] != ' ') {
            entry->place.line = strtoull(at + 1, &at, 10);
            entry->place.column = strtoull(at + (*at == ':'), &at, 10);
        }
        entry->text = at + strspn(at, ":") + (at[0] == ':' && at[1] == ' ');
        at = end + 1;
    }
    for (size_t i = 0; i < problems->attachment_count; i++) {
        struct attachment *attachment = &problems->attachments[i];
        entries[*count] = (struct entry){
            .place = attachment->place, .number = *count, .attached = &attachment->report};
        ++*count;
    }
    qsort(entries, *count, sizeof *entries, by_place);
    return entries;
}

/* A message that may name another place: "the first is at line 268435456, column 3" is one on the
 * command line. Heap memory. */
static char *message_of(const struct problems *problems, const char *text)
{
    static const char place[] = " at line ";
    const char *at = strstr(text, place);
    char *end;
    const size_t line = at == NULL ? 0 : strtoull(at + sizeof place - 1, &end, 10);
    if (line < OVERRIDE_LINES || line - OVERRIDE_LINES >= problems->overrides->count)
        return heap_text(text);
    return heap_format("%.*s in --set %s%s", (int)(at - text), text,
                       problems->overrides->texts[line - OVERRIDE_LINES], end);
}

/* Reports a problem of a value from the command line. */
static void report_override(struct report *report, const struct problems *problems,
                            const struct entry *entry, const char *message)
{
    const char *file = report->file;
    SCOPED char *option =
        heap_format("--set %s", problems->overrides->texts[entry->place.line - OVERRIDE_LINES]);
    report->file = option;
    report_add(report, NO_PLACE, "%s", message);
    report->file = file;
}

void problems_end(struct problems *problems, struct report *report)
{
    size_t count;
    SCOPED struct entry *entries = sort_entries(problems, &count);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].attached != NULL) {
            report_join(report, entries[i].attached);
            report_end(entries[i].attached);
        } else if (is_repeated(entries, i)) {
            continue;
        } else {
            SCOPED char *message = message_of(problems, entries[i].text);
            if (entries[i].place.line >= OVERRIDE_LINES)
                report_override(report, problems, &entries[i], message);
            else
                report_add(report, entries[i].place, "%s", message);
        }
    }
    free(problems->attachments);
    report_end(&problems->inbox);
    problems_start(problems, problems->overrides);
}

/* The file whose lines are being shown. */
struct shown {
    char *path;
    FILE *file;
    size_t line;    /* the number of the line read last */
    char *text;     /* that line */
    ssize_t length; /* of it, with its end */
    size_t capacity;
};

static void shown_end(struct shown *shown)
{
    FREE(shown->path, shown->text);
    if (shown->file != NULL)
        fclose(shown->file);
}

/* Reads line `line` of a file into shown->text; false when there is none. */
static bool read_line(struct shown *shown, const char *path, size_t line)
{
    if (shown->path == NULL || strcmp(shown->path, path) != 0) {
        const char *why;
        shown_end(shown);
        *shown = (struct shown){.path = heap_text(path), .file = file_open(path, &why)};
    } else if (line < shown->line && shown->file != NULL) {
        rewind(shown->file);
        shown->line = 0;
    }
    while (shown->file != NULL && shown->line < line) {
        shown->length = getline(&shown->text, &shown->capacity, shown->file);
        if (shown->length < 0) {
            fclose(shown->file); /* not a text file after all, or cut short meanwhile */
            shown->file = NULL;
        }
        shown->line++;
    }
    return shown->file != NULL && line > 0;
}

/* The place an entry begins with, FILE:LINE:COLUMN: and a space; returns the file's length, or 0.
 */
static size_t parse_place(const char *entry, size_t *line, size_t *column, size_t *length)
{
    for (const char *colon = strchr(entry, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        size_t digits = strspn(colon + 1, "0123456789");
        const char *second = colon + 1 + digits;
        size_t more = *second == ':' ? strspn(second + 1, "0123456789") : 0;
        if (digits == 0 || more == 0 || strncmp(second + 1 + more, ": ", 2) != 0)
            continue;
        *line = strtoull(colon + 1, NULL, 10);
        *column = strtoull(second + 1, NULL, 10);
        *length = (size_t)(second + 1 + more + 1 - entry);
        return (size_t)(colon - entry);
    }
    return 0;
}

static bool continues_character(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* A part of a line as it is shown, tabs as blanks; heap memory. */
static char *shown_part(const char *text, size_t length)
{
    SCOPED char *part = heap_format("%.*s", (int)length, text);
    for (char *at = part; *at != '\0'; at++)
        if (*at == '\t')
            *at = ' ';
    return text_printable(part);
}

/* Prints the line and the caret. Of a long line only the part around the column is shown. */
static void print_source(FILE *stream, const struct shown *shown, size_t column, bool colour)
{
    enum { BEFORE = 60, WIDTH = 100 };
    const char *text = shown->text;
    size_t length = (size_t)shown->length;
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    if (column - 1 > length)
        return;
    size_t from = column - 1 > BEFORE ? column - 1 - BEFORE : 0;
    while (from > 0 && continues_character(text[from]))
        from--;
    size_t to = length - from > WIDTH ? from + WIDTH : length;
    while (to < length && continues_character(text[to]))
        to++;
    SCOPED char *before = shown_part(text + from, column - 1 - from);
    SCOPED char *after = shown_part(text + column - 1, to - (column - 1));
    const int margin = fprintf(stream, "%5zu | ", shown->line);
    fprintf(stream, "%s%s\n%*s", before, after, margin, "| ");
    for (const char *at = before; *at != '\0'; at++)
        for (size_t cells = screen_cell(at); cells > 0; cells--)
            putc(' ', stream);
    fputs(colour ? "\033[1;32m^\033[0m\n" : "^\n", stream);
}

static bool wants_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return (no_colour == NULL || no_colour[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0 && isatty(fileno(stream));
}

static void print_entries(FILE *stream, const struct report *report, bool colour)
{
    struct shown shown = {0};
    SCOPED char *copy = heap_text(report->text == NULL ? "" : report->text);
    for (char *entry = copy, *next; *entry != '\0'; entry = next) {
        size_t line = 0;
        size_t column = 0;
        size_t place = 0;
        size_t end = strcspn(entry, "\n");
        next = entry + end + (entry[end] != '\0');
        entry[end] = '\0';
        size_t file = parse_place(entry, &line, &column, &place);
        if (colour)
            fprintf(stream, "\033[1m%.*s\033[0m%s\n", (int)place, entry, entry + place);
        else
            fprintf(stream, "%s\n", entry);
        if (file == 0 || column == 0)
            continue;
        entry[file] = '\0';
        if (read_line(&shown, entry, line))
            print_source(stream, &shown, column, colour);
    }
    shown_end(&shown);
}

void problems_print(FILE *stream, const struct report *report)
{
    /* Written in one piece: standard error has no buffer. */
    SCOPED char *text = WRITTEN(buffer, print_entries(buffer, report, wants_colour(stream)));
    fputs(text, stream);
}
