/* What a command has to say, in the requested form: headings, sentences and tables.
 *
 * A table is one struct tidy, whatever the format: CSV and JSON have the full numbers, the others
 * show them rounded for people. Texts may come from anywhere, so they are made harmless for each
 * format (characters that control a terminal or have a meaning in Markdown, LaTeX or HTML). */
#pragma once

#include "harness/text/tidy.h"

/* FORMAT_TEXT and the others of formats.def, which says how to add one. */
enum format {
#define FORMAT(upper, name) FORMAT_##upper,
#include "harness/text/formats.def"
#undef FORMAT
    FORMATS
};

extern const char *const format_names[FORMATS];

enum part_kind {
    PART_TITLE, /* of the whole */
    PART_HEADING,
    PART_TEXT,    /* a paragraph */
    PART_VERDICT, /* an item of a list */
    PART_NOTE,
    PART_TABLE,
};

struct document_part {
    enum part_kind kind;
    char *name; /* owned; of a table; else NULL */
    char *text; /* owned; of a table: its caption */
    struct tidy table;
};

/* A zeroed struct document is an empty one. */
struct document {
    struct document_part *parts;
    size_t count;
};

void document_say(struct document *document, enum part_kind kind, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Takes the table. Its name is its key in JSON; tables of one name are rows of one array there. */
void document_table(struct document *document, const char *name, struct tidy *table,
                    const char *caption, ...) PRINTF_LIKE(4, 5);

/* Moves the parts of another document to the end of this one. */
void document_append(struct document *document, struct document *more);

/* Prints all parts, or the tables of one name alone (`only`; NULL: all), with the headings above
 * them in their captions; in JSON the members of `head` (may be NULL) come first. False if there is
 * no such table. */
bool document_print(const struct document *document, enum format format, const char *only,
                    const json_t *head, FILE *file);

/* Prints one part as HTML, to be put into a page. */
void document_html(const struct document_part *part, FILE *file);

void document_end(struct document *document);
