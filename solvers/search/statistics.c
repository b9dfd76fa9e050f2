#include "search/statistics.h"
#include <string.h>

const struct counter counters[COUNTERS] = {
#define COUNTER(name, unit, rises, meaning)          {#name, unit, meaning, false, rises},
#define OPTIONAL_COUNTER(name, unit, rises, meaning) {#name, unit, meaning, true, rises},
#include "search/statistics.def"
#undef COUNTER
#undef OPTIONAL_COUNTER
};

uint64_t statistics_value(const struct statistics *statistics, unsigned index)
{
    uint64_t values[COUNTERS];
    memcpy(values, statistics, sizeof values);
    return values[index];
}
