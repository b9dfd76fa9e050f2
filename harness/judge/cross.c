#include "harness/judge/cross.h"
#include "base/heap.h"
#include "harness/experiment/experiment.h"
#include "harness/judge/verdict.h"
#include <inttypes.h>
#include <xxhash.h>

#define NONE UINT32_MAX

/* What the rows so far say about an instance. Lengths are costs where moves cost different amounts.
 */
struct known {
    uint64_t shortest; /* a replayed path of this length was found; COST_UNKNOWN: no path yet */
    uint64_t claimed;  /* the most that a row which was right so far allows as the length of a
                          shortest path: a path that is shorter refutes it */
    uint32_t shortest_run;
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
        cross->known[i] = (struct known){.shortest = COST_UNKNOWN};
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

/* The length of a result's path, or what it costs where moves cost different amounts; COST_UNKNOWN
 * where a row has no moves to add up. */
static uint64_t length_of(const struct run *run, const struct result *result)
{
    if (run->instance->cost == COST_unit)
        return result->length;
    return result->moves == NULL ? COST_UNKNOWN : path_cost_of(run->instance, result);
}

/* What the solver promises of it. */
static uint64_t bound_of(const struct run *run)
{
    return (uint64_t)(run->instance->cost == COST_unit ? solver_bound(run->solver)
                                                       : solver_cost_bound(run->solver));
}

/* How short a shortest path may be if what a row claims is right: its solver promises paths of at
 * most so many times a shortest one, or an estimate or a bound that is not above it. */
static uint64_t least_length(const struct run *run, const struct result *result)
{
    const uint64_t bound = bound_of(run);
    const bool counts_moves = run->instance->cost == COST_unit;
    const bool admissible = (solver_properties(run->solver) & ADMISSIBLE) != 0;
    const uint64_t estimate = admissible && result->h_start > 0 ? (uint64_t)result->h_start : 0;
    const bool has_length = result->status == STATUS_solved || result->status == STATUS_claimed;
    const uint64_t length = has_length && bound > 0 ? length_of(run, result) : COST_UNKNOWN;
    const uint64_t least = length == COST_UNKNOWN
                               ? 0
                               : (uint64_t)(((uint128)length * DECIMAL_ONE + bound - 1) / bound);
    const uint64_t proved =
        counts_moves && estimate > result->bound ? estimate : result->bound; /* h counts moves */
    return least > proved ? least : proved;
}

/* A cost by the instance's model that a promise contradicts. */
static char *refuted_cost(const struct known *known, const struct run *run,
                          const struct result *result)
{
    const struct instance *instance = run->instance;
    const uint64_t scale = costs_make(instance->cost, instance->start.shape).scale;
    char claimed[COST_TEXT], found[COST_TEXT];
    return heap_format("a path of cost %s, called at most %g times a cheapest one, although one of "
                       "cost %s was found by",
                       cost_text(length_of(run, result), scale, claimed),
                       (double)bound_of(run) / DECIMAL_ONE,
                       cost_text(known->shortest, scale, found));
}

/* A bound, called proved, that a path of another solver is below. */
static char *refuted_bound(const struct known *known, const struct run *run,
                           const struct result *result)
{
    const struct instance *instance = run->instance;
    const uint64_t scale = costs_make(instance->cost, instance->start.shape).scale;
    char bound[COST_TEXT], found[COST_TEXT];
    return heap_format("bound: %s, called proved, above the path of %s %s of",
                       cost_text(result->bound, scale, bound),
                       instance->cost == COST_unit ? "" : "cost",
                       cost_text(known->shortest, scale, found));
}

char *cross_refuted(const struct cross *cross, const struct run *run, const struct result *result)
{
    const struct known *known = &cross->known[run->instance_number];
    const int64_t bound = solver_bound(run->solver);
    const int h = result->h_start;
    if (result->status == STATUS_wrong_answer ||
        instance_optimal_cost(run->instance) != COST_UNKNOWN ||
        least_length(run, result) <= known->shortest)
        return NULL;
    if (run->instance->cost != COST_unit)
        return contradiction(cross, known->shortest_run,
                             result->bound > known->shortest ? refuted_bound(known, run, result)
                                                             : refuted_cost(known, run, result));
    if (h >= 0 && (uint64_t)h > known->shortest && (solver_properties(run->solver) & ADMISSIBLE))
        return contradiction(
            cross, known->shortest_run,
            heap_format("the estimate %d, called admissible, above the path of %" PRIu64
                        " moves of",
                        h, known->shortest));
    if (result->bound > known->shortest)
        return contradiction(cross, known->shortest_run,
                             heap_format("bound: %" PRIu64
                                         ", called proved, above the path of %" PRIu64 " moves of",
                                         result->bound, known->shortest));
    return contradiction(
        cross, known->shortest_run,
        bound == DECIMAL_ONE
            ? heap_format("%zu moves called shortest, although a path of %" PRIu64 " was found by",
                          result->length, known->shortest)
            : heap_format("%zu moves, called at most %g times a shortest path, although one of "
                          "%" PRIu64 " was found by",
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
    const bool unknown = instance_optimal_cost(run->instance) == COST_UNKNOWN;
    const uint64_t length =
        unknown && shows_path(run, result) ? length_of(run, result) : COST_UNKNOWN;
    if (length < known->shortest) { /* COST_UNKNOWN is the largest number there is */
        known->shortest = length;
        known->shortest_run = number;
        cross->has_refuted = cross->has_refuted || known->shortest < known->claimed;
    }
    char *why = cross_refuted(cross, run, result);
    if (why != NULL)
        result->status = STATUS_wrong_answer;
    if (result->status == STATUS_wrong_answer)
        return why;
    const uint64_t least = least_length(run, result);
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
