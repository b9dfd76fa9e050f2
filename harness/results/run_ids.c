#include "harness/results/run_ids.h"
#include "base/heap.h"
#include <string.h>

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct known_run *)a)->id, ((const struct known_run *)b)->id);
}

struct run_ids run_ids_of(const struct experiment *experiment)
{
    struct run_ids ids = {.count = experiment_run_count(experiment)};
    ids.items = heap_take(ids.count, sizeof *ids.items);
    for (size_t i = 0; i < ids.count; i++) {
        const struct run run = experiment_run(experiment, i);
        const struct experiment_solver *solver = &experiment->solvers[run.solver];
        record_run_id(&experiment->instances.items[run.instance], solver->text, experiment->order,
                      &solver->limits, run.repetition, ids.items[i].id);
        ids.items[i].run = i;
    }
    qsort(ids.items, ids.count, sizeof *ids.items, by_id);
    return ids;
}

ptrdiff_t run_ids_find(const struct run_ids *ids, const char *id)
{
    struct known_run key;
    if (strlen(id) != RUN_ID_BYTES - 1)
        return RUN_UNKNOWN;
    memcpy(key.id, id, RUN_ID_BYTES);
    const struct known_run *found = bsearch(&key, ids->items, ids->count, sizeof key, by_id);
    return found == NULL ? RUN_UNKNOWN : (ptrdiff_t)found->run;
}

void run_ids_end(struct run_ids *ids)
{
    free(ids->items);
    *ids = (struct run_ids){0};
}
