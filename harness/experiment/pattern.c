#include "harness/experiment/pattern.h"
#include "base/heap.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *pattern_append(char *text, const char *format, ...)
{
    va_list arguments;
    char *more = NULL;
    va_start(arguments, format);
    if (vasprintf(&more, format, arguments) < 0)
        heap_exhausted();
    va_end(arguments);
    char *longer = heap_format("%s%s", text, more);
    free(more);
    free(text);
    return longer;
}

/* Another alternative: `prefix`, a digit from `first` to `last`, and from `fewest` to `most` more
 * digits. */
static char *add_digits(char *text, const char *prefix, unsigned first, unsigned last,
                        unsigned fewest, unsigned most)
{
    text = pattern_append(text, "%s%s", text[0] == '\0' ? "" : "|", prefix);
    text = first == last ? pattern_append(text, "%u", first)
                         : pattern_append(text, "[%u-%u]", first, last);
    if (fewest != most)
        return pattern_append(text, "[0-9]{%u,%u}", fewest, most);
    if (most > 1)
        return pattern_append(text, "[0-9]{%u}", most);
    return most == 1 ? pattern_append(text, "[0-9]") : text;
}

/* The numbers from `least` to `most` as alternatives, without zeros before them: the range falls
 * into blocks that differ in one digit and the free digits behind it. */
static char *alternatives(uint64_t least, uint64_t most)
{
    char *text = heap_text("");
    unsigned fewest = 0;
    unsigned free_digits = 0; /* [1-9] and `fewest` to `free_digits` - 1 digits are to be added */
    if (least == 0) {
        text = add_digits(text, "", 0, 0, 0, 0);
        least = 1;
    }
    for (bool more = least <= most; more;) {
        uint64_t block = 1;
        unsigned digits = 0;
        while (least % (block * 10) == 0 && most - least >= block * 10 - 1) {
            block *= 10;
            digits++;
        }
        const unsigned first = (unsigned)(least / block % 10);
        unsigned last = first;
        uint64_t end = least + (block - 1);
        while (last < 9 && most - end >= block) {
            end += block;
            last++;
        }
        const uint64_t before = least / block / 10;
        const bool all = before == 0 && first == 1 && last == 9;
        more = end < most;
        least = more ? end + 1 : least;
        if (all && free_digits == 0)
            fewest = digits;
        if (all)
            free_digits = digits + 1;
        if (free_digits > 0 && (!all || !more)) {
            text = add_digits(text, "", 1, 9, fewest, free_digits - 1);
            free_digits = 0;
        }
        if (!all) {
            char *prefix = before == 0 ? heap_text("") : heap_format("%" PRIu64, before);
            text = add_digits(text, prefix, first, last, digits, digits);
            free(prefix);
        }
    }
    return text;
}

char *pattern_number(uint64_t least, uint64_t most)
{
    char *numbers = alternatives(least, most);
    char *text = heap_format("0*(?:%s)", numbers);
    free(numbers);
    return text;
}

char *pattern_decimal(uint64_t least, uint64_t most)
{
    char *below = alternatives(least, most - 1);
    char *text =
        heap_format("0*(?:(?:%s)(?:\\.[0-9]{1,3})?|%" PRIu64 "(?:\\.0{1,3})?)", below, most);
    free(below);
    return text;
}

/* Adds "numbers unit" as an alternative; takes `numbers`. */
static char *add_unit(char *text, char *numbers, const char *unit)
{
    text = pattern_append(text, "%s%s%s%s", text[0] == '\0' ? "" : "|", numbers,
                          unit[0] == '\0' ? "" : " ?", unit);
    free(numbers);
    return text;
}

char *pattern_quantity(uint64_t least, uint64_t most, const struct unit *units)
{
    char *text = heap_text("");
    for (; units->name != NULL; units++) {
        const uint64_t from = least / units->worth + (least % units->worth != 0);
        if (from <= most / units->worth)
            text = add_unit(text, pattern_number(from, most / units->worth), units->name);
    }
    return text;
}

char *pattern_seconds(uint64_t least, uint64_t most)
{
    char *text = heap_text("");
    for (const struct time_unit *unit = time_units; unit->name != NULL; unit++) {
        const double from = (double)least / 1e3 / unit->seconds;
        const uint64_t to = (uint64_t)llround((double)most / 1e3 / unit->seconds);
        const uint64_t whole = from < 1 ? 1 : (uint64_t)llround(ceil(from - 1e-9));
        char *below = alternatives(whole, to - 1);
        char *numbers = heap_format("(?:0*(?:%s)(?:\\.[0-9]*)?|0*%" PRIu64 "(?:\\.0*)?", below, to);
        if (from < 1) {
            unsigned zeros = 0;
            for (double place = 0.1; place > from * (1 + 1e-9); place /= 10)
                zeros++;
            numbers = pattern_append(numbers, "|0+\\.0{0,%u}[1-9][0-9]*", zeros);
        }
        numbers = pattern_append(numbers, ")");
        text = add_unit(text, numbers, unit->name);
        free(below);
    }
    return text;
}
