/* The folders of an experiment's shards: RESULTS/shards/K-of-N, each an ordinary results folder of
 * its own, so that no shard writes to another's files and none needs another's lock. */
#pragma once

#include "harness/experiment/shards.h"

/* The folder of a shard; heap memory. */
char *shard_folder(const char *results, struct shard shard);

struct shard_folders {
    struct shard *items; /* owned; by count, then by number */
    size_t count;
};

/* The shards that have a folder; anything else there is ignored. None where RESULTS/shards cannot
 * be read. Heap memory, shard_folders_end. */
struct shard_folders shard_folders_list(const char *results);
bool shard_folders_have(const struct shard_folders *folders, struct shard shard);
void shard_folders_end(struct shard_folders *folders);
