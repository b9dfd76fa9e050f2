/* messages.csv: why rows crashed, are wrong or contradict another.
 *
 * It stands beside runs.csv, with a row for each such message: run_id, finished_at, status,
 * message (harness/results/side_table.h). */
#ifndef RESULTS_MESSAGES_H
#define RESULTS_MESSAGES_H

#include "harness/results/columns.h"

#define MESSAGES_FILE "messages.csv"

enum { MESSAGE_COLUMNS = 4 };
extern const struct column message_columns[MESSAGE_COLUMNS];

/* Appends a message to the folder's messages.csv, which is made when it is missing; line ends in
 * the message become spaces. False when it cannot be kept: the reason, a static text, is in *why.
 * What stands in a file that is not ours is left alone. */
bool messages_add(const char *folder, const char *run_id, const char *finished_at,
                  const char *status, const char *message, const char **why);

#endif
