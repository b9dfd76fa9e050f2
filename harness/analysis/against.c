#include "harness/analysis/against.h"
#include "base/heap.h"
#include <math.h>

/* Adds a difference of an instance (SIZE_MAX: of the solver as a whole). */
static struct difference *add(struct against *against, enum difference_kind kind,
                              const char *solver, const struct results *results, size_t instance)
{
    struct difference *difference = HEAP_ADD(against->differences, against->count);
    *difference =
        (struct difference){.kind = kind, .solver = solver, .old_value = NAN, .new_value = NAN};
    if (instance != SIZE_MAX) {
        difference->set = results_set(results, instance);
        difference->instance = results_instance(results, instance);
    }
    return difference;
}

/* Whether a run's counters do not depend on the machine's speed. */
static bool is_exact(enum status status, enum measured measured)
{
    if (status == STATUS_memory_limit && measured != MEASURED_SEARCH)
        return false; /* the system ended it from outside */
    return status == STATUS_solved || status == STATUS_exhausted || status == STATUS_unsolvable ||
           status == STATUS_stuck || status == STATUS_node_limit || status == STATUS_memory_limit;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Whether how a run ended depends on the machine: it might end otherwise there again. */
static bool by_chance(const struct outcome *outcome)
{
    return outcome->status == STATUS_time_limit || outcome->status == STATUS_cpu_limit ||
           status_rows[outcome->status].made_again ||
           (outcome->status == STATUS_memory_limit && outcome->measured != MEASURED_SEARCH);
}

static void add_counter(struct against *against, const struct results *now, size_t run,
                        enum metric metric, double own, const struct results *before,
                        const struct outcome *old)
{
    const struct run_row *row = &now->runs[run];
    struct difference *difference =
        add(against, DIFFERENCE_COUNTER, now->solvers.text[row->solver], now, row->instance);
    difference->run_id = now->run_ids.text[run];
    difference->metric = metric;
    difference->old_value = outcome_value(before, old, metric);
    difference->new_value = own;
    difference->old_edited = old->edited;
    difference->new_edited = results_outcome(now, row->solver, row->instance)->edited;
    difference->of_nodes = metric != METRIC_peak_bytes;
}

static void compare_outcomes(struct against *against, const struct results *now, size_t solver,
                             size_t instance, const struct results *before,
                             const struct outcome *old)
{
    const struct outcome *own = results_outcome(now, solver, instance);
    if (own->status != old->status) {
        struct difference *difference =
            add(against, DIFFERENCE_STATUS, now->solvers.text[solver], now, instance);
        difference->run_id = now->run_ids.text[own->run];
        difference->old_status = old->status;
        difference->new_status = own->status;
        difference->old_edited = old->edited;
        difference->new_edited = own->edited;
        difference->of_nodes = !by_chance(own) && !by_chance(old);
        return;
    }
    const bool exact = is_exact(own->status, own->measured);
    against->exact += exact;
    for (size_t i = 0; exact && i < COLUMN_METRICS; i++)
        if (metric_repeats((enum metric)i, own->measured) &&
            !same(outcome_value(now, own, i), outcome_value(before, old, i)))
            add_counter(against, now, own->run, (enum metric)i, outcome_value(now, own, i), before,
                        old);
}

/* Counters of repetitions that differ from each other, and so from the median which stands for all
 * of them: those that the older results do not have. */
static void compare_repetitions(struct against *against, const struct results *now,
                                const struct results *before, const size_t *old_instance)
{
    for (size_t i = 0; i < now->count; i++) {
        const struct run_row *run = &now->runs[i];
        const char *name = now->solvers.text[run->solver];
        const struct outcome *own = results_outcome(now, run->solver, run->instance);
        const size_t solver = own->disagrees ? names_find(&before->solvers, name) : NAMES_NONE;
        if (solver == NAMES_NONE || old_instance[run->instance] == NAMES_NONE)
            continue;
        const struct outcome *old = results_outcome(before, solver, old_instance[run->instance]);
        for (size_t j = 0; j < COLUMN_METRICS && old->finished && !old->disagrees; j++)
            if (metric_repeats((enum metric)j, run->measured) &&
                !same(results_number(now, i, j), outcome_value(before, old, j)) &&
                !same(results_number(now, i, j), outcome_value(now, own, j)))
                add_counter(against, now, i, (enum metric)j, results_number(now, i, j), before,
                            old);
    }
}

/* A time of one solver over what it solved in both. */
static struct times times_of(const struct results *now, size_t solver, const struct results *before,
                             const size_t *old_instance, size_t old_solver, enum metric metric)
{
    struct times times = {.solver = now->solvers.text[solver], .metric = metric};
    double old_logs = 0;
    double new_logs = 0;
    for (size_t i = 0; i < now->instances.count; i++) {
        if (old_instance[i] == NAMES_NONE)
            continue;
        const struct outcome *own = results_outcome(now, solver, i);
        const struct outcome *old = results_outcome(before, old_solver, old_instance[i]);
        if (!own->finished || !old->finished || !(outcome_value(now, own, metric) > 0) ||
            !(outcome_value(before, old, metric) > 0))
            continue;
        new_logs += log(outcome_value(now, own, metric));
        old_logs += log(outcome_value(before, old, metric));
        times.boards++;
        times.edited += own->edited || old->edited;
    }
    times.new_value = exp(new_logs / (double)times.boards);
    times.old_value = exp(old_logs / (double)times.boards);
    return times;
}

/* Both times of one solver. */
static void compare_times(struct against *against, const struct results *now, size_t solver,
                          const struct results *before, const size_t *old_instance,
                          size_t old_solver, double tolerance)
{
    for (enum metric metric = METRIC_wall_s; metric <= METRIC_cpu_s; metric++) {
        const struct times times = times_of(now, solver, before, old_instance, old_solver, metric);
        *HEAP_ADD(against->times, against->time_count) = times;
        if (tolerance < 0 || !(times.new_value > times.old_value * (1 + tolerance)))
            continue;
        struct difference *difference =
            add(against, DIFFERENCE_SLOWER, times.solver, now, SIZE_MAX);
        difference->metric = metric;
        difference->old_value = times.old_value;
        difference->new_value = times.new_value;
        difference->new_edited = times.edited > 0;
    }
}

static void find_missing(struct against *against, const struct results *now,
                         const struct results *before)
{
    for (size_t solver = 0; solver < before->solvers.count; solver++) {
        const char *name = before->solvers.text[solver];
        const size_t own = names_find(&now->solvers, name);
        for (size_t i = 0; i < before->instances.count; i++) {
            const struct outcome *outcome = results_outcome(before, solver, i);
            const size_t instance = names_find(&now->instances, before->instances.text[i]);
            if (outcome->attempts == 0 || (own != NAMES_NONE && instance != NAMES_NONE &&
                                           results_outcome(now, own, instance)->attempts > 0))
                continue;
            struct difference *difference = add(against, DIFFERENCE_MISSING, name, before, i);
            difference->run_id = before->run_ids.text[outcome->run];
            difference->old_status = outcome->status;
            difference->old_edited = outcome->edited;
            difference->of_nodes = true;
        }
    }
}

struct against against_of(const struct results *now, const struct results *before, double tolerance)
{
    struct against against = {0};
    SCOPED size_t *old_instance = heap_take(now->instances.count, sizeof *old_instance);
    for (size_t i = 0; i < now->instances.count; i++)
        old_instance[i] = names_find(&before->instances, now->instances.text[i]);
    for (size_t solver = 0; solver < now->solvers.count; solver++) {
        const size_t old_solver = names_find(&before->solvers, now->solvers.text[solver]);
        for (size_t i = 0; i < now->instances.count; i++) {
            const bool known = old_solver != NAMES_NONE && old_instance[i] != NAMES_NONE;
            if (results_outcome(now, solver, i)->attempts == 0)
                continue;
            const struct outcome *old =
                known ? results_outcome(before, old_solver, old_instance[i]) : NULL;
            if (old == NULL || old->attempts == 0) {
                against.additional++;
                continue;
            }
            against.compared++;
            compare_outcomes(&against, now, solver, i, before, old);
        }
        if (old_solver != NAMES_NONE)
            compare_times(&against, now, solver, before, old_instance, old_solver, tolerance);
    }
    compare_repetitions(&against, now, before, old_instance);
    find_missing(&against, now, before);
    for (size_t i = 0; i < against.count; i++)
        against.of_nodes += against.differences[i].of_nodes;
    return against;
}

void against_end(struct against *against)
{
    for (size_t i = 0; i < against->count; i++)
        FREE(against->differences[i].set, against->differences[i].instance);
    FREE(against->differences, against->times);
    *against = (struct against){0};
}
