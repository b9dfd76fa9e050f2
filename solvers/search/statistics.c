#include "search/statistics.h"
#include <string.h>

const struct counter counters[COUNTERS] = {
#define COUNTER(name, summary)          {#name, summary, false},
#define OPTIONAL_COUNTER(name, summary) {#name, summary, true},
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
