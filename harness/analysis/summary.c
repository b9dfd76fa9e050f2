/* Two printed tables: the first counts runs and numbers the solvers, the second has the averages.
 */
#include "harness/analysis/summary.h"
#include "base/heap.h"
#include "harness/analysis/statistics.h"
#include "harness/text/human.h"
#include "harness/text/text_table.h"
#include <math.h>
#include <string.h>

/* Of the values that are there; puts them into another order. */
static struct averages averages_of(double *values, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[used++] = values[i];
    const double mean = mean_of(values, used);
    return (struct averages){.median = median_of(values, used), .mean = mean};
}

static double branching_of(const struct outcome *outcome, const struct known_instance *known)
{
    return known->optimal < 0 ? NAN
                              : effective_branching_factor(outcome->value[METRIC_generated],
                                                           (double)known->optimal);
}

static void summarize_outcomes(struct solver_summary *own, const struct results *results,
                               size_t solver)
{
    const size_t instances = results->instances.count;
    const struct outcome *outcomes = results_outcome(results, solver, 0);
    double *values = heap_take(instances, sizeof *values);
    for (size_t metric = 0; metric < METRICS; metric++) {
        for (size_t i = 0; i < instances; i++)
            values[i] = outcomes[i].value[metric];
        own->value[metric] = averages_of(values, instances);
    }
    for (size_t i = 0; i < instances; i++) {
        own->instances += outcomes[i].attempts > 0;
        own->instances_solved += outcomes[i].solved > 0;
        values[i] = branching_of(&outcomes[i], &results->known[i]);
        own->branching_instances += isnan(values[i]) ? 0 : 1;
    }
    own->branching = averages_of(values, instances);
    free(values);
}

struct summary summary_of(const struct results *results)
{
    struct summary summary = {.count = results->solvers.count};
    summary.solvers = heap_take(summary.count, sizeof *summary.solvers);
    for (size_t i = 0; i < summary.count; i++) {
        summary.solvers[i].max_stored = NAN;
        summary.solvers[i].peak_bytes = NAN;
        summarize_outcomes(&summary.solvers[i], results, i);
    }
    for (size_t i = 0; i < results->count; i++) {
        const struct run_row *run = &results->runs[i];
        const bool solved = run->status == STATUS_solved;
        const bool answered =
            run->status == STATUS_unsolvable && results->known[run->instance].unsolvable;
        struct solver_summary *own = &summary.solvers[run->solver];
        own->runs++;
        own->solved += solved && !run->unverified;
        own->unverified += run->unverified;
        own->unsolved += !solved && !answered;
        own->by_status[run->status]++;
        /* Of a NaN and a number, fmax gives the number. */
        own->max_stored = fmax(own->max_stored, run->value[METRIC_max_stored]);
        own->peak_bytes = fmax(own->peak_bytes, run->value[METRIC_peak_bytes]);
    }
    return summary;
}

/* What the averages of a solver are marked with. */
static const char *mark_of(const struct solver_summary *own)
{
    static const char *const marks[] = {"", "*", "?", "*?"};
    if (own->instances_solved == 0)
        return "";
    return marks[(own->unsolved > 0) + 2 * (own->unverified > 0)];
}

static bool any_run(const struct summary *summary, enum status status)
{
    for (size_t i = 0; i < summary->count; i++)
        if (summary->solvers[i].by_status[status] > 0)
            return true;
    return false;
}

static bool any_marked(const struct summary *summary, char mark)
{
    for (size_t i = 0; i < summary->count; i++)
        if (strchr(mark_of(&summary->solvers[i]), mark) != NULL)
            return true;
    return false;
}

static void print_runs(const struct summary *summary, const struct results *results, FILE *file)
{
    struct text_table table = {0};
    const bool unverified = any_marked(summary, '?');
    text_table_column(&table, "", "", ALIGN_RIGHT);
    text_table_column(&table, "", "solver", ALIGN_LEFT);
    text_table_column(&table, "", "runs", ALIGN_RIGHT);
    text_table_column(&table, "", "solved", ALIGN_RIGHT);
    if (unverified)
        text_table_column(&table, "", "unverified", ALIGN_RIGHT);
    for (unsigned i = 0; i < STATUSES; i++)
        if (i != STATUS_solved && any_run(summary, (enum status)i))
            text_table_column(&table, "", status_rows[i].name, ALIGN_RIGHT);
    text_table_column(&table, "", "max stored", ALIGN_RIGHT);
    text_table_column(&table, "", "peak memory", ALIGN_RIGHT);
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        text_table_cell(&table, "[%zu]", i + 1);
        text_table_cell(&table, "%s", results->solvers.text[i]);
        text_table_cell(&table, "%s", human_count((double)own->runs).text);
        text_table_cell(&table, "%s", human_count((double)own->solved).text);
        if (unverified)
            text_table_cell(&table, "%s", human_count((double)own->unverified).text);
        for (unsigned j = 0; j < STATUSES; j++)
            if (j != STATUS_solved && any_run(summary, (enum status)j))
                text_table_cell(&table, "%s", human_count((double)own->by_status[j]).text);
        text_table_cell(&table, "%s", human_count(own->max_stored).text);
        text_table_cell(&table, "%s", human_bytes(own->peak_bytes).text);
    }
    text_table_print(&table, file);
    text_table_end(&table);
}

/* The metrics of the printed table; the files have all. */
static const struct {
    enum metric metric;
    const char *heading;
} shown[] = {
    {METRIC_expanded, "expanded"},
    {METRIC_generated, "generated"},
    {METRIC_length, "length"},
    {METRIC_wall_s, "time"},
};

enum { SHOWN = sizeof shown / sizeof *shown };

static struct text_table averages_table(const struct summary *summary,
                                        const struct results *results, bool named)
{
    struct text_table table = {0};
    text_table_column(&table, "", "", ALIGN_RIGHT);
    text_table_column(&table, "", named ? "solver" : "", ALIGN_LEFT);
    for (size_t i = 0; i < SHOWN; i++) {
        text_table_column(&table, shown[i].heading, "median", ALIGN_RIGHT);
        text_table_column(&table, shown[i].heading, "mean", ALIGN_RIGHT);
    }
    text_table_column(&table, "b*", "median", ALIGN_RIGHT);
    text_table_column(&table, "b*", "mean", ALIGN_RIGHT);
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        const char *mark = mark_of(own);
        text_table_cell(&table, "[%zu]", i + 1);
        text_table_cell(&table, "%s", named ? results->solvers.text[i] : "");
        for (size_t j = 0; j < SHOWN; j++) {
            const struct averages *value = &own->value[shown[j].metric];
            const bool time = metric_is_time(shown[j].metric);
            text_table_cell(
                &table, "%s%s", mark,
                (time ? human_seconds(value->median) : human_count(value->median)).text);
            text_table_cell(&table, "%s%s", mark,
                            (time ? human_seconds(value->mean) : human_mean(value->mean)).text);
        }
        const char *factor_mark = own->branching_instances > 0 ? mark : "";
        text_table_cell(&table, "%s%s", factor_mark, human_factor(own->branching.median).text);
        text_table_cell(&table, "%s%s", factor_mark, human_factor(own->branching.mean).text);
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
    fprintf(file, "\nb*: the effective branching factor, generated = 1 + b* + .. + b*^d with d the "
                  "optimal length of the instance;\n   none where d is 0 or not known.\n");
    if (any_marked(summary, '*'))
        fprintf(file, "*: over the solved runs only; unsolved ones are the harder ones, so these "
                      "averages flatter the\n   solver; see the paired table.\n");
    if (any_marked(summary, '?'))
        fprintf(file, "?: over unverified runs too, which are solved by their own account alone: "
                      "they have no moves to replay.\n");
}

static void add_averages(struct tidy *tidy, struct averages averages)
{
    tidy_number(tidy, averages.median);
    tidy_number(tidy, averages.mean);
}

static void add_average_columns(struct tidy *tidy, const char *name, const char *unit,
                                const char *meaning)
{
    static const char *const kinds[] = {"median", "mean"};
    for (size_t i = 0; i < 2; i++) {
        char *column = heap_format("%s_%s", name, kinds[i]);
        char *whole =
            heap_format("%s over the solved instances that have it: %s", kinds[i], meaning);
        tidy_column(tidy, column, unit, whole);
        free(whole);
        free(column);
    }
}

static void add_columns(struct tidy *tidy)
{
    tidy_column(tidy, "solver", "", "the solver in its short form");
    tidy_column(tidy, "runs", "rows", "its runs, each run_id once");
    tidy_column(tidy, "solved", "rows",
                "solved, and the moves were replayed (of more than 1,000, by tilelab before it "
                "left them out)");
    tidy_column(
        tidy, "unverified", "rows",
        "solved by their own account alone: without moves to replay; averages and pairs hold "
        "them, marked ? where they are printed");
    for (unsigned i = 0; i < STATUSES; i++)
        if (i != STATUS_solved)
            tidy_column(tidy, status_rows[i].name, "rows", status_rows[i].summary);
    tidy_column(tidy, "instances", "instances",
                "that it tried, each once however often it was repeated; interrupted and "
                "out_of_memory runs are no try");
    tidy_column(tidy, "instances_solved", "instances",
                "solved in one repetition at least; all averages are over these");
    for (size_t i = 0; i < METRICS; i++)
        add_average_columns(tidy, metric_column(i)->name, metric_column((enum metric)i)->unit,
                            metric_column(i)->meaning);
    add_average_columns(
        tidy, "effective_branching_factor", "",
        "b* with generated = 1 + b* + .. + b*^d, d the optimal length (never that of "
        "a longer path found)");
    tidy_column(tidy, "effective_branching_factor_instances", "instances",
                "solved ones that have a b*: whose optimal length is known and not 0");
    tidy_column(tidy, "max_stored_max", metric_column(METRIC_max_stored)->unit,
                "the largest max_stored of all runs, solved or not");
    tidy_column(tidy, "peak_bytes_max", metric_column(METRIC_peak_bytes)->unit,
                "the largest peak_bytes of all runs, solved or not; it compares representations as "
                "well as methods, max_stored does not");
}

struct tidy summary_tidy(const struct summary *summary, const struct results *results)
{
    struct tidy tidy = {0};
    add_columns(&tidy);
    for (size_t i = 0; results != NULL && i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        tidy_text(&tidy, results->solvers.text[i]);
        tidy_number(&tidy, (double)own->runs);
        tidy_number(&tidy, (double)own->solved);
        tidy_number(&tidy, (double)own->unverified);
        for (unsigned j = 0; j < STATUSES; j++)
            if (j != STATUS_solved)
                tidy_number(&tidy, (double)own->by_status[j]);
        tidy_number(&tidy, (double)own->instances);
        tidy_number(&tidy, (double)own->instances_solved);
        for (size_t metric = 0; metric < METRICS; metric++)
            add_averages(&tidy, own->value[metric]);
        add_averages(&tidy, own->branching);
        tidy_number(&tidy, (double)own->branching_instances);
        tidy_number(&tidy, own->max_stored);
        tidy_number(&tidy, own->peak_bytes);
    }
    return tidy;
}

void summary_end(struct summary *summary)
{
    free(summary->solvers);
    *summary = (struct summary){0};
}
