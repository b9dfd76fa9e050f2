#include "base/report.h"
#include "base/heap.h"
#include <ctype.h>
#include <stdint.h>

struct text_place place_in(const char *text, const char *at)
{
    struct text_place place = FIRST_PLACE;
    for (; text < at; text++) {
        place.column = *text == '\n' ? 1 : place.column + 1;
        place.line += *text == '\n';
    }
    return place;
}

void report_start(struct report *report, const char *file)
{
    *report = (struct report){.file = file};
}

/* The length in bytes of the first character of a text; 0 if it must not be printed. */
static size_t printable_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    const size_t length = at[0] < 0x80 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    static const unsigned char first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const unsigned long smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned long code = at[0] & first_bits[length];
    if (at[0] >= 0xF8 || (at[0] & 0xC0) == 0x80)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80) /* the final zero byte fails this test too */
            return 0;
        code = code << 6 | (at[i] & 0x3FU);
    }
    const bool is_character =
        code >= smallest[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool ends_line = code == 0x2028 || code == 0x2029;
    const bool turns = code == 0x61C || code == 0x200E || code == 0x200F ||
                       (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return is_character && !control && !ends_line && !turns ? length : 0;
}

bool text_is_printable(const char *text)
{
    for (;;) {
        while (*text >= ' ' && *text <= '~')
            text++;
        if (*text == '\0')
            return true;
        const size_t length = printable_length(text);
        if (length == 0)
            return false;
        text += length;
    }
}

/* Whether a byte continues a character. */
static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

char *text_printable(const char *text)
{
    char *copy = heap_text(text);
    char *to = copy;
    while (*text != '\0') {
        size_t length = printable_length(text);
        if (length > 0) {
            memcpy(to, text, length);
            to += length;
            text += length;
            continue;
        }
        *to++ = '?';
        for (text++; continues(*text);)
            text++;
    }
    *to = '\0';
    return copy;
}

/* Appends the line that counts the problems beyond MAX_REPORTED. */
static void count_others(struct report *report)
{
    char digits[24];
    char number[sizeof digits + sizeof digits / 3];
    char line[64];
    size_t used = 0;
    const size_t others = report->count - report->reported;
    if (others == 0)
        return;
    const size_t length = (size_t)snprintf(digits, sizeof digits, "%zu", others);
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            number[used++] = ',';
        number[used++] = digits[i];
    }
    number[used] = '\0';
    const size_t size = (size_t)snprintf(line, sizeof line, "and %s more problem%s\n", number,
                                         others == 1 ? "" : "s");
    report->text = heap_resize(report->text, report->length + size + 1);
    memcpy(report->text + report->length, line, size + 1);
}

static bool is_full(const struct report *report)
{
    return report->reported >= MAX_REPORTED && !report->unlimited;
}

/* Appends an entry: a text up to its first newline, or all of it. Returns its length. */
static size_t append(struct report *report, const char *entry)
{
    const size_t length = strcspn(entry, "\n");
    report->text = heap_resize(report->text, report->length + length + 2);
    memcpy(report->text + report->length, entry, length);
    memcpy(report->text + report->length + length, "\n", 2);
    report->length += length + 1;
    report->reported++;
    return length;
}

bool report_add(struct report *report, struct text_place place, const char *format, ...)
{
    report->count++;
    if (is_full(report)) {
        count_others(report);
        return false;
    }
    SCOPED char *message = FORMATTED(format);
    SCOPED char *entry = report->file == NULL ? heap_text(message)
                         : place.line == 0    ? heap_format("%s: %s", report->file, message)
                                           : heap_format("%s:%zu:%zu: %s", report->file, place.line,
                                                         place.column, message);
    SCOPED char *shown = text_printable(entry);
    append(report, shown);
    return false;
}

void report_join(struct report *report, const struct report *other)
{
    const char *at = other->text;
    report->count += other->count;
    for (size_t i = 0; i < other->reported && !is_full(report); i++)
        at += append(report, at) + 1;
    count_others(report);
}

void report_end(struct report *report)
{
    free(report->text);
    *report = (struct report){.file = report->file, .unlimited = report->unlimited};
}

char *report_first(const struct report *report)
{
    return heap_format("%.*s", (int)strcspn(report->text, "\n"), report->text);
}

/* Levenshtein distance, ignoring case; words longer than MAX_LENGTH are never near. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { MAX_LENGTH = 64 };
    size_t row[MAX_LENGTH + 1];
    size_t length = strlen(b);
    if (length > MAX_LENGTH)
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
        heap_append(&text, "%s%s", between, words[i]);
    }
    return text;
}

char *word_meant(const char *word, const char *const *words, size_t count)
{
    const char *nearest = nearest_word(word, words, count);
    return nearest == NULL ? heap_text("") : heap_format("; did you mean '%s'?", nearest);
}

bool report_unknown(struct report *report, struct text_place place, const char *what,
                    const char *word, const char *const *words, size_t count)
{
    SCOPED char *expected = words_listed(words, count);
    SCOPED char *meant = word_meant(word, words, count);
    return report_add(report, place, "unknown %s '%s'; expected %s%s", what, word, expected, meant);
}
