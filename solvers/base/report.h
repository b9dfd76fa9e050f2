/* Problems in what a person wrote, collected with their places so that all can be shown in one go.
 *
 * A report belongs to one text (a file, the command line, standard input). Nothing here prints: the
 * program shows `text` when the reading is over. Each entry is one line,
 *     FILE:LINE:COLUMN: what is wrong; what was expected
 * LINE and COLUMN count from 1, columns in bytes; with line 0 the place is left out. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include "base/compiler.h"
#include <stddef.h>

struct report {
    const char *file; /* not owned; NULL leaves the place out altogether */
    size_t count;     /* problems so far */
    char *text;       /* owned; all entries, each with its newline; NULL while there are none */
    size_t length;
};

/* Starts an empty report on `file`, which must outlive it. */
void report_start(struct report *report, const char *file);

/* Adds one problem; control characters in it are shown as '?'. Memory that cannot be had ends the
 * program with a message. */
void report_add(struct report *report, size_t line, size_t column, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Adds all entries of `other`, with their own places, behind those of `report`. */
void report_join(struct report *report, const struct report *other);

/* The first problem without its newline, to be told elsewhere; heap memory, free(). */
char *report_first(const struct report *report);

/* Frees the text; the report is empty again. */
void report_end(struct report *report);

/* The word among `count` candidates that is nearest to `word` by edit distance (case ignored), or
 * NULL when none is near enough to be what was meant. */
const char *nearest_word(const char *word, const char *const *candidates, size_t count);

/* "a, b or c", and "; did you mean 'b'?" or "": parts of messages; heap memory, free(). */
char *words_listed(const char *const *words, size_t count);
char *word_meant(const char *word, const char *const *words, size_t count);

/* Adds "unknown WHAT 'WORD'; expected a, b or c; did you mean 'b'?". */
void report_unknown(struct report *report, size_t line, size_t column, const char *what,
                    const char *word, const char *const *words, size_t count);

#endif
