/* What a run can be measured by: every counter of search/statistics.def, the length of its solution
 * and its times. The names are those of the columns of runs.csv. */
#ifndef HARNESS_ANALYSIS_METRIC_H
#define HARNESS_ANALYSIS_METRIC_H

#include <stdbool.h>

enum metric {
#define COUNTER(name, summary)          METRIC_##name,
#define OPTIONAL_COUNTER(name, summary) METRIC_##name,
#include "search/statistics.def"
#undef COUNTER
#undef OPTIONAL_COUNTER
    METRIC_length,
    METRIC_wall_s,
    METRIC_cpu_s,
    METRICS
};

/* By enum metric. */
extern const char *const metric_names[METRICS];
extern const char *const metric_meanings[METRICS];

/* "nodes", "moves", "rounds", "bytes" or "s". */
const char *metric_unit(enum metric metric);

/* Times vary from run to run; all else is a whole number that does not. */
static inline bool metric_is_time(enum metric metric)
{
    return metric == METRIC_wall_s || metric == METRIC_cpu_s;
}

#endif
