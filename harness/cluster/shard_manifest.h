/* The manifest of a results folder that has shards: it tells what they are of, and after a merge
 * has the sessions of all of them.
 *
 * Beside what manifest.h writes it has `shards`, how many the last call divided the runs into, and
 * `matrices`, the hashes (run_ids_hash) of all experiments that had shards here. Each session of a
 * shard sees to that (execution/shard_rows.h). */
#pragma once

#include "harness/execution/manifest.h"
#include "harness/results/run_ids.h"
#include "harness/results/shard_folders.h"

/* The experiment of a results folder, read from the folder alone: its copy of the file, the values
 * that the command line replaced, and the folder where the files that it names were. */
struct recalled {
    json_t *manifest; /* owned */
    char *path;       /* owned; of the copy */
    struct overrides overrides;
    struct experiment experiment;
    unsigned shards; /* how many the last call knew of; 0: none */
};

/* False, with problems in the report, if it cannot be read; nothing need be freed then. */
bool shard_manifest_recall(const char *results, struct recalled *recalled, struct report *report);
void recalled_end(struct recalled *recalled);

/* Writes the manifest of an open folder RESULTS after a merge: its own sessions and those of its
 * shards by their starts. `finished`: when the last run ended, if all have their row; else NULL.
 * False with errno. */
bool shard_manifest_merge(const struct folder *folder, const struct recalled *recalled,
                          const struct shard_folders *shards, const char *finished);
