/* RESULTS/logs/RUN_ID.log.gz: what the programs printed in their runs (external/output_log.h), for
 * the solvers with logs: true. */
#pragma once

#include "harness/results/folder.h"

/* Writes the log of a run, whole or not at all, in the place of an earlier one. False with errno.
 */
bool run_log_write(const char *folder, const char *id, const char *log, size_t length);

/* The log of a run as it was written, its length in *length; also one in the folder of a shard.
 * Heap memory; NULL: there is none that can be read. */
char *run_log_read(const char *folder, const char *id, size_t *length);

/* Removes the log of a run from the folder, if it is there. */
void run_log_remove(const char *folder, const char *id);

/* Sets the logs of an open folder aside, if there are any. False after a message. */
bool run_logs_set_aside(const struct folder *folder);
