/* What running an experiment means, what it is expected to take, and the most that it can (tilelab
 * plan). */
#pragma once

#include "harness/execution/forecast.h"
#include "harness/execution/tables.h"

/* The instances of one set, which stand together in the experiment. */
struct set_summary {
    const char *name;
    char *shapes; /* owned; "3x3, 4x4" */
    size_t instances;
    size_t known; /* how many optimal lengths are known */
    int min, max;
};

struct plan {
    const struct experiment *experiment;
    struct set_summary *sets; /* owned; in order */
    size_t set_count;
    struct tables_needed tables;
    /* At worst: */
    unsigned jobs;
    unsigned at_once; /* of the jobs, if all have the most threads */
    double seconds;
    bool starts;        /* of persistent programs are part of these */
    double cpu_seconds; /* of all runs together; 0: some run has no limit of it */
    uint64_t bytes;
    struct forecast forecast;
};

/* The experiment must outlive it; plan_end. */
struct plan plan_make(const struct experiment *experiment);
void plan_end(struct plan *plan);

/* Prints sets, solvers, runs and what they take at worst; `externals`: what is said of external
 * solvers, or NULL. */
void plan_print(FILE *file, const struct plan *plan, const char *externals);

/* Prints what each of `count` shards would have to do. */
void plan_print_shards(FILE *file, const struct plan *plan, unsigned count);

/* Prints one line for each run in the order in which they are started, its fields separated by
 * tabs. */
void plan_print_runs(FILE *file, const struct experiment *experiment);

/* A new reference; with the runs and a division into shards (0: none) if wanted. */
json_t *plan_json(const struct plan *plan, bool runs, unsigned shards);
