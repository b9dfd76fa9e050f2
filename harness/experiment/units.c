#include "harness/experiment/units.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct unit count_units[] = {{"", 1},        {"k", 1000},       {"K", 1000},
                                   {"M", 1000000}, {"G", 1000000000}, {"T", 1000000000000},
                                   {NULL, 0}};

const struct unit byte_units[] = {{"", 1},
                                  {"B", 1},
                                  {"kB", 1000},
                                  {"KB", 1000},
                                  {"MB", 1000000},
                                  {"GB", 1000000000},
                                  {"TB", 1000000000000},
                                  {"KiB", 1 << 10},
                                  {"MiB", 1 << 20},
                                  {"GiB", 1 << 30},
                                  {"TiB", UINT64_C(1) << 40},
                                  {NULL, 0}};

const struct unit time_units[] = {
    {"", 1000000},          {"s", 1000000},          {"us", 1},
    {"ms", 1000},           {"m", 60000000},         {"min", 60000000},
    {"h", 3600 * 1000000L}, {"d", 86400 * 1000000L}, {NULL, 0}};

static bool parse_scaled(const char *text, const struct unit *units, uint64_t *value)
{
    uint64_t number = 0;
    const char *at = text;
    for (; isdigit((unsigned char)*at); at++)
        if (__builtin_mul_overflow(number, UINT64_C(10), &number) ||
            __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
            return false;
    if (at == text)
        return false;
    at += at[0] == ' ' && at[1] != '\0';
    for (; units->name != NULL; units++)
        if (strcmp(at, units->name) == 0)
            return !__builtin_mul_overflow(number, units->worth, value);
    return false;
}

bool parse_count(const char *text, uint64_t *count)
{
    return parse_scaled(text, count_units, count);
}

bool parse_bytes(const char *text, uint64_t *bytes)
{
    return parse_scaled(text, byte_units, bytes);
}

bool parse_seconds(const char *text, double *seconds)
{
    char *end;
    size_t length = strspn(text, "0123456789.");
    if (!isdigit((unsigned char)text[0]) || length > 15)
        return false;
    double number =
        strtod(text, &end); /* an exponent or a hexadecimal number would end elsewhere */
    if (end != text + length)
        return false;
    end += end[0] == ' ' && end[1] != '\0';
    for (const struct unit *unit = time_units; unit->name != NULL; unit++)
        if (strcmp(end, unit->name) == 0) {
            *seconds = number * ((double)unit->worth / 1e6);
            return true;
        }
    return false;
}
