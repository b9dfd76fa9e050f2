#include "harness/results/run_ids.h"
#include "base/heap.h"
#include "harness/experiment/experiment.h"
#include "harness/results/record.h"
#include <inttypes.h>
#include <xxhash.h>

/* The run of a number, its id still empty. */
static struct run resolve(const struct run_ids *ids, size_t number)
{
    const struct experiment *experiment = ids->experiment;
    const struct matrix_cell cell = experiment_cell(experiment, number);
    const struct experiment_solver *solver = &experiment->solvers[cell.solver];
    return (struct run){.number = number,
                        .instance_number = cell.instance,
                        .solver_number = cell.solver,
                        .repetition = cell.repetition,
                        .experiment = experiment->name,
                        .instance = &experiment->instances.items[cell.instance],
                        .solver = &solver->solver,
                        .external = solver->external,
                        .solver_text = solver->text,
                        .label = solver->label,
                        .order = solver_order(&solver->solver, experiment->order),
                        .limits = solver->limits,
                        .texts = &ids->texts[cell.solver]};
}

/* ---- Ids ---- */

/* The ids that were made, and where to find a run by its own: open addressing. */
struct run_index {
    char (*ids)[RUN_ID_BYTES]; /* by number; "": not made yet */
    uint32_t *places;          /* 1 + a number, at the hash of its id or beyond; 0: free */
    size_t mask;               /* how many places there are, a power of two, less 1 */
    bool all;                  /* every id is made */
};

/* Where an id is, or the free place where it would be. */
static uint32_t *place_of(const struct run_index *index, const char *id)
{
    size_t at = XXH3_64bits(id, strlen(id)) & index->mask;
    while (index->places[at] != 0 && strcmp(index->ids[index->places[at] - 1], id) != 0)
        at = (at + 1) & index->mask;
    return &index->places[at];
}

/* Makes the ids of these runs (NULL: of all, the first `count`), and finds them alone from now on.
 */
static void make_ids(const struct run_ids *ids, const uint32_t *numbers, size_t count)
{
    struct run_index *index = ids->index;
    size_t places = 2;
    while (places < 2 * count)
        places *= 2;
    free(index->places);
    index->places = heap_take(places, sizeof *index->places);
    index->mask = places - 1;
    for (size_t i = 0; i < count; i++) {
        const size_t number = numbers == NULL ? i : numbers[i];
        if (index->ids[number][0] == '\0') {
            struct run run = resolve(ids, number);
            record_run_id(&run);
            memcpy(index->ids[number], run.id, RUN_ID_BYTES);
        }
        *place_of(index, index->ids[number]) = (uint32_t)number + 1;
    }
    index->all = numbers == NULL;
}

struct run_ids run_ids_of(const struct experiment *experiment, const uint32_t *first, size_t count)
{
    struct run_ids ids = {.experiment = experiment, .count = experiment_run_count(experiment)};
    ids.index = heap_take(1, sizeof *ids.index);
    ids.index->ids = heap_take(ids.count, sizeof *ids.index->ids);
    ids.solvers = experiment->solver_count;
    ids.texts = heap_take(ids.solvers, sizeof *ids.texts);
    for (size_t i = 0; i < ids.solvers; i++) {
        const struct run run = {.solver = &experiment->solvers[i].solver,
                                .external = experiment->solvers[i].external,
                                .limits = experiment->solvers[i].limits};
        ids.texts[i] = run_texts_of(&run);
    }
    make_ids(&ids, first, first == NULL ? ids.count : count);
    return ids;
}

struct run run_ids_run(const struct run_ids *ids, size_t number)
{
    struct run run = resolve(ids, number);
    if (ids->index->ids[number][0] == '\0')
        record_run_id(&run);
    else
        memcpy(run.id, ids->index->ids[number], RUN_ID_BYTES);
    return run;
}

ptrdiff_t run_ids_find_made(const struct run_ids *ids, const char *id)
{
    return (ptrdiff_t)*place_of(ids->index, id) - 1;
}

ptrdiff_t run_ids_find(const struct run_ids *ids, const char *id)
{
    if (run_ids_find_made(ids, id) == RUN_UNKNOWN && !ids->index->all)
        make_ids(ids, NULL, ids->count);
    return run_ids_find_made(ids, id);
}

/* The ids of the first instance's runs, and what the other instances have in place of it. */
void run_ids_hash(const struct run_ids *ids, char hash[RUN_IDS_HASH_BYTES])
{
    const struct experiment *experiment = ids->experiment;
    const size_t first = ids->count < ids->solvers * experiment->repetitions
                             ? ids->count
                             : ids->solvers * experiment->repetitions;
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        heap_exhausted();
    XXH3_64bits_reset(state);
    for (size_t i = 0; i < first; i++) {
        const struct run run = run_ids_run(ids, i);
        XXH3_64bits_update(state, run.id, sizeof run.id);
    }
    for (size_t i = 0; i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        const uint8_t rest[] = {instance->start.shape.width, instance->start.shape.height,
                                (uint8_t)instance->cost};
        XXH3_64bits_update(state, instance->set, strlen(instance->set) + 1);
        XXH3_64bits_update(state, instance->name, strlen(instance->name) + 1);
        XXH3_64bits_update(state, instance->start.cell, sizeof instance->start.cell);
        XXH3_64bits_update(state, instance->goal.cell, sizeof instance->goal.cell);
        XXH3_64bits_update(state, rest, sizeof rest);
    }
    snprintf(hash, RUN_IDS_HASH_BYTES, "%016" PRIx64, XXH3_64bits_digest(state));
    XXH3_freeState(state);
}

void run_ids_end(struct run_ids *ids)
{
    for (size_t i = 0; i < ids->solvers; i++)
        run_texts_end(&ids->texts[i]);
    FREE(ids->texts, ids->index->ids, ids->index->places, ids->index);
    *ids = (struct run_ids){0};
}
