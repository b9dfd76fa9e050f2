/* How far the shards of an experiment are, read from their folders while they are written.
 *
 * No lock is needed, as those of other machines cannot be seen everywhere. A shard runs if its
 * manifest has a session without an end and runs.csv had the present time a moment ago
 * (SILENT_SECONDS in scheduler.h); on this machine its process must also exist. */
#pragma once

#include "harness/results/run_ids.h"
#include "harness/results/shard_folders.h"

enum { RATE_SECONDS = 600 };

enum shard_state {
    SHARD_DONE,        /* every run has a row */
    SHARD_RUNNING,     /* its process lives */
    SHARD_INTERRUPTED, /* by a signal */
    SHARD_FAILED,      /* rows could not be written, or workers not be started */
    SHARD_KILLED,      /* or its machine is gone */
    SHARD_STOPPED,     /* its call ended well, but runs are to be made again or came to it later */
    SHARD_NOT_STARTED,
    SHARD_STATES
};
extern const char *const shard_state_names[SHARD_STATES];

struct shard_status {
    struct shard shard;
    enum shard_state state;
    size_t runs;     /* of the present division; 0 where the shard is of an earlier one */
    size_t done;     /* of these; of an earlier division: rows in its folder */
    size_t failed;   /* of the done: crashed or wrong */
    unsigned starts; /* calls that made runs */
    char *host;      /* owned; of the last of them; "" where there was none */
    double quiet;    /* seconds since its last row; negative: it has none */
};

struct shards_status {
    struct shard_status *items; /* owned; by count and number: earlier divisions that have folders,
                                   and all shards of the present one */
    size_t count;
    size_t runs, done, failed;  /* of the experiment, wherever the row is */
    size_t by_status[STATUSES]; /* of the done */
    double left;                /* seconds until all is done, at the rate of all shards in the last
                                   RATE_SECONDS; NaN where no row was made since */
    size_t merged;              /* runs that have a row in RESULTS itself */
    size_t others; /* rows of none of the experiment's runs: of another build, perhaps */
};

/* Looks at the results folder and its shards, of which the present division has `count` (0: there
 * is none). Heap memory, shards_status_end. */
struct shards_status shards_status_of(const char *results, const struct run_ids *ids,
                                      unsigned count);
void shards_status_end(struct shards_status *status);
