/* A table next to runs.csv that rows are appended to: messages.csv, rounds.csv.
 *
 * Rows come with one write, to a file opened for appending; a torn last row is removed by the next
 * writer. The writer holds the folder's lock. A file that is not ours is left alone.
 */
#pragma once

#include "harness/results/columns.h"

/* Appends a row's line to a text in heap memory (*text may be NULL): one cell for each column.
 * Control characters in a cell become spaces. */
void side_table_row(char **text, enum table table, const char *const *cells);

/* Appends whole lines to the folder's table, which is made when it is missing. False when they
 * cannot be kept: the reason, a static text, is in *why, and nothing of them stays. */
bool side_table_append(const char *folder, enum table table, const char *lines, const char **why);

/* Waits until the folder's table is on the disk, if there is one. False with errno. */
bool side_table_sync(const char *folder, enum table table);

/* The table's path in the folder, and its header with its newline; heap memory. */
char *side_table_path(const char *folder, enum table table);
char *side_table_header(enum table table);
