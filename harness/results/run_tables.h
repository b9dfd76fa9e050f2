/* Tables beside runs.csv that have rows of a run: rounds.csv, what each round of a search that
 * deepens counted, where the experiment asks for it (`rounds: true`); incumbents.csv, the solutions
 * that a search improved.
 *
 * The rows of a run are written before its row of runs.csv, so that no row is without them; rows of
 * a run that has none, as a call was killed between the two, are taken out by the next call. */
#pragma once

#include "harness/results/folder.h"
#include "harness/results/record.h"

#define ROUNDS_FILE     "rounds.csv"
#define INCUMBENTS_FILE "incumbents.csv"

/* Which tables these are, ended by TABLES. */
extern const enum table run_tables[];

/* Whether a result has rows in a table. */
bool run_table_has(enum table table, const struct result *result);

/* Appends a result's rows to the folder's table, which is made when it is missing. False when they
 * cannot be kept: the reason, a static text, is in *why, and nothing of them stays. */
bool run_table_add(enum table table, const char *folder, const struct run *run,
                   const struct result *result, const char **why);

/* Renames the folder's tables and control.csv, where there are any, as rows that are set aside
 * (folder.h). False when it cannot be; that has been said. */
bool run_tables_set_aside(const struct folder *folder);

/* A run that has a row. */
struct table_run {
    char id[RUN_ID_BYTES];
    bool deepens;    /* it had several rounds */
    bool has_rounds; /* in the table; filled in */
};

/* Takes rows of other runs than these (ascending by id) out of the folder's table, and says so. A
 * file that is not ours is left alone, and refused where the table is `wanted`. Anything but
 * ENDING_DONE has been said. */
enum ending run_table_keep(enum table table, const struct folder *folder, struct table_run *runs,
                           size_t count, bool wanted);
