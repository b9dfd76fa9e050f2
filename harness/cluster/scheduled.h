/* What a scheduler knows of the shards that `tilelab submit` sent: for `tilelab status`. */
#pragma once

#include "harness/cluster/shard_status.h"
#include "harness/cluster/slurm.h"
#include "harness/cluster/submissions.h"

struct scheduled {
    const char *results; /* not owned */
    struct submissions submissions;
    struct slurm_tasks tasks; /* that are not over */
    char *problem;            /* owned; why that is not known; or NULL */
};

/* Reads submit/jobs.json of a results folder and asks Slurm, if anything was ever sent. */
struct scheduled scheduled_read(const char *results);
void scheduled_end(struct scheduled *scheduled);

/* Prints which shards wait and why, which run, and which are to be sent again; nothing if none was
 * ever sent. `status` may be NULL: no shard has started. */
void scheduled_print(FILE *file, const struct scheduled *scheduled,
                     const struct shards_status *status);

/* An array with an object for each shard that waits or runs; null where it is not known, or none
 * was ever sent. */
json_t *scheduled_json(const struct scheduled *scheduled);
