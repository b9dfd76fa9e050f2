/* What can be measured of a run: every counter of search/statistics.def, the length of its solution
 * and its times, called as their columns of runs.csv; and numbers of the column `extra`, which
 * programs print under names of their own. Which ones, is said before results are read. */
#pragma once

#include "harness/experiment/experiment.h"
#include "harness/results/columns.h"

enum metric {
#define METRIC(name, unit, repeats, rises) METRIC_##name,
#include "harness/experiment/metrics.def"
#undef METRIC
    METRIC_extra, /* the first of MAX_EXTRAS */
    METRICS = METRIC_extra + MAX_EXTRAS,
    COLUMN_METRICS = METRIC_extra /* so many are columns of runs.csv and of the derived tables */
};

/* How many there are: COLUMN_METRICS and those that metric_extra_add added. */
unsigned metric_count(void);

/* Adds extra.NAME (metric_word_is_extra) unless it is there; METRICS: no more can be. One that a
 * person `asked` for on the command line, before any other, is kept by metric_extras_forget. */
enum metric metric_extra_add(const char *word, bool asked);
void metric_extras_forget(void);
bool metric_extra_asked(enum metric metric);

/* Its NAME within the column, and its unit (NULL: none), which metric_extras_forget forgets. */
const char *metric_extra(enum metric metric);
void metric_extra_unit(enum metric metric, const char *unit);

/* The column of runs.csv that one of COLUMN_METRICS is, as a number (COLUMN_length); and that of
 * any metric as its name, unit and meaning. */
unsigned metric_column_number(enum metric metric);
const struct column *metric_column(enum metric metric);

/* The metric of a name, extra.NAME only where it was added; METRICS if there is none. */
enum metric metric_named(const char *name);

/* Whether what an unsolved run had spent is a lower bound of what it would have needed. Of other
 * metrics unsolved runs say nothing: neither less nor more than solved ones. */
bool metric_rises(enum metric metric);

/* Times vary from run to run; a number of the column `extra` is one if its unit is s. */
bool metric_is_time(enum metric metric);

/* Whether all its values are whole numbers. */
static inline bool metric_is_whole(enum metric metric)
{
    return metric < METRIC_extra && metric != METRIC_cost && !metric_is_time(metric);
}

/* What the system measures of an external solver, so that it is of another thing than of a built-in
 * one (enum measured). */
static inline bool metric_is_measured(enum metric metric)
{
    return metric == METRIC_wall_s || metric == METRIC_cpu_s || metric == METRIC_peak_bytes ||
           (metric >= METRIC_instructions && metric < METRIC_extra);
}

/* What a solver counts itself, so an external one may report anything. */
static inline bool metric_is_counted(enum metric metric)
{
    return metric < METRIC_length && metric != METRIC_peak_bytes;
}

/* Whether a metric is doubtful where runs have counters that no search can count, or times beside
 * control runs that drifted. */
static inline bool metric_is_doubted(enum metric metric, size_t impossible, size_t drifted)
{
    return (impossible > 0 && metric_is_counted(metric)) || (drifted > 0 && metric_is_time(metric));
}

/* What the processor or the kernel counts (external/events.def), which varies from run to run. */
static inline bool metric_is_event(enum metric metric)
{
    return metric >= METRIC_instructions && metric < METRIC_extra;
}

/* Whether repetitions of a run have the same: the system measures the memory of an external solver.
 */
static inline bool metric_repeats(enum metric metric, enum measured measured)
{
    return !metric_is_time(metric) && !metric_is_event(metric) &&
           (measured == MEASURED_SEARCH || metric != METRIC_peak_bytes);
}
