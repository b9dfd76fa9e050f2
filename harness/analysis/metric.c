#include "harness/analysis/metric.h"

/* By enum metric: the columns that metrics are. */
static const unsigned columns[METRICS] = {
#define METRIC(name, unit, repeats) COLUMN_##name,
#include "harness/results/metrics.def"
#undef METRIC
};

unsigned metric_column_number(enum metric metric)
{
    return columns[metric];
}

const struct column *metric_column(enum metric metric)
{
    return &row_columns[columns[metric]];
}
