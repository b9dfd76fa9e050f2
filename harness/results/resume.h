/* The rows that are there when an experiment is gone on with: each is read, held against its own
 * hashes and the experiment's run, and counted. */
#ifndef RESULTS_RESUME_H
#define RESULTS_RESUME_H

#include "harness/results/cross.h"
#include "harness/results/folder.h"
#include "harness/results/run_ids.h"

struct resumed {
    size_t solved;   /* rows of the experiment that say solved */
    size_t findings; /* rows of the experiment that crashed, are wrong or contradict another */
    char *others; /* owned; what rows of other runs were left in the file (others_text), or NULL */
};

/* Reads the rows of an open folder: marks in `done` (one flag for each run of the matrix) the runs
 * whose rows are there, takes them into `cross`, and takes out those whose runs are to be made
 * again (status.def). Rows that are none of the experiment's runs (another build, other limits, ..)
 * are refused unless `keep`; those that are not as tilelab wrote them are refused in any case, and
 * the file is left as it is. What was found is said on the folder's display. resumed_end is due. */
enum ending resume_rows(struct folder *folder, const struct run_ids *ids, bool keep, bool *done,
                        struct cross *cross, struct resumed *resumed);

void resumed_end(struct resumed *resumed);

#endif
