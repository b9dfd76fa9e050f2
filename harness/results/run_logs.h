/* RESULTS/logs/RUN_ID.log.gz: what the programs printed in their runs (external/output_log.h), for
 * the solvers with logs: true. */
#ifndef RESULTS_RUN_LOGS_H
#define RESULTS_RUN_LOGS_H

#include "harness/results/folder.h"

/* Writes the log of a run, whole or not at all, in the place of an earlier one. False with errno.
 */
bool run_log_write(const char *folder, const char *id, const char *log, size_t length);

/* Sets the logs of an open folder aside, if there are any. False after a message. */
bool run_logs_set_aside(const struct folder *folder);

#endif
