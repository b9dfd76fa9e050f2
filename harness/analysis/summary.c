/* One struct solver_summary per solver; the tables say the same for people and for programs. */
#include "harness/analysis/summary.h"
#include "base/heap.h"
#include <math.h>

static double branching_of(const struct outcome *outcome, const struct known_instance *known)
{
    return known->optimal < 0 ? NAN
                              : effective_branching_factor(outcome->value[METRIC_generated],
                                                           (double)known->optimal);
}

static double stretch_of(const struct outcome *outcome, const struct known_instance *known)
{
    return known->optimal <= 0 ? NAN : outcome->value[METRIC_length] / (double)known->optimal;
}

/* The median with unsolved instances above all costs. `values` has room for all instances, and
 * holds the sorted costs of the solved ones. */
static double median_with_unsolved(double *values, size_t solved, size_t unsolved)
{
    for (size_t i = 0; i < unsolved; i++)
        values[solved + i] = INFINITY;
    const size_t count = solved + unsolved;
    if (count == 0)
        return NAN;
    const double upper = values[count / 2];
    return count % 2 == 1 ? upper : 0.5 * values[count / 2 - 1] + 0.5 * upper;
}

static void summarize_outcomes(struct solver_summary *own, const struct results *results,
                               const struct block *block, size_t solver)
{
    const struct outcome *outcomes = results_outcome(results, solver, block->first);
    const struct known_instance *known = &results->known[block->first];
    double *values = heap_take(2 * block->count, sizeof *values);
    double *stretches = values + block->count;
    for (size_t i = 0; i < block->count; i++) {
        own->instances += outcomes[i].attempts > 0;
        own->instances_solved += outcomes[i].finished;
        own->solvable += outcomes[i].attempts > 0 && !known[i].unsolvable;
        values[i] = outcomes[i].finished ? branching_of(&outcomes[i], &known[i]) : NAN;
        stretches[i] = outcomes[i].finished ? stretch_of(&outcomes[i], &known[i]) : NAN;
    }
    own->branching = spread_of(values, block->count);
    own->stretch = spread_of(stretches, block->count);
    for (size_t metric = 0; metric < METRICS; metric++) {
        size_t used = 0;
        for (size_t i = 0; i < block->count; i++)
            if (outcomes[i].finished)
                values[used++] = outcomes[i].value[metric];
        own->value[metric] = spread_of(values, used);
        own->median_all[metric] =
            own->value[metric].count < own->instances_solved
                ? NAN
                : median_with_unsolved(values, used, own->solvable - own->instances_solved);
    }
    free(values);
}

struct summary summary_of(const struct results *results, const struct block *block)
{
    struct summary summary = {.block = block, .count = results->solvers.count};
    summary.solvers = heap_take(summary.count, sizeof *summary.solvers);
    for (size_t i = 0; i < summary.count; i++) {
        summary.solvers[i].max_stored = NAN;
        summary.solvers[i].peak_bytes = NAN;
        summarize_outcomes(&summary.solvers[i], results, block, i);
    }
    for (size_t i = 0; i < results->count; i++) {
        const struct run_row *run = &results->runs[i];
        if (run->instance - block->first >= block->count)
            continue;
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

static void add_marked(struct tidy *tidy, double value, const char *mark)
{
    tidy_number(tidy, value);
    if (!isnan(value))
        tidy_mark(tidy, mark);
}

struct tidy summary_spread(const struct summary *summary, const struct results *results,
                           enum metric metric)
{
    static const char *const headings[] = {"mean", "sd", "min", "lower", "median", "upper", "max"};
    struct tidy tidy = {0};
    const char *unit = metric_column(metric)->unit;
    tidy_column(&tidy, "block", "", "");
    tidy_hide(&tidy);
    tidy_column(&tidy, "solver", "", "");
    tidy_shape(&tidy, SHAPE_TEXT);
    tidy_column(&tidy, "solved", "", "");
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        tidy_column(&tidy, headings[i], unit, "");
        if (i < 2)
            tidy_shape(&tidy, SHAPE_MEAN);
    }
    tidy_column(&tidy, "b*", "", "");
    tidy_shape(&tidy, SHAPE_FACTOR);
    tidy_column(&tidy, "length / optimum", "", "");
    tidy_shape(&tidy, SHAPE_RATIO);
    tidy_column(&tidy, "max stored", "", "");
    tidy_column(&tidy, "peak memory", "bytes", "");
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        if (own->runs == 0)
            continue;
        const struct spread *value = &own->value[metric];
        const double figures[] = {
            value->mean,
            value->sd,
            value->quartiles.min,
            value->quartiles.lower,
            value->quartiles.median,
            value->quartiles.upper,
            value->quartiles.max,
            own->branching.quartiles.median,
            own->stretch.mean,
        };
        const bool partial = own->instances_solved < summary->block->count && own->unsolved > 0;
        const char *const marks[] = {"", "?", "*", "*?"};
        const char *mark = marks[(own->unverified > 0) + 2 * partial];
        tidy_text(&tidy, summary->block->name);
        tidy_text(&tidy, results->shown[i]);
        tidy_number(&tidy, (double)own->instances_solved);
        for (size_t j = 0; j < sizeof figures / sizeof *figures; j++)
            add_marked(&tidy, figures[j], mark);
        tidy_number(&tidy, own->max_stored);
        tidy_number(&tidy, own->peak_bytes);
    }
    return tidy;
}

static void add_spread(struct tidy *tidy, const struct spread *spread)
{
    tidy_number(tidy, spread->quartiles.median);
    tidy_number(tidy, spread->mean);
    tidy_number(tidy, spread->sd);
    tidy_number(tidy, spread->quartiles.lower);
    tidy_number(tidy, spread->quartiles.upper);
}

static void add_spread_columns(struct tidy *tidy, const char *name, const char *unit,
                               const char *meaning)
{
    static const char *const kinds[][2] = {{"median", "median"},
                                           {"mean", "mean"},
                                           {"sd", "standard deviation"},
                                           {"lower", "lower quartile"},
                                           {"upper", "upper quartile"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *column = heap_format("%s_%s", name, kinds[i][0]);
        char *whole =
            i == 0 ? heap_format("median over the solved instances that have it: %s", meaning)
                   : heap_format("%s of the same", kinds[i][1]);
        tidy_column(tidy, column, unit, whole);
        free(whole);
        free(column);
    }
}

static void add_metric_columns(struct tidy *tidy, const struct column *metric)
{
    add_spread_columns(tidy, metric->name, metric->unit, metric->meaning);
    char *column = heap_format("%s_median_all", metric->name);
    tidy_column(tidy, column, metric->unit,
                "median over all instances that it tried and that can be solved, an unsolved one "
                "being more than any: inf where that is one of them");
    free(column);
}

struct tidy summary_columns(void)
{
    struct tidy tidy = {0};
    tidy_column(&tidy, "set", "", "the set of boards; empty where sets are pooled");
    tidy_column(&tidy, "width", "cells", "columns of the boards; empty where pooled");
    tidy_column(&tidy, "height", "cells", "rows of the boards; empty where pooled");
    tidy_column(&tidy, "solver", "", "the solver in its short form");
    tidy_column(&tidy, "runs", "rows", "its runs, each run_id once");
    tidy_column(&tidy, "solved", "rows",
                "solved, and the moves were replayed (of more than 1,000, by tilelab before it "
                "left them out)");
    tidy_column(
        &tidy, "unverified", "rows",
        "solved by their own account alone: without moves to replay; averages and pairs hold "
        "them, marked ? where they are printed");
    for (unsigned i = 0; i < STATUSES; i++)
        if (i != STATUS_solved)
            tidy_column(&tidy, status_rows[i].name, "rows", status_rows[i].summary);
    tidy_column(&tidy, "instances", "instances",
                "that it tried, each once however often it was repeated; interrupted and "
                "out_of_memory runs are no try");
    tidy_column(&tidy, "instances_solved", "instances",
                "solved in all repetitions; all averages are over these but those named _all");
    for (size_t i = 0; i < METRICS; i++)
        add_metric_columns(&tidy, metric_column((enum metric)i));
    add_spread_columns(
        &tidy, "effective_branching_factor", "",
        "b* with generated = 1 + b* + .. + b*^d, d the optimal length (never that of "
        "a longer path found)");
    tidy_column(&tidy, "effective_branching_factor_instances", "instances",
                "solved ones that have a b*: whose optimal length is known and not 0");
    add_spread_columns(&tidy, "stretch", "",
                       "length over optimal length, where that is known and not 0");
    tidy_column(&tidy, "max_stored_max", metric_column(METRIC_max_stored)->unit,
                "the largest max_stored of all runs, solved or not");
    tidy_column(&tidy, "peak_bytes_max", metric_column(METRIC_peak_bytes)->unit,
                "the largest peak_bytes of all runs, solved or not; it compares representations as "
                "well as methods, max_stored does not");
    return tidy;
}

void summary_add(struct tidy *tidy, const struct summary *summary, const struct results *results)
{
    const struct block *block = summary->block;
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        if (own->runs == 0)
            continue;
        tidy_text(tidy, block->set);
        tidy_number(tidy, block->width == 0 ? NAN : (double)block->width);
        tidy_number(tidy, block->height == 0 ? NAN : (double)block->height);
        tidy_text(tidy, results->solvers.text[i]);
        tidy_number(tidy, (double)own->runs);
        tidy_number(tidy, (double)own->solved);
        tidy_number(tidy, (double)own->unverified);
        for (unsigned j = 0; j < STATUSES; j++)
            if (j != STATUS_solved)
                tidy_number(tidy, (double)own->by_status[j]);
        tidy_number(tidy, (double)own->instances);
        tidy_number(tidy, (double)own->instances_solved);
        for (size_t metric = 0; metric < METRICS; metric++) {
            add_spread(tidy, &own->value[metric]);
            tidy_number(tidy, own->median_all[metric]);
        }
        add_spread(tidy, &own->branching);
        tidy_number(tidy, (double)own->branching.count);
        add_spread(tidy, &own->stretch);
        tidy_number(tidy, own->max_stored);
        tidy_number(tidy, own->peak_bytes);
    }
}

void summary_end(struct summary *summary)
{
    free(summary->solvers);
    *summary = (struct summary){0};
}
