/* Problems in what a person wrote, collected with their places so that all can be shown at once.
 *
 * A report belongs to one text (a file, the command line, standard input). Nothing here prints: the
 * program shows `text` after reading. Each entry is one line,
 *     FILE:LINE:COLUMN: what is wrong; what was expected
 * LINE and COLUMN count from 1, columns in bytes; with line 0 the place is left out. The first
 * MAX_REPORTED problems are listed; a last line counts the others: "and 999,900 more problems". So
 * a reader can report every problem it finds and need not stop. */
#pragma once

#include "base/compiler.h"
#include <stdbool.h>
#include <stddef.h>

/* Where something is written. */
struct text_place {
    size_t line, column; /* from 1, columns in bytes; 0: it has no place */
};

#define NO_PLACE    ((struct text_place){0, 0})
#define FIRST_PLACE ((struct text_place){1, 1})

enum { MAX_REPORTED = 100 };

struct report {
    const char *file; /* not owned; NULL: entries have no place */
    size_t count;     /* problems so far, listed or not */
    char *text;       /* owned; entries, each with its newline; NULL while there are none */
    bool unlimited;   /* MAX_REPORTED does not apply: for a reader that sorts them later */

    /* Private. */
    size_t reported; /* entries in text */
    size_t length;   /* of the entries, without the line that counts the others */
};

/* The place so many bytes further in the same line; none stays none. */
static inline struct text_place place_after(struct text_place place, size_t bytes)
{
    return place.line == 0 ? place : (struct text_place){place.line, place.column + bytes};
}

/* The place of a byte of a text, `at` in it, which begins at FIRST_PLACE. */
struct text_place place_in(const char *text, const char *at);

/* Starts an empty report on `file`, which must outlive it. */
void report_start(struct report *report, const char *file);

/* Adds one problem, made safe to print by text_printable. Ends the program with a message if memory
 * runs out. False, so that a reader can say what is wrong as it returns. */
bool report_add(struct report *report, struct text_place place, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Appends the problems of `other`, with their own places, to those of `report`. */
void report_join(struct report *report, const struct report *other);

/* The first problem without its newline, to be reported elsewhere; heap memory, free(). */
char *report_first(const struct report *report);

/* Frees the text; the report is empty again. */
void report_end(struct report *report);

/* Whether a text may be written to a terminal as it is: valid UTF-8 without control characters
 * (including tabs, line ends and U+0080 to U+009F), without the marks that change the direction of
 * writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) and without U+2028 and
 * U+2029, which end lines. */
bool text_is_printable(const char *text);

/* A copy of a text with '?' for each character that is not printable or not UTF-8: one line that
 * cannot control a terminal and shows its characters in their order. For anything that comes from a
 * file and is printed. Heap memory, free(). */
char *text_printable(const char *text);

/* The word among `count` candidates that is nearest to `word` by edit distance (case ignored), or
 * NULL if none is near enough to be a likely typing error. */
const char *nearest_word(const char *word, const char *const *candidates, size_t count);

/* "a, b or c", and "; did you mean 'b'?" or "": parts of messages; heap memory, free(). */
char *words_listed(const char *const *words, size_t count);
char *word_meant(const char *word, const char *const *words, size_t count);

/* Adds "unknown WHAT 'WORD'; expected a, b or c; did you mean 'b'?". False. */
bool report_unknown(struct report *report, struct text_place place, const char *what,
                    const char *word, const char *const *words, size_t count);
