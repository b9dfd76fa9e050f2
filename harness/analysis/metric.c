#include "harness/analysis/metric.h"

/* By enum metric: the columns that metrics are. */
static const unsigned columns[METRICS] = {
#define COUNTER(name, unit, meaning)          COLUMN_##name,
#define OPTIONAL_COUNTER(name, unit, meaning) COLUMN_##name,
#include "search/statistics.def"
#undef COUNTER
#undef OPTIONAL_COUNTER
    COLUMN_length,
    COLUMN_wall_s,
    COLUMN_cpu_s,
};

unsigned metric_column_number(enum metric metric)
{
    return columns[metric];
}

const struct column *metric_column(enum metric metric)
{
    return &row_columns[columns[metric]];
}
