/* Searches that shards share (split in the experiment): the folder RESULTS/parts/MATRIX, with a
 * folder for each run that is under way or done, in which all shards count parts of its large
 * rounds (search/task.h: split). MATRIX is the hash of all runs and their build (run_ids_hash).
 *
 * A run's row is in one shard as ever. A shard that has given out its own runs joins the runs of
 * the others, one after the other, without rows. Whatever parts/ has may be lost: it is counted
 * again. */
#pragma once

#include "harness/execution/queue.h"

/* The path of that folder, and of a run's in it; heap memory. */
char *sharing_place(const char *results, const struct run_ids *ids);
char *sharing_folder(const char *place, const char *run_id);

/* Notes that a run has its row, so that nobody joins it any more; and whether that was noted. */
void sharing_note_done(const char *place, const struct run *run);
bool sharing_is_done(const char *place, const char *run_id);

/* Gives the queue the runs of other shards that its session may join: of these `count`, which it
 * takes, those that can be shared and are not done. */
void sharing_find(const char *place, struct queue *queue, uint32_t *others, size_t count);

/* Removes that folder, and parts/ if it is then empty: every run has its row. Who has joined one of
 * them then stops. */
void sharing_tidy(const char *place);
