#include "base/report.h"
#include "base/heap.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void report_start(struct report *report, const char *file)
{
    *report = (struct report){.file = file};
}

/* Adds a text of that length, ended by a zero byte. */
static void append(struct report *report, const char *text, size_t length)
{
    report->text = heap_resize(report->text, report->length + length + 1);
    memcpy(report->text + report->length, text, length + 1);
    report->length += length;
}

void report_add(struct report *report, size_t line, size_t column, const char *format, ...)
{
    char *message = NULL;
    char *entry = NULL;
    va_list values;
    va_start(values, format);
    int written = vasprintf(&message, format, values);
    va_end(values);
    if (written < 0)
        heap_exhausted();
    for (char *at = message; *at != '\0'; at++) /* an entry is one line, and commands no terminal */
        if (iscntrl((unsigned char)*at))
            *at = '?';
    if (report->file == NULL)
        written = asprintf(&entry, "%s\n", message);
    else if (line == 0)
        written = asprintf(&entry, "%s: %s\n", report->file, message);
    else
        written = asprintf(&entry, "%s:%zu:%zu: %s\n", report->file, line, column, message);
    if (written < 0)
        heap_exhausted();
    append(report, entry, (size_t)written);
    report->count++;
    free(entry);
    free(message);
}

void report_join(struct report *report, const struct report *other)
{
    if (other->count > 0)
        append(report, other->text, other->length);
    report->count += other->count;
}

void report_end(struct report *report)
{
    free(report->text);
    report_start(report, report->file);
}

char *report_first(const struct report *report)
{
    return heap_format("%.*s", (int)strcspn(report->text, "\n"), report->text);
}

/* Levenshtein's distance, case ignored; words longer than the row are never near. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    size_t row[LONGEST + 1];
    size_t length = strlen(b);
    if (length > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t change =
                diagonal + (tolower((unsigned char)a[i]) != tolower((unsigned char)b[j]));
            size_t step = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = change < step ? change : step;
        }
    }
    return row[length];
}

const char *nearest_word(const char *word, const char *const *candidates, size_t count)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(word, candidates[i]);
        if (distance < best_distance && distance < strlen(candidates[i])) {
            best = candidates[i];
            best_distance = distance;
        }
    }
    return best;
}

char *words_listed(const char *const *words, size_t count)
{
    char *text = heap_text("");
    for (size_t i = 0; i < count; i++) {
        const char *between = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        char *longer = heap_format("%s%s%s", text, between, words[i]);
        free(text);
        text = longer;
    }
    return text;
}

char *word_meant(const char *word, const char *const *words, size_t count)
{
    const char *nearest = nearest_word(word, words, count);
    return nearest == NULL ? heap_text("") : heap_format("; did you mean '%s'?", nearest);
}

void report_unknown(struct report *report, size_t line, size_t column, const char *what,
                    const char *word, const char *const *words, size_t count)
{
    char *expected = words_listed(words, count);
    char *meant = word_meant(word, words, count);
    report_add(report, line, column, "unknown %s '%s'; expected %s%s", what, word, expected, meant);
    free(expected);
    free(meant);
}
