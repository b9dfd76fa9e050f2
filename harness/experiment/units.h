/* Quantities as people write them: 500M, 2GiB, 60s. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A unit and its worth; tables end with a NULL name. */
struct unit {
    const char *name;
    uint64_t worth;
};
extern const struct unit count_units[];
extern const struct unit byte_units[];
extern const struct unit time_units[]; /* in microseconds */

/* A count: digits, then nothing or k, M, G, T (powers of 1,000; k and K alike). */
bool parse_count(const char *text, uint64_t *count);

/* Bytes: digits, then B, kB, MB, GB, TB (powers of 1,000) or KiB, MiB, GiB, TiB (powers of 1,024),
 * or nothing for bytes. */
bool parse_bytes(const char *text, uint64_t *bytes);

/* Seconds: a number, with or without a fraction, then us, ms, s, m (minutes), h or d, or nothing
 * for seconds. Neither negative nor infinite. */
bool parse_seconds(const char *text, double *seconds);
