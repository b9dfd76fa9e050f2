#include "harness/analysis/drift.h"
#include "base/heap.h"
#include "harness/analysis/statistics.h"
#include "harness/results/controls.h"
#include "harness/text/sorting.h"
#include "instances/csv.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <unistd.h>
#include <xxhash.h>

#define ALARM_LEVEL     0.05 /* of both times and both sides together */
#define SMALLEST_DRIFT  0.05 /* as a share of the time */
#define FREEDOM_OF_EACH 0.35
#define NORMAL_QUARTILE 0.6745

uint64_t drift_id(const char *text)
{
    return strtoull(text, NULL, 16);
}

static uint64_t hash_of(const struct csv *csv, const size_t *at)
{
    static const unsigned parts[] = {CONTROL_host,     CONTROL_build,  CONTROL_set,
                                     CONTROL_instance, CONTROL_solver, CONTROL_status,
                                     CONTROL_generated};
    SCOPED char *text = heap_text("");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        heap_append(&text, "%s\n", csv->fields[at[parts[i]]].text);
    return XXH3_64bits(text, strlen(text));
}

static void add_row(struct drift *drift, struct csv *csv, const size_t *at)
{
    const char *const status = csv->fields[at[CONTROL_status]].text;
    struct drift_run run = {.id = drift_id(csv->fields[at[CONTROL_control_id]].text),
                            .previous = drift_id(csv->fields[at[CONTROL_previous]].text),
                            .host = heap_text(csv->fields[at[CONTROL_host]].text)};
    bool fine = strcmp(status, "solved") == 0 || strcmp(status, "node_limit") == 0;
    for (unsigned i = 0; i < 2; i++) {
        const double seconds = strtod(csv->fields[at[CONTROL_wall_s + i]].text, NULL);
        fine = fine && isfinite(seconds) && seconds > 0;
        run.log_time[i] = log(seconds);
    }
    run.alike = fine ? hash_of(csv, at) : 0;
    strncpy(run.finished, csv->fields[at[CONTROL_finished_at]].text, sizeof run.finished - 1);
    *HEAP_ADD(drift->runs, drift->count) = run;
}

bool drift_read(struct drift *drift, const char *path, struct report *report)
{
    const size_t problems = report->count;
    const char *why;
    SCOPED_BY(csv_end) struct csv csv = {0};
    size_t at[CONTROL_COLUMNS];
    if (access(path, F_OK) != 0)
        return true;
    SCOPED_BY(stream_end) FILE *file = file_open(path, &why);
    if (file == NULL)
        return report_add(report, NO_PLACE, "cannot open: %s", why);
    bool fine = csv_start(&csv, file, CSV_APPENDED | CSV_LINES, report);
    for (unsigned i = 0; fine && i < CONTROL_COLUMNS; i++)
        fine = (at[i] = csv_need(&csv, table_schemas[TABLE_CONTROL].columns[i].name)) != CSV_NONE;
    while (fine && csv_next(&csv))
        add_row(drift, &csv, at);
    return report->count == problems;
}

ORDER_BY(by_id, struct drift_run, BY(id));

static struct drift_run *find(const struct drift *drift, uint64_t id)
{
    const struct drift_run wanted = {.id = id};
    return id == 0 || drift->count == 0
               ? NULL
               : bsearch(&wanted, drift->runs, drift->count, sizeof *drift->runs, by_id);
}

/* Judges control runs that are alike, by one of their times. */
static void judge(const struct drift *drift, struct drift_run **runs, size_t count, unsigned time)
{
    SCOPED double *values = heap_take(count, sizeof *values);
    SCOPED double *steps = heap_take(count, sizeof *steps);
    size_t stepped = 0;
    for (size_t i = 0; i < count; i++) {
        const struct drift_run *before = find(drift, runs[i]->previous);
        values[i] = runs[i]->log_time[time];
        if (before != NULL && before->alike == runs[i]->alike)
            steps[stepped++] = fabs(values[i] - before->log_time[time]);
    }
    const double middle = median_of(values, count);
    const double noise = median_of(steps, stepped) / (sqrt(2) * NORMAL_QUARTILE);
    const double n = (double)count;
    if (count >= DRIFT_RUNS && 2 * stepped >= count) {
        const double t =
            gsl_cdf_tdist_Qinv(ALARM_LEVEL / (4 * n), FREEDOM_OF_EACH * (double)stepped);
        const double bound = fmax(noise * sqrt(1 + M_PI / (2 * n)) * t, log(1 + SMALLEST_DRIFT));
        for (size_t i = 0; i < count; i++) {
            runs[i]->shift[time] = runs[i]->log_time[time] - middle;
            runs[i]->drifted = runs[i]->drifted || fabs(runs[i]->shift[time]) > bound;
        }
    }
}

ORDER_BY(by_likeness, struct drift_run *, ORDER((*x)->alike, (*y)->alike));

/* Takes out the same rows of another file. */
static void drop_repeated(struct drift *drift)
{
    size_t kept = 0;
    for (size_t i = 0; i < drift->count; i++)
        if (kept > 0 && drift->runs[kept - 1].id == drift->runs[i].id)
            free(drift->runs[i].host);
        else
            drift->runs[kept++] = drift->runs[i];
    drift->count = kept;
}

void drift_settle(struct drift *drift)
{
    if (drift->count == 0)
        return;
    qsort(drift->runs, drift->count, sizeof *drift->runs, by_id);
    drop_repeated(drift);
    SCOPED struct drift_run **order = heap_take(drift->count, sizeof *order);
    for (size_t i = 0; i < drift->count; i++)
        order[i] = &drift->runs[i];
    qsort(order, drift->count, sizeof(struct drift_run *), by_likeness);
    for (size_t first = 0, end; first < drift->count; first = end) {
        for (end = first; end < drift->count && order[end]->alike == order[first]->alike; end++)
            continue;
        for (unsigned time = 0; time < 2 && order[first]->alike != 0; time++)
            judge(drift, order + first, end - first, time);
    }
    for (size_t i = 0; i < drift->count; i++) {
        struct drift_run *before =
            drift->runs[i].drifted ? find(drift, drift->runs[i].previous) : NULL;
        drift->runs[i].beside = drift->runs[i].beside || drift->runs[i].drifted;
        if (before != NULL)
            before->beside = true;
    }
}

bool drift_beside(const struct drift *drift, uint64_t id)
{
    const struct drift_run *before = find(drift, id);
    return before != NULL && before->beside;
}

char *drift_text(const struct drift *drift)
{
    char *text = NULL;
    for (size_t first = 0; first < drift->count; first++) {
        const char *host = drift->runs[first].host;
        const char *from = NULL;
        const char *to = NULL;
        double largest = 0;
        bool told = !drift->runs[first].drifted; /* or with an earlier one of this host */
        for (size_t i = 0; i < drift->count && !told; i++) {
            const struct drift_run *run = &drift->runs[i];
            if (!run->drifted || strcmp(run->host, host) != 0)
                continue;
            told = i < first;
            from = from == NULL || strcmp(run->finished, from) < 0 ? run->finished : from;
            to = to == NULL || strcmp(run->finished, to) > 0 ? run->finished : to;
            for (unsigned time = 0; time < 2; time++)
                if (fabs(run->shift[time]) > fabs(largest))
                    largest = run->shift[time];
        }
        if (told)
            continue;
        heap_append(&text, "%son %s they took up to %.0f %% %s than their median, from %s to %s",
                    text == NULL ? "" : "; ", host[0] == '\0' ? "a machine without name" : host,
                    100 * fabs(expm1(largest)), largest > 0 ? "longer" : "less", from, to);
    }
    return text;
}

void drift_end(struct drift *drift)
{
    for (size_t i = 0; i < drift->count; i++)
        free(drift->runs[i].host);
    free(drift->runs);
    *drift = (struct drift){0};
}
