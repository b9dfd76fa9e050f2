/* manifest.json: who ran what, where, when and how. */
#ifndef EXECUTION_MANIFEST_H
#define EXECUTION_MANIFEST_H

#include "harness/execution/noise.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/shards.h"
#include "harness/results/folder.h"
#include <jansson.h>

/* One call of `tilelab run` that made runs; an experiment that was resumed has several. */
struct session {
    char started[32], finished[32]; /* in the form of record_time; finished is "" while it runs */
    struct shard shard;             /* that the call is of; count 0: of none */
    size_t runs;                    /* that the call is about, with and without rows */
    unsigned jobs;
    const unsigned *processors; /* that its workers are pinned to, one for each thread of each job;
                                   NULL: not pinned */
    json_t *interpreters;       /* owned; interpreters.h; NULL: none */
    const char *ended; /* how: "done", "interrupted" or "failed"; NULL while it runs. The next
                          session calls one without an end "killed" */
    size_t rows;
    double seconds;
    double overhead_seconds;   /* of the harness around a search, the median; negative: not known */
    const struct noise *noise; /* NULL as long as it runs */
    bool complete;             /* every run of the experiment has its row */
};

/* Checks the manifest that a folder already has, before anything is run: if it cannot be read or is
 * not ours, it is set aside (manifest.json.1), which is reported on the folder's display. False,
 * with a message, if it can be neither used nor set aside. */
bool manifest_prepare(const struct folder *folder);

/* For an experiment that has all of its rows: writes how they are compared, if the file has changed
 * that (baseline, pairs, labels), and when it was finished, if the manifest does not say so because
 * the last call was killed too early. False with errno. */
bool manifest_finish(const struct folder *folder, const struct experiment *experiment);

/* Writes the manifest of an experiment into its folder, keeping the earlier sessions that it holds.
 * False with errno. */
bool manifest_write(const struct folder *folder, const struct experiment *experiment,
                    const struct session *session);

/* The manifest of a folder. NULL if it has none (*why is then NULL) or if it cannot be used (*why
 * then says why, in heap memory). */
json_t *manifest_read(const char *folder, char **why);

/* What a manifest says of the experiment itself; takes the reference to `sessions`. */
json_t *manifest_json(const struct experiment *experiment, json_t *sessions);

/* Writes a manifest into its folder, whole or not at all; takes the reference. False with errno. */
bool manifest_replace(const struct folder *folder, json_t *manifest);

#endif
