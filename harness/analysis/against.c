#include "harness/analysis/against.h"
#include "base/heap.h"

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Whether a run's counters do not depend on the machine's speed. */
static bool is_exact(const struct run_row *run)
{
    const enum status status = run->status;
    if (status == STATUS_memory_limit && run->measured != MEASURED_SEARCH)
        return false; /* the system ended it from outside */
    return status == STATUS_solved || status == STATUS_exhausted || status == STATUS_unsolvable ||
           status == STATUS_stuck || status == STATUS_node_limit || status == STATUS_memory_limit;
}

/* Whether how a run ended depends on the machine: it might end otherwise there again. */
static bool by_chance(const struct run_row *run)
{
    return run->status == STATUS_time_limit || run->status == STATUS_cpu_limit ||
           status_rows[run->status].made_again ||
           (run->status == STATUS_memory_limit && run->measured != MEASURED_SEARCH);
}

/* The runs that tried each case (a solver and an instance), which are its repetitions, as lists in
 * order of run_id. A run is named by its number and 1; 0: none. */
struct cases {
    const struct results *results;
    uint32_t *first;   /* owned, as all; by case */
    uint32_t *next;    /* by run */
    uint32_t *partner; /* by run: that of the other results which it is held against */
};

static size_t case_of(const struct results *results, size_t solver, size_t instance)
{
    return solver * results->instances.count + instance;
}

static struct cases cases_of(const struct results *results)
{
    const size_t count = case_of(results, results->solvers.count, 0);
    char *const *ids = results->run_ids.text;
    struct cases cases = {results, heap_take(count, sizeof *cases.first),
                          heap_take(results->count, sizeof *cases.next),
                          heap_take(results->count, sizeof *cases.partner)};
    for (uint32_t i = 0; i < results->count; i++) {
        const struct run_row *run = &results->runs[i];
        uint32_t *at = &cases.first[case_of(results, run->solver, run->instance)];
        if (!status_rows[run->status].tried)
            continue;
        while (*at != 0 && strcmp(ids[*at - 1], ids[i]) < 0)
            at = &cases.next[*at - 1];
        cases.next[i] = *at;
        *at = i + 1;
    }
    return cases;
}

static void cases_end(struct cases *cases)
{
    FREE(cases->first, cases->next, cases->partner);
}

/* Adds a difference of an instance (SIZE_MAX: of the solver as a whole). Those from `first` on are
 * of the same case: what several repetitions have in common is named once. */
static void add(struct against *against, size_t first, struct difference difference,
                const struct results *results, size_t instance)
{
    for (size_t i = first; i < against->count; i++) {
        const struct difference *other = &against->differences[i];
        if (other->kind == difference.kind && other->metric == difference.metric &&
            same(other->old_value, difference.old_value) &&
            same(other->new_value, difference.new_value) &&
            other->old_status == difference.old_status &&
            other->new_status == difference.new_status)
            return;
    }
    if (instance != SIZE_MAX) {
        difference.set = results_set(results, instance);
        difference.instance = results_instance(results, instance);
    }
    *HEAP_ADD(against->differences, against->count) = difference;
}

static void add_missing(struct against *against, size_t first, const struct results *before,
                        size_t run)
{
    const struct run_row *row = &before->runs[run];
    add(against, first,
        (struct difference){.kind = DIFFERENCE_MISSING,
                            .solver = before->solvers.text[row->solver],
                            .run_id = before->run_ids.text[run],
                            .old_status = row->status,
                            .old_edited = row->edited,
                            .of_nodes = true},
        before, row->instance);
}

/* The first metric from `metric` on in which two runs of one status differ though it repeats;
 * COLUMN_METRICS: none. */
static unsigned differing(const struct results *now, size_t run, const struct results *before,
                          size_t old, unsigned metric)
{
    while (metric < COLUMN_METRICS &&
           (!metric_repeats((enum metric)metric, now->runs[run].measured) ||
            same(results_number(now, run, metric), results_number(before, old, metric))))
        metric++;
    return metric;
}

/* Adds what two runs differ in. False where they have no counters to compare. */
static bool compare_runs(struct against *against, size_t first, const struct results *now,
                         size_t run, const struct results *before, size_t old)
{
    const struct run_row *own = &now->runs[run];
    const struct run_row *other = &before->runs[old];
    struct difference difference = {.solver = now->solvers.text[own->solver],
                                    .run_id = now->run_ids.text[run],
                                    .old_status = other->status,
                                    .new_status = own->status,
                                    .old_edited = other->edited,
                                    .new_edited = own->edited};
    if (own->status != other->status) {
        difference.kind = DIFFERENCE_STATUS;
        difference.of_nodes = !by_chance(own) && !by_chance(other);
        add(against, first, difference, now, own->instance);
        return false;
    }
    for (unsigned i = 0;
         is_exact(own) && (i = differing(now, run, before, old, i)) < COLUMN_METRICS; i++) {
        difference.kind = DIFFERENCE_COUNTER;
        difference.metric = (enum metric)i;
        difference.old_value = results_number(before, old, i);
        difference.new_value = results_number(now, run, i);
        difference.of_nodes = i != METRIC_peak_bytes;
        add(against, first, difference, now, own->instance);
    }
    return is_exact(own);
}

/* Finds a partner for each run of a case: the run of the same run_id, else one that is alike, else
 * any that has none yet; further repetitions may share one. */
static void find_partners(const struct cases *now, uint32_t runs, const struct cases *before,
                          uint32_t olds)
{
    enum { SAME_RUN, ALIKE, ANY, LIKENESSES };
    for (unsigned pass = 0; pass < 2 * LIKENESSES; pass++)
        for (uint32_t run = runs; run != 0; run = now->next[run - 1])
            for (uint32_t old = olds; old != 0 && now->partner[run - 1] == 0;
                 old = before->next[old - 1]) {
                const struct run_row *own = &now->results->runs[run - 1];
                const bool like =
                    pass % LIKENESSES == SAME_RUN
                        ? strcmp(now->results->run_ids.text[run - 1],
                                 before->results->run_ids.text[old - 1]) == 0
                    : pass % LIKENESSES == ALIKE
                        ? own->status == before->results->runs[old - 1].status &&
                              (!is_exact(own) || differing(now->results, run - 1, before->results,
                                                           old - 1, 0) == COLUMN_METRICS)
                        : true;
                if (!like || (pass < LIKENESSES && before->partner[old - 1] != 0))
                    continue;
                now->partner[run - 1] = old;
                before->partner[old - 1] = run;
            }
}

static void compare_case(struct against *against, const struct cases *now, uint32_t runs,
                         const struct cases *before, uint32_t olds)
{
    const size_t first = against->count;
    bool exact = true;
    find_partners(now, runs, before, olds);
    for (uint32_t run = runs; run != 0; run = now->next[run - 1])
        exact &= compare_runs(against, first, now->results, run - 1, before->results,
                              now->partner[run - 1] - 1);
    for (uint32_t old = olds; old != 0; old = before->next[old - 1])
        if (before->partner[old - 1] == 0)
            add_missing(against, first, before->results, old - 1);
    against->compared++;
    against->exact += exact;
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
        times.old_edited |= old->edited;
        times.new_edited |= own->edited;
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
        add(against, against->count,
            (struct difference){.kind = DIFFERENCE_SLOWER,
                                .solver = times.solver,
                                .metric = metric,
                                .old_value = times.old_value,
                                .new_value = times.new_value,
                                .old_edited = times.old_edited,
                                .new_edited = times.new_edited},
            now, SIZE_MAX);
    }
}

/* The cases that the new results do not have. */
static void find_missing(struct against *against, const struct cases *now,
                         const struct cases *before)
{
    const struct results *old = before->results;
    for (size_t solver = 0; solver < old->solvers.count; solver++) {
        const size_t own = names_find(&now->results->solvers, old->solvers.text[solver]);
        for (size_t i = 0; i < old->instances.count; i++) {
            const uint32_t first = before->first[case_of(old, solver, i)];
            const size_t instance = names_find(&now->results->instances, old->instances.text[i]);
            if (first != 0 && (own == NAMES_NONE || instance == NAMES_NONE ||
                               now->first[case_of(now->results, own, instance)] == 0))
                add_missing(against, against->count, old, first - 1);
        }
    }
}

struct against against_of(const struct results *now, const struct results *before, double tolerance)
{
    struct against against = {0};
    SCOPED_BY(cases_end) struct cases own = cases_of(now);
    SCOPED_BY(cases_end) struct cases old = cases_of(before);
    SCOPED size_t *old_instance = heap_take(now->instances.count, sizeof *old_instance);
    for (size_t i = 0; i < now->instances.count; i++)
        old_instance[i] = names_find(&before->instances, now->instances.text[i]);
    for (size_t solver = 0; solver < now->solvers.count; solver++) {
        const size_t old_solver = names_find(&before->solvers, now->solvers.text[solver]);
        for (size_t i = 0; i < now->instances.count; i++) {
            const bool known = old_solver != NAMES_NONE && old_instance[i] != NAMES_NONE;
            const uint32_t runs = own.first[case_of(now, solver, i)];
            const uint32_t olds =
                known ? old.first[case_of(before, old_solver, old_instance[i])] : 0;
            if (runs != 0 && olds != 0)
                compare_case(&against, &own, runs, &old, olds);
            else
                against.additional += runs != 0;
        }
        if (old_solver != NAMES_NONE)
            compare_times(&against, now, solver, before, old_instance, old_solver, tolerance);
    }
    find_missing(&against, &own, &old);
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
