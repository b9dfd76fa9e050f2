/* What heuristics need before a search and may take long to build: pattern databases.
 *
 * They are built before any clock runs, with a bar on a terminal and a line for each, and stay in
 * the process, so that workers forked later share them. Ctrl-C stops a build; what was built before
 * is kept. */
#pragma once

#include "harness/experiment/experiment.h"
#include "harness/results/folder.h"
#include "harness/text/terminal.h"
#include "pdb/pattern_store.h"

/* Shows progress while tables are built. Zeroed at the start, except `quiet` and `folder`. */
struct table_watch {
    struct terminal terminal;
    const struct pattern *pattern; /* what is being built; NULL before the first */
    const struct folder *folder;   /* gets signs of life (results/folder.h), or NULL */
    double beaten;                 /* on clock_wall(): the last of them */
    bool quiet;                    /* no bar, and no line for what was built */
    bool stopped;                  /* by Ctrl-C */
};

/* The watcher for such a build. From now on until table_watch_end, an interrupt stops the build. */
struct pattern_watcher table_watch_start(struct table_watch *watch);
void table_watch_end(struct table_watch *watch);

/* Prepares what the heuristic needs for the goal; a kind of NULL needs nothing. Says on standard
 * error what was built, unless `quiet`, and what failed. */
enum ending tables_build(const struct heuristic_choice *choice, const struct board *goal,
                         enum cost_model cost, bool quiet);

/* Prepares what a solver needs for an instance, that is, for the goal and, if it searches from both
 * ends, for the start. */
enum ending tables_build_for(const struct solver *solver, const struct instance *instance,
                             bool quiet);

/* The same for all solvers and instances of an experiment. A build may take minutes: meanwhile
 * `folder`, where the runs go, gets signs of life; or NULL. */
enum ending tables_build_all(const struct experiment *experiment, bool quiet,
                             const struct folder *folder);

/* The pattern databases that an experiment needs, each once. */
struct tables_needed {
    struct pattern *patterns; /* owned, canonical */
    size_t count;
    uint64_t bytes;
};
struct tables_needed tables_needed_by(const struct experiment *experiment);
