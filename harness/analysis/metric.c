#include "harness/analysis/metric.h"
#include "harness/experiment/experiment.h"

/* The columns that metrics are. */
static const unsigned columns[COLUMN_METRICS] = {
#define METRIC(name, unit, repeats, rises) COLUMN_##name,
#include "harness/experiment/metrics.def"
#undef METRIC
};

static const bool rising[METRICS] = {
#define METRIC(name, unit, repeats, rises) rises,
#include "harness/experiment/metrics.def"
#undef METRIC
    [METRIC_extra] = true, /* a cost: what was spent only grows */
};

static char extra_name[sizeof EXTRA_PREFIX + MAX_EXTRA_NAME];
static char extra_unit[MAX_UNIT + 1];
static const struct column extra_column = {
    extra_name, COLUMN_TYPE_NUMBER, extra_unit, true, false, "a number that a program printed"};

void metric_extra_set(const char *word, const char *unit)
{
    snprintf(extra_name, sizeof extra_name, "%s", word == NULL ? "" : word);
    snprintf(extra_unit, sizeof extra_unit, "%s", unit == NULL ? "" : unit);
}

const char *metric_extra(void)
{
    return extra_name[0] == '\0' ? NULL : extra_name + strlen(EXTRA_PREFIX);
}

enum metric metric_named(const char *name)
{
    unsigned metric = 0;
    while (metric < METRICS && strcmp(metric_column(metric)->name, name) != 0)
        metric++;
    return (enum metric)metric;
}

bool metric_is_time(enum metric metric)
{
    return metric == METRIC_wall_s || metric == METRIC_cpu_s ||
           (metric == METRIC_extra && strcmp(extra_unit, "s") == 0);
}

bool metric_rises(enum metric metric)
{
    return rising[metric];
}

unsigned metric_column_number(enum metric metric)
{
    return columns[metric];
}

const struct column *metric_column(enum metric metric)
{
    return metric == METRIC_extra ? &extra_column : &row_columns[columns[metric]];
}
