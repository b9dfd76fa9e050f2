#include "base/option.h"
#include "base/heap.h"
#include <inttypes.h>

size_t option_count(const struct option_row *table)
{
    size_t count = 0;
    while (table[count].kind != OPTION_END)
        count++;
    return count;
}

const struct option_row *option_named(const struct option_row *table, const char *name)
{
    while (table->kind != OPTION_END && strcmp(table->name, name) != 0)
        table++;
    return table->kind == OPTION_END ? NULL : table;
}

bool decimal_parse(const char *text, int64_t *value)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 15)
        return false;
    *value = strtoll(text, NULL, 10) * DECIMAL_ONE;
    if (text[digits] == '\0')
        return true;
    const char *decimals = text + digits + 1;
    const size_t count = strspn(decimals, "0123456789");
    if (text[digits] != '.' || count == 0 || count > 3 || decimals[count] != '\0')
        return false;
    int64_t worth = DECIMAL_ONE;
    for (size_t i = 0; i < count; i++)
        *value += (decimals[i] - '0') * (worth /= 10);
    return true;
}

/* Without trailing zeros. */
static char *decimal_text(int64_t value)
{
    char *text = heap_format("%" PRId64 ".%03" PRId64, value / DECIMAL_ONE, value % DECIMAL_ONE);
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        length--;
    text[text[length - 1] == '.' ? length - 1 : length] = '\0';
    return text;
}

char *option_text(const struct option_row *option, int64_t value)
{
    switch (option->kind) {
    case OPTION_FLAG:
        return heap_text(value ? "true" : "false");
    case OPTION_CHOICE:
        return heap_text(option->choices[value]);
    case OPTION_DECIMAL:
        return decimal_text(value);
    default:
        return value == OPTION_UNSET ? heap_text("none") : heap_format("%" PRId64, value);
    }
}

char *option_range(const struct option_row *option)
{
    SCOPED char *min = option_text(option, option->min);
    SCOPED char *max = option_text(option, option->max);
    return heap_format("%s from %s to %s%s",
                       option->kind == OPTION_DECIMAL ? "a number" : "a whole number", min, max,
                       option->kind == OPTION_DECIMAL     ? ", with at most 3 decimals"
                       : option->fallback == OPTION_UNSET ? ", or none"
                                                          : "");
}
