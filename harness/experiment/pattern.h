/* Regular expressions (ECMA 262) that match quantities within a range, for JSON Schemas. Heap
 * memory, free(). */
#ifndef EXPERIMENT_PATTERN_H
#define EXPERIMENT_PATTERN_H

#include "base/compiler.h"
#include "harness/experiment/units.h"

/* Whole numbers from `least` to `most`, with zeros before them or not. */
char *pattern_number(uint64_t least, uint64_t most);

/* Numbers with up to three decimals from `least` to `most`, which are whole; zeros before them or
 * not. */
char *pattern_decimal(uint64_t least, uint64_t most);

/* As parse_count and parse_bytes read them: a whole number and a unit. */
char *pattern_quantity(uint64_t least, uint64_t most, const struct unit *units);

/* As parse_seconds reads them, from `least` to `most` milliseconds. Exact but for numbers below 1,
 * of which only the places of the leading zeros are looked at. */
char *pattern_seconds(uint64_t least, uint64_t most);

/* Appends to a text that is heap memory, and returns it. */
char *pattern_append(char *text, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
