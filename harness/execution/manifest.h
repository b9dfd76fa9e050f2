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
    const char *ended; /* how: "done", "interrupted" or "failed"; NULL as long as it runs. One that
                          never said is "killed" for the next */
    size_t rows;
    double seconds;
    double overhead_seconds;   /* of the harness around a search, the median; negative: not known */
    const struct noise *noise; /* NULL as long as it runs */
    bool complete;             /* every run of the experiment has its row */
};

/* Looks at the manifest that a folder has already, before anything is run: one that cannot be read,
 * or is none of ours, is set aside (manifest.json.1), and that is said on the folder's display.
 * False, with a message, when it can be neither used nor set aside. */
bool manifest_prepare(const struct folder *folder);

/* Of an experiment whose rows are all there: writes how they are compared, where the file now says
 * it otherwise (baseline, pairs, labels), and when it was finished, where the manifest does not say
 * so: its last call was killed too early. False with errno. */
bool manifest_finish(const struct folder *folder, const struct experiment *experiment);

/* Writes the manifest of an experiment into its folder, with the sessions before this one that it
 * holds already. False with errno. */
bool manifest_write(const struct folder *folder, const struct experiment *experiment,
                    const struct session *session);

#endif
