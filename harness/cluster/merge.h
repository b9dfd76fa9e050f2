/* The rows of an experiment's shards brought into one runs.csv, in the order of the run matrix,
 * with their messages.csv, rounds.csv and incumbents.csv.
 *
 * A row that is not as tilelab wrote it, or of none of the experiment's runs, is refused with its
 * place; so are two rows of one run that contradict each other: a cell differs that every run must
 * repeat. Then nothing is written. How a run ends may depend on the machine where a row says
 * time_limit, cpu_limit or crashed; of such two, and of two that agree, the row counts whose run
 * started first: that does not depend on how either ended. Shards may be written meanwhile: whole
 * rows count. */
#pragma once

#include "harness/results/folder.h"
#include "harness/results/run_ids.h"
#include "harness/results/shard_folders.h"

struct merged {
    bool *have;    /* owned; by run number: it has a row now */
    size_t rows;   /* how many have */
    size_t again;  /* rows left out, as their runs are to be made again (status.def) */
    size_t twice;  /* rows left out, as another of the same run started first */
    char **unlike; /* owned; what is to be said of rows that differ by their machines alone */
    size_t unlike_count;
    char *problems; /* owned; why it was refused, a line each; or NULL */
    char last[32];  /* the last finished_at; "" without rows */
};

/* Merges the rows of an open folder and of its shards into its files. What is wrong is shown on the
 * folder's display. Call merged_end in any case. */
enum ending merge_rows(struct folder *folder, const struct run_ids *ids,
                       const struct shard_folders *shards, struct merged *merged);

void merged_end(struct merged *merged);
