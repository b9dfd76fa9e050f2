/* The counters of a search: exact, 64-bit, the same on every machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct statistics {
#define COUNTER(name, unit, rises, meaning)          uint64_t name;
#define OPTIONAL_COUNTER(name, unit, rises, meaning) uint64_t name;
#include "search/statistics.def"
#undef COUNTER
#undef OPTIONAL_COUNTER
};

/* The counters as a table, for everything that shows or stores them. */
struct counter {
    const char *name;
    const char *unit;
    const char *meaning;
    bool optional; /* 0 means that the algorithm does not have it */
    bool rises;    /* it never falls while a search goes on */
};

enum { COUNTERS = sizeof(struct statistics) / sizeof(uint64_t) };
extern const struct counter counters[COUNTERS];

/* The value of counter number `index`. */
uint64_t statistics_value(const struct statistics *statistics, unsigned index);

static inline void raise_to(uint64_t *max, uint64_t value)
{
    if (value > *max)
        *max = value;
}
