/* One struct solver_summary per solver; the tables say the same for people and for programs. */
#include "harness/analysis/summary.h"
#include "base/heap.h"
#include "harness/analysis/threads.h"

static double branching_of(const struct results *results, const struct outcome *outcome,
                           const struct known_instance *known)
{
    return known->optimal < 0 || is_priced(known)
               ? NAN
               : effective_branching_factor(outcome_value(results, outcome, METRIC_generated),
                                            (double)known->optimal);
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

/* None of a counter that is missing on some of the solved boards: the rest need not stand for them.
 */
static struct spread spread_if(bool whole, double *values, size_t count)
{
    return spread_of(values, whole ? count : 0);
}

static void summarize_outcomes(struct solver_summary *own, const struct results *results,
                               const struct block *block, size_t solver)
{
    const struct outcome *outcomes = results_outcome(results, solver, block->first);
    const struct known_instance *known = &results->known[block->first];
    SCOPED double *values = heap_take(2 * block->count, sizeof *values);
    double *stretches = values + block->count;
    for (size_t i = 0; i < block->count; i++) {
        own->instances += outcomes[i].attempts > 0;
        own->instances_solved += outcomes[i].finished;
        own->solvable += outcomes[i].attempts > 0 && !known[i].unsolvable;
        values[i] = outcomes[i].finished ? branching_of(results, &outcomes[i], &known[i]) : NAN;
        stretches[i] = quality_of(results, &outcomes[i], &known[i]);
    }
    bool whole[METRICS];
    for (size_t metric = 0; metric < metric_count(); metric++)
        whole[metric] =
            results_reported(results, block, solver, (enum metric)metric) != REPORTED_PART;
    own->branching = spread_if(whole[METRIC_generated], values, block->count);
    own->stretch = spread_of(stretches, block->count);
    for (size_t metric = 0; metric < metric_count(); metric++) {
        size_t used = 0;
        for (size_t i = 0; i < block->count; i++)
            if (outcomes[i].finished)
                values[used++] = outcome_value(results, &outcomes[i], metric);
        own->value[metric] = spread_if(whole[metric], values, used);
        own->median_all[metric] =
            own->value[metric].count < own->instances_solved
                ? NAN
                : median_with_unsolved(values, used, own->solvable - own->instances_solved);
    }
    size_t used = 0;
    for (size_t i = 0; i < block->count; i++)
        if (outcomes[i].finished)
            values[used++] = outcome_value(results, &outcomes[i], RUN_H_START);
    own->h_start = spread_of_whole(values, used);
}

struct summarizing {
    const struct results *results;
    struct summary *summary;
};

static void summarize_solver(void *context, size_t solver)
{
    const struct summarizing *summarizing = context;
    const struct summary *summary = summarizing->summary;
    summary->solvers[solver].max_stored = NAN;
    summary->solvers[solver].peak_bytes = NAN;
    summarize_outcomes(&summary->solvers[solver], summarizing->results, summary->block, solver);
}

struct summary summary_of(const struct results *results, const struct block *block)
{
    struct summary summary = {.block = block, .count = results->solvers.count};
    summary.solvers = heap_take(summary.count, sizeof *summary.solvers);
    struct summarizing summarizing = {results, &summary};
    threads_work(summary.count, metric_count() * summary.count * block->count, summarize_solver,
                 &summarizing);
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
        own->impossible += run->impossible;
        own->drifted += run->drifted;
        own->unsolved += !solved && !answered;
        own->by_status[run->status]++;
        /* Of a NaN and a number, fmax gives the number. */
        own->max_stored = fmax(own->max_stored, results_number(results, i, METRIC_max_stored));
        own->peak_bytes = fmax(own->peak_bytes, results_number(results, i, METRIC_peak_bytes));
    }
    for (size_t i = 0; i < summary.count; i++) {
        struct solver_summary *own = &summary.solvers[i];
        if (results_reported(results, block, i, METRIC_max_stored) == REPORTED_PART)
            own->max_stored = NAN;
        if (results_reported(results, block, i, METRIC_peak_bytes) == REPORTED_PART)
            own->peak_bytes = NAN;
    }
    return summary;
}

struct tidy summary_spread(const struct summary *summary, const struct results *results,
                           enum metric metric)
{
    static const char *const headings[] = {"mean", "sd", "min", "lower", "median", "upper", "max"};
    struct tidy tidy = {0};
    const char *unit = metric_column(metric)->unit;
    tidy_heads(&tidy, "block:-|solver:t|solved");
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        tidy_column_as(&tidy, headings[i], unit, i < 2 ? SHAPE_MEAN : SHAPE_NUMBER);
    tidy_column_as(&tidy, "b*", "", SHAPE_SHARE);
    tidy_column_as(&tidy,
                   summary->block->model == COST_unit ? "length / optimum" : "cost / optimum", "",
                   SHAPE_RATIO);
    tidy_heads(&tidy, "max stored|peak memory[bytes]");
    size_t solvable = 0;
    for (size_t i = 0; i < summary->block->count; i++)
        solvable += !results->known[summary->block->first + i].unsolvable;
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
        const bool partial = own->instances_solved < solvable ||
                             (own->unsolved > 0 && own->instances_solved < summary->block->count);
        const char *const marks[] = {"", "?", "*", "*?"};
        const bool doubted =
            own->unverified > 0 || metric_is_doubted(metric, own->impossible, own->drifted);
        const char *mark = marks[doubted + 2 * partial];
        tidy_add(&tidy, "%s %s %g", summary->block->name, results->shown[i],
                 (double)own->instances_solved);
        for (size_t j = 0; j < sizeof figures / sizeof *figures; j++) {
            tidy_number(&tidy, figures[j]);
            if (!isnan(figures[j]))
                tidy_mark(&tidy, mark);
        }
        tidy_numbers(&tidy, own->max_stored, own->peak_bytes);
    }
    return tidy;
}

void summary_add(struct tidy *tidy, const struct summary *summary, const struct results *results)
{
    const struct block *block = summary->block;
    for (size_t i = 0; i < summary->count; i++) {
        const struct solver_summary *own = &summary->solvers[i];
        if (own->runs == 0)
            continue;
        tidy_row(tidy);
#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning)                            \
    SET_##type(SUMMARY_##name, value)
#include "harness/results/summary.def"
#undef COLUMN
    }
}

void summary_end(struct summary *summary)
{
    free(summary->solvers);
    *summary = (struct summary){0};
}
