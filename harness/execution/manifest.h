/* manifest.json: what ran where, when and how. */
#pragma once

#include "harness/execution/noise.h"
#include "harness/experiment/shards.h"
#include "harness/results/folder.h"

/* One call of `tilelab run` that made runs; an experiment that was resumed has several. */
struct session_record {
    char started[32], finished[32]; /* in the form of record_time; finished is "" while it runs */
    struct shard shard;             /* that the call is of; count 0: of none */
    size_t runs;                    /* that the call is about, with and without rows */
    unsigned jobs;
    const unsigned *processors; /* that its workers are pinned to, one for each thread of each job;
                                   NULL: not pinned */
    json_t *events;             /* owned; what is measured: events_json; NULL: nothing */
    json_t *interpreters;       /* owned; interpreters.h; NULL: none */
    const char *ended; /* how: "done", "interrupted" or "failed"; NULL while it runs. The next
                          session calls one without an end "killed" */
    size_t rows;
    double seconds;
    double overhead_seconds;   /* of the harness around a search, the median; negative: not known */
    const struct noise *noise; /* NULL as long as it runs */
    bool complete;             /* every run of the experiment has its row */
};

/* Before anything is run: sets the manifest of a folder aside (manifest.json.1) if it cannot be
 * used for the reason `why` (taken; NULL: it can), which is reported on the folder's display.
 * False, with a message, if it cannot be set aside. */
bool manifest_prepare(const struct folder *folder, char *why);

/* For an experiment that has all of its rows, made between `first` and `last` (NULL: some are
 * missing): writes what has changed in what is known of it, or all of it where there is no
 * manifest. False with errno. */
bool manifest_finish(const struct folder *folder, const struct experiment *experiment,
                     const char *first, const char *last);

/* Before rows are replaced: has the folder's manifest, if any, fit the row of this line (of
 * runs.csv), too. False with errno. */
bool manifest_expect(const struct folder *folder, const char *line);

/* Writes the manifest of an experiment into its folder, keeping the earlier sessions that it holds.
 * False with errno. */
bool manifest_write(const struct folder *folder, const struct experiment *experiment,
                    const struct session_record *session);

/* The manifest of a folder. NULL if it has none (*why is then NULL) or if it cannot be used (*why
 * then says why, in heap memory). */
json_t *manifest_read(const char *folder, char **why);

/* The same, and NULL if it is not of the rows and the experiment.yaml beside it. */
json_t *manifest_of(const char *folder, char **why);

/* Whether a manifest is of what lies in a folder: it has the hashes of some of the rows, and, as
 * long as there are none, that of experiment.yaml, or of the experiment at hand (may be NULL). */
bool manifest_fits(const json_t *manifest, const char *folder, const struct experiment *experiment);

/* What a manifest says of the experiment itself; takes the reference to `sessions`. */
json_t *manifest_json(const struct experiment *experiment, json_t *sessions);

/* Writes a manifest into its folder, whole or not at all; takes the reference. False with errno. */
bool manifest_replace(const struct folder *folder, json_t *manifest);
