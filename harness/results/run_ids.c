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

static int by_id(const void *a, const void *b, void *context)
{
    const struct run_ids *ids = context;
    return strcmp(ids->ids[*(const uint32_t *)a], ids->ids[*(const uint32_t *)b]);
}

struct run_ids run_ids_of(const struct experiment *experiment)
{
    struct run_ids ids = {.experiment = experiment, .count = experiment_run_count(experiment)};
    ids.ids = heap_take(ids.count, sizeof *ids.ids);
    ids.sorted = heap_take(ids.count, sizeof *ids.sorted);
    ids.solvers = experiment->solver_count;
    ids.texts = heap_take(ids.solvers, sizeof *ids.texts);
    for (size_t i = 0; i < ids.solvers; i++) {
        const struct run run = {.solver = &experiment->solvers[i].solver,
                                .external = experiment->solvers[i].external,
                                .limits = experiment->solvers[i].limits};
        ids.texts[i] = run_texts_of(&run);
    }
    for (size_t i = 0; i < ids.count; i++) {
        struct run run = resolve(&ids, i);
        record_run_id(&run);
        memcpy(ids.ids[i], run.id, RUN_ID_BYTES);
        ids.sorted[i] = (uint32_t)i;
    }
    qsort_r(ids.sorted, ids.count, sizeof *ids.sorted, by_id, &ids);
    return ids;
}

struct run run_ids_run(const struct run_ids *ids, size_t number)
{
    struct run run = resolve(ids, number);
    memcpy(run.id, ids->ids[number], RUN_ID_BYTES);
    return run;
}

ptrdiff_t run_ids_find(const struct run_ids *ids, const char *id)
{
    size_t first = 0;
    size_t end = ids->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        const int order = strcmp(id, ids->ids[ids->sorted[middle]]);
        if (order == 0)
            return (ptrdiff_t)ids->sorted[middle];
        if (order < 0)
            end = middle;
        else
            first = middle + 1;
    }
    return RUN_UNKNOWN;
}

void run_ids_hash(const struct run_ids *ids, char hash[RUN_IDS_HASH_BYTES])
{
    snprintf(hash, RUN_IDS_HASH_BYTES, "%016" PRIx64,
             XXH3_64bits(ids->ids, ids->count * sizeof *ids->ids));
}

void run_ids_end(struct run_ids *ids)
{
    for (size_t i = 0; i < ids->solvers; i++)
        run_texts_end(&ids->texts[i]);
    FREE(ids->texts, ids->ids, ids->sorted);
    *ids = (struct run_ids){0};
}
