/* What can be measured of a run: every counter of search/statistics.def, the length of its solution
 * and its times. Their names are those of the columns of runs.csv. */
#ifndef HARNESS_ANALYSIS_METRIC_H
#define HARNESS_ANALYSIS_METRIC_H

#include "harness/results/columns.h"
#include <stdbool.h>

enum metric {
#define METRIC(name, unit, repeats, rises) METRIC_##name,
#include "harness/experiment/metrics.def"
#undef METRIC
    METRICS
};

/* The column of runs.csv that a metric is, as a number (COLUMN_length), and as its name, unit and
 * meaning. */
unsigned metric_column_number(enum metric metric);
const struct column *metric_column(enum metric metric);

/* The metric of a name; METRICS if there is none. */
enum metric metric_named(const char *name);

/* Whether what an unsolved run had spent is a lower bound of what it would have needed. Of other
 * metrics unsolved runs say nothing: neither less nor more than solved ones. */
bool metric_rises(enum metric metric);

/* Times vary from run to run; all else is a whole number that does not. */
static inline bool metric_is_time(enum metric metric)
{
    return metric == METRIC_wall_s || metric == METRIC_cpu_s;
}

/* What a solver counts itself, so an external one may report anything. */
static inline bool metric_is_counted(enum metric metric)
{
    return metric < METRIC_length && metric != METRIC_peak_bytes;
}

/* Whether repetitions of a run have the same: the system measures the memory of an external solver.
 */
static inline bool metric_repeats(enum metric metric, enum measured measured)
{
    return !metric_is_time(metric) && (measured == MEASURED_SEARCH || metric != METRIC_peak_bytes);
}

#endif
