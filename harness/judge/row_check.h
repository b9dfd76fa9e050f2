/* An existing row checked against itself and against the run that it claims to be of. */
#pragma once

#include "harness/results/others.h"
#include "harness/results/run_ids.h"

struct row_check {
    const struct run_ids *ids;
    char ***solver_cells; /* owned; by solver: what its rows hold; made when first needed */
};

/* The runs must outlive it; row_check_end. */
struct row_check row_check_start(const struct run_ids *ids);

/* Writes the number of the row's run, or RUN_UNKNOWN, to *number. Returns what is wrong in a row
 * whose boards were read, in heap memory: its hashes do not fit its cells, a cell contradicts the
 * experiment, or its answer cannot be right (the path is replayed). NULL: nothing is. */
char *row_check(struct row_check *check, const struct row *row, ptrdiff_t *number);

void row_check_end(struct row_check *check);

/* Marks in `done` (one flag for each run) the runs that have a row in a folder's runs.csv which a
 * merge would take; reads without a lock. Adds the rows of other runs, which a merge would refuse,
 * to `others` (NULL: to nothing; and only runs whose ids are made are looked for). Returns how many
 * were not marked yet. */
size_t row_check_mark(const char *folder, const struct run_ids *ids, bool *done,
                      struct others *others);
