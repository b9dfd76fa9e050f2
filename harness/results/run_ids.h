/* The runs of an experiment, each resolved (run.h), by number and by run_id.
 *
 * A shard makes few of many runs, so their ids are made when they are asked for: those of its own
 * runs at first, and all once an id is sought that none of these has. */
#pragma once

#include "harness/results/run.h"

struct experiment;
struct run_index;

struct run_ids {
    const struct experiment *experiment; /* must not change */
    size_t count;
    struct run_index *index; /* owned */
    size_t solvers;          /* how many the experiment has */
    struct run_texts *texts; /* owned; by solver */
};

/* Heap memory, run_ids_end. `first`: the numbers of the `count` runs whose ids are made at once;
 * NULL: of all. */
struct run_ids run_ids_of(const struct experiment *experiment, const uint32_t *first, size_t count);

/* The run of a number. */
struct run run_ids_run(const struct run_ids *ids, size_t number);

/* The number of the run with this id; RUN_UNKNOWN if the experiment has none. Not for several
 * threads, unless all ids were made at once. */
enum { RUN_UNKNOWN = -1 };
ptrdiff_t run_ids_find(const struct run_ids *ids, const char *id);

/* The same among the runs whose ids were made already. */
ptrdiff_t run_ids_find_made(const struct run_ids *ids, const char *id);

/* 16 hexadecimal digits: a hash of all that determines the runs. Experiments with the same one have
 * the same runs, made by the same build. */
enum { RUN_IDS_HASH_BYTES = 17 };
void run_ids_hash(const struct run_ids *ids, char hash[RUN_IDS_HASH_BYTES]);

void run_ids_end(struct run_ids *ids);
