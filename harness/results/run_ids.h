/* The runs of an experiment, each resolved (run.h), by number and by run_id. */
#pragma once

#include "harness/results/run.h"

struct experiment;

struct run_ids {
    const struct experiment *experiment; /* must not change */
    size_t count;
    char (*ids)[RUN_ID_BYTES]; /* owned; by number */
    uint32_t *sorted;          /* owned; the numbers in the order of their ids */
    size_t solvers;            /* how many the experiment has */
    struct run_texts *texts;   /* owned; by solver */
};

enum { RUN_UNKNOWN = -1 };

/* Heap memory, run_ids_end. */
struct run_ids run_ids_of(const struct experiment *experiment);

/* The run of a number. */
struct run run_ids_run(const struct run_ids *ids, size_t number);

/* The number of the run with this id; RUN_UNKNOWN if the experiment has none. */
ptrdiff_t run_ids_find(const struct run_ids *ids, const char *id);

/* 16 hexadecimal digits: the hash of all the ids in their order. Experiments with the same one have
 * the same runs, made by the same build. */
enum { RUN_IDS_HASH_BYTES = 17 };
void run_ids_hash(const struct run_ids *ids, char hash[RUN_IDS_HASH_BYTES]);

void run_ids_end(struct run_ids *ids);
