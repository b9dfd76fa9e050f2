/* manifest.json: who ran what, where, when and how. */
#ifndef EXECUTION_MANIFEST_H
#define EXECUTION_MANIFEST_H

#include "harness/execution/noise.h"
#include "harness/experiment/experiment.h"
#include "harness/results/folder.h"

/* One call of `tilelab run` that made runs; an experiment that is gone on with has several. */
struct session {
    char started[32],
        finished[32]; /* in the form of record_time; finished is "" as long as it runs */
    unsigned jobs;
    const unsigned *processors; /* that its workers are pinned to, one a job; NULL: not pinned */
    size_t rows;
    double seconds;
    double overhead_seconds;   /* of the harness around a search, the median; negative: not known */
    const struct noise *noise; /* NULL as long as it runs */
    bool complete;             /* every run of the experiment has its row */
};

/* Writes the manifest of an experiment into its folder, with the sessions before this one that it
 * holds already. False with errno. */
bool manifest_write(const struct folder *folder, const struct experiment *experiment,
                    const struct session *session);

#endif
