#include "harness/analysis/metric.h"

/* The columns that metrics are. */
static const unsigned columns[COLUMN_METRICS] = {
#define METRIC(name, unit, repeats, rises) COLUMN_##name,
#include "harness/experiment/metrics.def"
#undef METRIC
};

static const bool rising[COLUMN_METRICS] = {
#define METRIC(name, unit, repeats, rises) rises,
#include "harness/experiment/metrics.def"
#undef METRIC
};

/* Those of the column `extra`; the first `asked` were asked for. */
static struct {
    char name[sizeof EXTRA_PREFIX + MAX_EXTRA_NAME];
    char unit[MAX_UNIT + 1];
    struct column column;
} extras[MAX_EXTRAS];
static unsigned extra_count, asked_count;

unsigned metric_count(void)
{
    return COLUMN_METRICS + extra_count;
}

enum metric metric_extra_add(const char *word, bool asked)
{
    const enum metric known = metric_named(word);
    if (known != METRICS || extra_count == MAX_EXTRAS)
        return known;
    const unsigned i = extra_count++;
    snprintf(extras[i].name, sizeof extras[i].name, "%s", word);
    extras[i].unit[0] = '\0';
    extras[i].column = (struct column){extras[i].name, COLUMN_TYPE_NUMBER,
                                       extras[i].unit, true,
                                       false,          "a number that a program printed"};
    asked_count += asked;
    return (enum metric)(METRIC_extra + i);
}

void metric_extras_forget(void)
{
    extra_count = asked_count;
    for (unsigned i = 0; i < extra_count; i++)
        extras[i].unit[0] = '\0';
}

bool metric_extra_asked(enum metric metric)
{
    return metric - METRIC_extra < asked_count;
}

const char *metric_extra(enum metric metric)
{
    return extras[metric - METRIC_extra].name + strlen(EXTRA_PREFIX);
}

void metric_extra_unit(enum metric metric, const char *unit)
{
    char *own = extras[metric - METRIC_extra].unit;
    snprintf(own, sizeof extras->unit, "%s", unit == NULL ? "" : unit);
}

enum metric metric_named(const char *name)
{
    for (unsigned metric = 0; metric < metric_count(); metric++)
        if (strcmp(metric_column(metric)->name, name) == 0)
            return (enum metric)metric;
    return METRICS;
}

bool metric_is_time(enum metric metric)
{
    return metric == METRIC_wall_s || metric == METRIC_cpu_s ||
           (metric >= METRIC_extra && strcmp(metric_column(metric)->unit, "s") == 0);
}

bool metric_rises(enum metric metric)
{
    return metric >= METRIC_extra || rising[metric]; /* a cost: what was spent only grows */
}

unsigned metric_column_number(enum metric metric)
{
    return columns[metric];
}

const struct column *metric_column(enum metric metric)
{
    return metric >= METRIC_extra ? &extras[metric - METRIC_extra].column
                                  : &row_columns[columns[metric]];
}
