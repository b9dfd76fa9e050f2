/* rounds.csv: what each round of a search that deepens counted.
 *
 * It is next to runs.csv if the experiment asks for it (`rounds: true`). The rows of a run
 * are written before its row of runs.csv, so that no row is without them; rows of a run that has
 * none, as a call was killed between the two, are taken out by the next call. */
#ifndef RESULTS_ROUNDS_H
#define RESULTS_ROUNDS_H

#include "harness/results/columns.h"
#include "harness/results/folder.h"
#include "harness/results/record.h"

#define ROUNDS_FILE "rounds.csv"

enum { ROUND_COLUMNS = 5 };
extern const struct column round_columns[ROUND_COLUMNS];

/* Appends a result's rounds to the folder's rounds.csv, which is made when it is missing. False
 * when they cannot be kept: the reason, a static text, is in *why, and nothing of them stays. */
bool rounds_add(const char *folder, const char *run_id, const struct result *result,
                const char **why);

/* Renames the folder's rounds.csv, where there is one, as rows that are set aside (folder.h). False
 * when it cannot be; that has been said. */
bool rounds_set_aside(const struct folder *folder);

/* A run that has a row. */
struct rounds_run {
    char id[RUN_ID_BYTES];
    bool deepens;    /* it had several rounds */
    bool has_rounds; /* filled in */
};

/* Takes rows of other runs than these (ascending by id) out of the folder's rounds.csv, and says
 * so. A file that is not ours is left alone, and refused where rounds are `wanted`. Anything but
 * ENDING_DONE has been said. */
enum ending rounds_keep(const struct folder *folder, struct rounds_run *runs, size_t count,
                        bool wanted);

#endif
