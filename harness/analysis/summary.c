/* Two printed tables: the first counts runs and numbers the solvers, the second has the averages.
 */
#include "harness/analysis/summary.h"
#include "base/heap.h"
#include "harness/analysis/statistics.h"
#include "harness/text/human.h"
#include "harness/text/text_table.h"
#include <math.h>
#include <string.h>

static struct averages averages_of(double *values, size_t count)
{
    return (struct averages){.median = median_of(values, count), .mean = mean_of(values, count)};
}

static void summarize_outcomes(struct solver_summary *own, const struct results *results,
                               size_t solver)
{
    double *values = heap_take(results->instances.count, sizeof *values);
    for (size_t metric = 0; metric < METRICS; metric++) {
        own->instances = 0;
        own->instances_solved = 0;
        for (size_t i = 0; i < results->instances.count; i++) {
            const struct outcome *outcome = results_outcome(results, solver, i);
            own->instances += outcome->attempts > 0;
            if (outcome->solved > 0)
                values[own->instances_solved++] = outcome->value[metric];
        }
        own->value[metric] = averages_of(values, own->instances_solved);
    }
    size_t count = 0;
    for (size_t i = 0; i < results->instances.count; i++) {
        const struct outcome *outcome = results_outcome(results, solver, i);
        if (outcome->solved == 0)
            continue;
        double factor = effective_branching_factor(outcome->value[METRIC_GENERATED],
                                                   outcome->value[METRIC_LENGTH]);
        if (!isnan(factor))
            values[count++] = factor;
    }
    own->branching = averages_of(values, count);
    free(values);
}

struct summary summary_of(const struct results *results)
{
    struct summary summary = {.count = results->solvers.count};
    summary.solvers = heap_take(summary.count, sizeof *summary.solvers);
    for (size_t i = 0; i < summary.count; i++) {
        summary.solvers[i].by_status = heap_take(results->statuses.count, sizeof(size_t));
        summary.solvers[i].peak_bytes = NAN;
        summarize_outcomes(&summary.solvers[i], results, i);
    }
    for (size_t i = 0; i < results->count; i++) {
        const struct run_row *run = &results->runs[i];
        struct solver_summary *own = &summary.solvers[run->solver];
        own->runs++;
        own->solved += run->solved;
        own->by_status[run->status]++;
        own->peak_bytes =
            fmax(own->peak_bytes, run->peak_bytes); /* of a NaN and a number, the number */
    }
    return summary;
}

static bool is_solved(const struct results *results, size_t status)
{
    return strcmp(results->statuses.text[status], "solved") == 0;
}

static void print_runs(const struct summary *summary, const struct results *results, FILE *file)
{
    struct text_table table = {0};
    text_table_column(&table, "", "", ALIGN_RIGHT);
    text_table_column(&table, "", "solver", ALIGN_LEFT);
    text_table_column(&table, "", "runs", ALIGN_RIGHT);
    text_table_column(&table, "", "solved", ALIGN_RIGHT);
    for (size_t i = 0; i < results->statuses.count; i++) {
        if (!is_solved(results, i))
            text_table_column(&table, "", results->statuses.text[i], ALIGN_RIGHT);
    }
    text_table_column(&table, "", "peak memory", ALIGN_RIGHT);
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        text_table_cell(&table, "[%zu]", i + 1);
        text_table_cell(&table, "%s", results->solvers.text[i]);
        text_table_cell(&table, "%s", human_count((double)own->runs).text);
        text_table_cell(&table, "%s", human_count((double)own->solved).text);
        for (size_t j = 0; j < results->statuses.count; j++) {
            if (!is_solved(results, j))
                text_table_cell(&table, "%s", human_count((double)own->by_status[j]).text);
        }
        text_table_cell(&table, "%s", human_bytes(own->peak_bytes).text);
    }
    text_table_print(&table, file);
    text_table_end(&table);
}

static struct text_table averages_table(const struct summary *summary,
                                        const struct results *results, bool named)
{
    static const char *const groups[METRICS] = {"expanded", "generated", "length", "time"};
    struct text_table table = {0};
    text_table_column(&table, "", "", ALIGN_RIGHT);
    text_table_column(&table, "", named ? "solver" : "", ALIGN_LEFT);
    for (size_t metric = 0; metric < METRICS; metric++) {
        text_table_column(&table, groups[metric], "median", ALIGN_RIGHT);
        text_table_column(&table, groups[metric], "mean", ALIGN_RIGHT);
    }
    text_table_column(&table, "b*", "median", ALIGN_RIGHT);
    text_table_column(&table, "b*", "mean", ALIGN_RIGHT);
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        const char *mark = own->solved < own->runs && own->solved > 0 ? "*" : "";
        text_table_cell(&table, "[%zu]", i + 1);
        text_table_cell(&table, "%s", named ? results->solvers.text[i] : "");
        for (size_t metric = 0; metric < METRICS; metric++) {
            const struct averages *value = &own->value[metric];
            bool time = metric == METRIC_WALL_S;
            text_table_cell(
                &table, "%s%s", mark,
                (time ? human_seconds(value->median) : human_count(value->median)).text);
            text_table_cell(&table, "%s%s", mark,
                            (time ? human_seconds(value->mean) : human_mean(value->mean)).text);
        }
        text_table_cell(&table, "%s%s", mark, human_factor(own->branching.median).text);
        text_table_cell(&table, "%s%s", mark, human_factor(own->branching.mean).text);
    }
    return table;
}

void summary_print(const struct summary *summary, const struct results *results, FILE *file)
{
    fprintf(file, "Runs\n\n");
    print_runs(summary, results, file);

    fprintf(file, "\nMedians and means over the solved instances\n\n");
    struct text_table table = averages_table(summary, results, true);
    if (text_table_width(&table) > TEXT_TABLE_WIDTH) {
        text_table_end(&table);
        table = averages_table(summary, results, false);
    }
    text_table_print(&table, file);
    text_table_end(&table);
    fprintf(file, "\nb*: the effective branching factor, generated = 1 + b* + .. + b*^length.\n");
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        if (own->solved > 0 && own->solved < own->runs) {
            fprintf(file,
                    "*: over the solved runs only; unsolved ones are the harder ones, so these "
                    "averages flatter the\n   solver; see the paired table.\n");
            break;
        }
    }
}

static void add_averages(struct tidy *tidy, struct averages averages)
{
    tidy_number(tidy, averages.median);
    tidy_number(tidy, averages.mean);
}

static void add_average_columns(struct tidy *tidy, const char *name)
{
    static const char *const kinds[] = {"median", "mean"};
    for (size_t i = 0; i < 2; i++) {
        char *column = heap_format("%s_%s", name, kinds[i]);
        tidy_column(tidy, column);
        free(column);
    }
}

struct tidy summary_tidy(const struct summary *summary, const struct results *results)
{
    struct tidy tidy = {0};
    tidy_column(&tidy, "solver");
    tidy_column(&tidy, "runs");
    tidy_column(&tidy, "solved");
    for (size_t i = 0; i < results->statuses.count; i++) {
        if (!is_solved(results, i))
            tidy_column(&tidy, results->statuses.text[i]);
    }
    tidy_column(&tidy, "instances");
    tidy_column(&tidy, "instances_solved");
    for (size_t metric = 0; metric < METRICS; metric++)
        add_average_columns(&tidy, metric_names[metric]);
    add_average_columns(&tidy, "effective_branching_factor");
    tidy_column(&tidy, "peak_bytes_max");

    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        tidy_text(&tidy, results->solvers.text[i]);
        tidy_number(&tidy, (double)own->runs);
        tidy_number(&tidy, (double)own->solved);
        for (size_t j = 0; j < results->statuses.count; j++) {
            if (!is_solved(results, j))
                tidy_number(&tidy, (double)own->by_status[j]);
        }
        tidy_number(&tidy, (double)own->instances);
        tidy_number(&tidy, (double)own->instances_solved);
        for (size_t metric = 0; metric < METRICS; metric++)
            add_averages(&tidy, own->value[metric]);
        add_averages(&tidy, own->branching);
        tidy_number(&tidy, own->peak_bytes);
    }
    return tidy;
}

void summary_end(struct summary *summary)
{
    for (size_t i = 0; i < summary->count; i++)
        free(summary->solvers[i].by_status);
    free(summary->solvers);
    *summary = (struct summary){0};
}
