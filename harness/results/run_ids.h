/* The run_ids of an experiment's runs, to look them up. */
#ifndef RESULTS_RUN_IDS_H
#define RESULTS_RUN_IDS_H

#include "harness/experiment/experiment.h"
#include "harness/results/record.h"

struct run_ids {
    struct known_run {
        char id[RUN_ID_BYTES];
        size_t run; /* its number in the matrix */
    } * items;      /* owned; sorted */
    size_t count;
};

enum { RUN_UNKNOWN = -1 };

/* Heap memory, run_ids_end. */
struct run_ids run_ids_of(const struct experiment *experiment);

/* The number of the run with this id; RUN_UNKNOWN if the experiment has none. */
ptrdiff_t run_ids_find(const struct run_ids *ids, const char *id);

void run_ids_end(struct run_ids *ids);

#endif
