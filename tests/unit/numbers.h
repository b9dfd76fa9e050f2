/* What the tests of statistics share: how near a number must be, and data that R can make too. */
#pragma once

#include "tests/test.h"
#include <math.h>

/* Within a share of what is expected; NaN where NaN is expected, infinite where infinite. */
#define EXPECT(value, expected, share) expect_near_at(__LINE__, value, expected, share)

static inline void expect_near_at(int line, double value, double expected, double share)
{
    if (isnan(expected) && isnan(value))
        return;
    if (value != expected && !(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("line %d: %.17g, expected %.17g within a share of %g", line, value, expected,
                 share);
}

/* Repeatable random numbers in [0, 1). */
static inline double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* R: f <- function(n) { i <- 1:n; ((i*7919) %% 1009 - 420) / 8 }; signs and sizes of all kinds, up
 * to 51 of them without ties. */
static inline void fill_f(double *values, size_t count)
{
    for (size_t i = 1; i <= count; i++)
        values[i - 1] = ((double)(i * 7919 % 1009) - 420) / 8;
}

/* R: g <- function(n) { i <- 1:n; (i*31) %% 23 - 9 }; ties and zeros. */
static inline void fill_g(double *values, size_t count)
{
    for (size_t i = 1; i <= count; i++)
        values[i - 1] = (double)(i * 31 % 23) - 9;
}

/* R: h <- function(n) { i <- 1:n; i * ifelse((i*7) %% 10 < 3, -1, 1) }; no ties, mostly above 0. */
static inline void fill_h(double *values, size_t count)
{
    for (size_t i = 1; i <= count; i++)
        values[i - 1] = i * 7 % 10 < 3 ? -(double)i : (double)i;
}
