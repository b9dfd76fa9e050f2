/* Numbers for people; a missing one (NaN) is "-". Each returns the text of a small value, so
 * printf("%s", human_count(n).text); */
#pragma once

#include <stddef.h>

#define NORMAL_95                                                                                  \
    1.959963984540054 /* standard errors in half an interval of 95 %: what +- means                \
                       */

struct human {
    char text[32];
};

/* The ending of a counted noun: "" for one, else "s". */
static inline const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* 7, 12,345, 1.23e+07 from ten million on; with a fraction as human_mean; "unsolved" for INFINITY.
 */
struct human human_count(double value);

/* 21.93, 128.4, 12,345, 1.23e+07: with as many decimals as are worth reading. */
struct human human_mean(double value);

/* 0.00123, 0.0123, 1.234, 12.34, 123.4, 1,234 */
struct human human_ratio(double value);

/* 0.93: shares, correlations, branching factors as they are published */
struct human human_decimals(double value, int decimals);

/* 0.0312, 1.2e-05, < 1e-300; in sentences 0.031, 1. Never rounded to 0.05 or across it: 0.0497. */
struct human human_p(double value);
struct human human_p_brief(double value);

/* Seconds, shown as us, ms or s with three digits. */
struct human human_seconds(double seconds);

/* Bytes, shown as B, KiB, MiB or GiB with three digits. */
struct human human_bytes(double bytes);
