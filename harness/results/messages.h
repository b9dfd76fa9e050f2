/* messages.csv: why rows crashed, are wrong or contradict another.
 *
 * It is next to runs.csv and has a row for each such message: run_id, finished_at, status,
 * message (harness/results/side_table.h). */
#pragma once

#include "harness/results/columns.h"

#define MESSAGES_FILE "messages.csv"

/* Appends a message to the folder's messages.csv, which is created if it is missing; line ends in
 * the message become spaces. False if it cannot be written, with the reason, a static text, in
 * *why. A file that is not ours is left alone. */
bool messages_add(const char *folder, const char *run_id, const char *finished_at,
                  const char *status, const char *message, const char **why);

/* Shows each message of the folder's messages.csv, in the file's order; none where there is no such
 * file. Of a file that is not as tilelab writes it, the rows that can be read. */
void messages_each(const char *folder,
                   void (*show)(void *context, const char *run_id, const char *finished_at,
                                const char *status, const char *message),
                   void *context);
