/* The folder checkpoints/ of a results folder: a file RUN_ID for each run under way that can go on
 * after a kill (search/task.h). A file outlives its run until the session that has the run's row
 * ends, or the next one begins: so a row that is lost with its machine does not cost the run. */
#pragma once

#include "harness/results/run_ids.h"

/* The path of a run's file; heap memory. */
char *checkpoint_path(const char *folder, const char *run_id);

/* Removes the files of runs that have their row (`done`, by number; NULL: all) or are none of
 * these, and the folder if it is then empty. */
void checkpoints_tidy(const char *folder, const struct run_ids *ids, const bool *done);

/* Makes the folder; false with errno. */
bool checkpoints_make(const char *folder);
