/* The folders of an experiment's shards: RESULTS/shards/K-of-N, each an ordinary results folder of
 * its own, so that no shard writes to another's files and none needs another's lock. */
#ifndef RESULTS_SHARD_FOLDERS_H
#define RESULTS_SHARD_FOLDERS_H

#include "harness/experiment/shards.h"
#include "harness/results/others.h"
#include "harness/results/run_ids.h"

/* The folder of a shard; heap memory. */
char *shard_folder(const char *results, struct shard shard);

struct shard_folders {
    struct shard *items; /* owned; by count, then by number */
    size_t count;
};

/* The shards that have a folder; what else lies there is none. None where RESULTS/shards cannot be
 * read. Heap memory, shard_folders_end. */
struct shard_folders shard_folders_list(const char *results);
bool shard_folders_have(const struct shard_folders *folders, struct shard shard);
void shard_folders_end(struct shard_folders *folders);

/* Marks in `done` (one flag for each run) the runs that have a row in a folder's runs.csv which a
 * merge would take; reads without a lock. Adds the rows of other runs, which a merge would refuse,
 * to `others` (NULL: to nothing). Returns how many were not marked yet. */
size_t shard_rows_mark(const char *folder, const struct run_ids *ids, bool *done,
                       struct others *others);

#endif
