#include "harness/analysis/metric.h"

const char *const metric_names[METRICS] = {
#define COUNTER(name, summary)          #name,
#define OPTIONAL_COUNTER(name, summary) #name,
#include "search/statistics.def"
#undef COUNTER
#undef OPTIONAL_COUNTER
    "length",
    "wall_s",
    "cpu_s",
};

const char *const metric_meanings[METRICS] = {
#define COUNTER(name, summary)          summary,
#define OPTIONAL_COUNTER(name, summary) summary,
#include "search/statistics.def"
#undef COUNTER
#undef OPTIONAL_COUNTER
    "moves of the solution found",
    "wall time, the search alone",
    "processor time, the search alone",
};

const char *metric_unit(enum metric metric)
{
    switch (metric) {
    case METRIC_wall_s:
    case METRIC_cpu_s:
        return "s";
    case METRIC_length:
    case METRIC_max_depth:
        return "moves";
    case METRIC_iterations:
        return "rounds";
    case METRIC_peak_bytes:
        return "bytes";
    default: /* what searches count is nodes */
        return "nodes";
    }
}
