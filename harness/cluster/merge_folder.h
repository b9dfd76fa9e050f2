/* The merge of a results folder's shards: the rows (merge.h), what describes them, and what is said
 * of them. */
#pragma once

#include "harness/cluster/shard_manifest.h"

struct merge_call {
    /* Filled in by the caller. */
    const char *results;
    struct recalled recalled;
    struct display *display;
    json_t *json; /* gets what is said, for programs */

    struct shard_folders shards;
    bool doubted; /* it is done, but runs are missing, crashed or are wrong */
};

enum ending merge_folder(struct merge_call *call);
