#include "harness/judge/cross.h"
#include "base/heap.h"
#include "harness/experiment/experiment.h"
#include <xxhash.h>

#define NONE UINT32_MAX

/* What the rows so far say about an instance. */
struct known {
    uint32_t shortest; /* a replayed path of this length was found; NONE: no path yet */
    uint32_t shortest_run;
    uint32_t claimed; /* the most that a row which was right so far allows as the length of a
                         shortest path: a path that is shorter refutes it */
};

/* The first repetition of a solver on an instance. */
struct counted {
    uint64_t hash; /* of status, length and counters */
    uint32_t run;  /* NONE: not yet */
};

struct cross {
    const struct run_ids *runs;
    size_t solvers;
    struct known *known;     /* by instance */
    struct counted *counted; /* by instance * solvers + solver; NULL without repetitions */
    bool has_refuted;
};

struct cross *cross_start(const struct run_ids *runs)
{
    const struct experiment *experiment = runs->experiment;
    const size_t instances = experiment->instances.count;
    struct cross *cross = heap_take(1, sizeof *cross);
    cross->runs = runs;
    cross->solvers = experiment->solver_count;
    cross->known = heap_take(instances, sizeof *cross->known);
    for (size_t i = 0; i < instances; i++)
        cross->known[i] = (struct known){.shortest = NONE};
    if (experiment->repetitions > 1) {
        const size_t pairs = instances * experiment->solver_count;
        cross->counted = heap_take(pairs, sizeof *cross->counted);
        for (size_t i = 0; i < pairs; i++)
            cross->counted[i].run = NONE;
    }
    return cross;
}

/* `what` (taken), then the row that it contradicts: "SOLVER (row RUN_ID)"; heap memory. */
static char *contradiction(const struct cross *cross, uint32_t number, char *what)
{
    const struct run other = run_ids_run(cross->runs, number);
    char *whole = heap_format("%s %s (row %s)", what, other.solver_text, other.id);
    free(what);
    return whole;
}

/* Whether a row shows a path. That of a solved row was replayed; one of a wrong answer is replayed
 * here, unless it was too long for its row, which then has its length alone if it led to the goal.
 */
static bool shows_path(const struct run *run, const struct result *result)
{
    if (result->status != STATUS_wrong_answer && !status_is_limit(result->status))
        return result->status == STATUS_solved;
    return result->moves == NULL ? result->length > 0 : path_holds(run->instance, result);
}

/* How short a shortest path may be if what a row claims is right: its solver promises paths of at
 * most so many times a shortest one, or an estimate or a bound that is not above it. */
static uint32_t least_length(const struct run *run, const struct result *result)
{
    const uint64_t bound = (uint64_t)solver_bound(run->solver);
    const bool admissible = (solver_properties(run->solver) & ADMISSIBLE) != 0;
    const uint64_t estimate = admissible && result->h_start > 0 ? (uint64_t)result->h_start : 0;
    const bool has_length = result->status == STATUS_solved || result->status == STATUS_claimed;
    const uint64_t least =
        has_length && bound > 0 ? (result->length * DECIMAL_ONE + bound - 1) / bound : 0;
    const uint64_t proved = estimate > result->bound ? estimate : result->bound;
    return (uint32_t)(least > proved ? least : proved);
}

char *cross_refuted(const struct cross *cross, const struct run *run, const struct result *result)
{
    const struct known *known = &cross->known[run->instance_number];
    const int64_t bound = solver_bound(run->solver);
    const int h = result->h_start;
    if (result->status == STATUS_wrong_answer || run->instance->optimal_length != LENGTH_UNKNOWN ||
        least_length(run, result) <= known->shortest)
        return NULL;
    if (h >= 0 && (uint32_t)h > known->shortest && (solver_properties(run->solver) & ADMISSIBLE))
        return contradiction(
            cross, known->shortest_run,
            heap_format("the estimate %d, called admissible, above the path of %u moves of", h,
                        known->shortest));
    if (result->bound > known->shortest)
        return contradiction(
            cross, known->shortest_run,
            heap_format("bound: %llu, called proved, above the path of %u moves of",
                        (unsigned long long)result->bound, known->shortest));
    return contradiction(
        cross, known->shortest_run,
        bound == DECIMAL_ONE
            ? heap_format("%zu moves called shortest, although a path of %u was found by",
                          result->length, known->shortest)
            : heap_format("%zu moves, called at most %g times a shortest path, although one of %u "
                          "was found by",
                          result->length, (double)bound / DECIMAL_ONE, known->shortest));
}

bool cross_has_refuted(const struct cross *cross)
{
    return cross->has_refuted;
}

/* Whether a run's counters follow from the search alone, not from the clock or a crash. */
static bool is_repeatable(enum status status)
{
    return status != STATUS_time_limit && status != STATUS_cpu_limit && status != STATUS_lost &&
           status != STATUS_crashed && status != STATUS_interrupted &&
           status != STATUS_wrong_answer;
}

static char *check_repetition(struct cross *cross, struct counted *counted, uint32_t run,
                              const struct result *result)
{
    uint64_t values[COUNTERS + 2] = {(uint64_t)result->status, result->length};
    for (unsigned i = 0; i < COUNTERS; i++)
        values[i + 2] = statistics_value(&result->statistics, i);
    const uint64_t hash = XXH3_64bits(values, sizeof values);
    if (counted->run == NONE) {
        counted->hash = hash;
        counted->run = run;
        return NULL;
    }
    return counted->hash == hash
               ? NULL
               : contradiction(cross, counted->run,
                               heap_text("other counters than its other repetition"));
}

char *cross_check(struct cross *cross, const struct run *run, struct result *result)
{
    const uint32_t number = (uint32_t)run->number;
    struct known *known = &cross->known[run->instance_number];
    if (run->instance->optimal_length == LENGTH_UNKNOWN && shows_path(run, result) &&
        result->length < known->shortest) { /* NONE is the largest number there is */
        known->shortest = (uint32_t)result->length;
        known->shortest_run = number;
        cross->has_refuted = cross->has_refuted || known->shortest < known->claimed;
    }
    char *why = cross_refuted(cross, run, result);
    if (why != NULL)
        result->status = STATUS_wrong_answer;
    if (result->status == STATUS_wrong_answer)
        return why;
    const uint32_t least = least_length(run, result);
    known->claimed = least > known->claimed ? least : known->claimed;
    if (cross->counted != NULL && run->external == NULL && is_repeatable(result->status))
        why = check_repetition(
            cross, &cross->counted[run->instance_number * cross->solvers + run->solver_number],
            number, result);
    return why;
}

void cross_end(struct cross *cross)
{
    FREE(cross->known, cross->counted, cross);
}
