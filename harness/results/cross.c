#include "harness/results/cross.h"
#include "base/heap.h"
#include "harness/experiment/experiment.h"
#include <xxhash.h>

#define NONE UINT32_MAX

/* What the rows so far say about an instance: lengths, each with the run that showed it. */
struct known {
    uint32_t shortest; /* a path of this length was found; NONE: no path yet */
    uint32_t shortest_run;
    uint32_t proved; /* by a solver that promises shortest paths; NONE: not yet */
    uint32_t proved_run;
    uint32_t highest_h; /* of an admissible heuristic at the start */
    uint32_t highest_run;
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
        cross->known[i] = (struct known){.shortest = NONE, .proved = NONE};
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

/* Holds a path of `length` against the paths and estimates of others. */
static char *check_length(struct cross *cross, struct known *known, uint32_t run, uint32_t length,
                          bool promises_shortest)
{
    if (known->proved != NONE && length < known->proved)
        return contradiction(cross, known->proved_run,
                             heap_format("a path of %u moves, although %u were called shortest by",
                                         length, known->proved));
    if (promises_shortest && known->proved != NONE && length != known->proved)
        return contradiction(
            cross, known->proved_run,
            heap_format("%u moves called shortest, although %u were by", length, known->proved));
    if (promises_shortest && known->shortest != NONE && known->shortest < length)
        return contradiction(
            cross, known->shortest_run,
            heap_format("%u moves called shortest, although a path of %u was found by", length,
                        known->shortest));
    if (length < known->highest_h)
        return contradiction(
            cross, known->highest_run,
            heap_format("a path of %u moves, below the estimate %u, called admissible, of", length,
                        known->highest_h));
    if (length < known->shortest) { /* NONE is the largest number there is */
        known->shortest = length;
        known->shortest_run = run;
    }
    if (promises_shortest && known->proved == NONE) {
        known->proved = length;
        known->proved_run = run;
    }
    return NULL;
}

static char *check_estimate(struct cross *cross, struct known *known, uint32_t run, uint32_t h)
{
    if (known->shortest != NONE && h > known->shortest)
        return contradiction(
            cross, known->shortest_run,
            heap_format("the estimate %u, called admissible, above the path of %u moves of", h,
                        known->shortest));
    if (h > known->highest_h) {
        known->highest_h = h;
        known->highest_run = run;
    }
    return NULL;
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
    const unsigned properties = solver_properties(run->solver);
    struct known *known = &cross->known[run->instance_number];
    char *why = NULL;
    if (result->status == STATUS_wrong_answer)
        return NULL;
    if (result->h_start >= 0 && (properties & ADMISSIBLE) != 0)
        why = check_estimate(cross, known, number, (uint32_t)result->h_start);
    if (why == NULL && result->status == STATUS_solved)
        why = check_length(cross, known, number, (uint32_t)result->length,
                           (properties & OPTIMAL) != 0);
    if (why != NULL) {
        result->status = STATUS_wrong_answer;
        return why;
    }
    if (cross->counted != NULL && run->external == NULL && is_repeatable(result->status))
        why = check_repetition(
            cross, &cross->counted[run->instance_number * cross->solvers + run->solver_number],
            number, result);
    return why;
}

void cross_end(struct cross *cross)
{
    free(cross->known);
    free(cross->counted);
    free(cross);
}
