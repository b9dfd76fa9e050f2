#include "harness/analysis/metric.h"
#include <string.h>

/* By enum metric: the columns that metrics are. */
static const unsigned columns[METRICS] = {
#define METRIC(name, unit, repeats, rises) COLUMN_##name,
#include "harness/experiment/metrics.def"
#undef METRIC
};

static const bool rising[METRICS] = {
#define METRIC(name, unit, repeats, rises) rises,
#include "harness/experiment/metrics.def"
#undef METRIC
};

enum metric metric_named(const char *name)
{
    unsigned metric = 0;
    while (metric < METRICS && strcmp(row_columns[columns[metric]].name, name) != 0)
        metric++;
    return (enum metric)metric;
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
    return &row_columns[columns[metric]];
}
