/* The rows of one or more runs.csv, reduced to what the analysis needs.
 *
 * Solvers, instances and statuses are numbered by first appearance. An instance is what (set,
 * instance, width, height, start, goal) names. Rows of several files are pooled; rows with the same
 * run_id are one run, of which the last row counts, except that `interrupted` replaces nothing.
 *
 * results_settle then reduces the repetitions of a solver on an instance to one outcome, so that
 * every (solver, instance) counts once: solved when a repetition was, each value the median over
 * the solved repetitions. (Counters do not differ between repetitions; where they do, results of
 * different builds or operator orders are pooled, and `disagreeing` says so.) An interrupted run
 * tells nothing about its solver: it is a run but no attempt. */
#ifndef HARNESS_ANALYSIS_RESULTS_H
#define HARNESS_ANALYSIS_RESULTS_H

#include "base/report.h"
#include "harness/analysis/names.h"
#include <stdbool.h>

struct run_ids;

enum metric { METRIC_EXPANDED, METRIC_GENERATED, METRIC_LENGTH, METRIC_WALL_S, METRICS };

/* The columns' names, by enum metric. */
extern const char *const metric_names[METRICS];

struct run_row {
    size_t solver, instance, status;
    bool solved, interrupted;
    double value[METRICS]; /* NaN where the cell is empty; never so when solved */
    double peak_bytes;     /* NaN where the cell is empty */
};

struct outcome {
    size_t attempts, solved; /* runs, without interrupted ones */
    double value[METRICS];   /* NaN while solved is 0 */
};

struct results {
    struct run_row *runs;
    size_t count;
    struct names solvers, instances, statuses;
    long *optimal;              /* by instance: the optimal length, -1 where unknown */
    long *width;                /* by instance: columns of its board */
    long *height;               /* by instance: rows of its board */
    const struct run_ids *only; /* rows of other runs are left out; NULL: none is */
    size_t left_out;            /* how many were */
    size_t repeated;            /* rows whose run_id was there already */
    size_t cut_files;           /* files whose last row was not whole and was left out */

    struct outcome *outcomes; /* by solver * instances.count + instance; from results_settle */
    size_t disagreeing;       /* outcomes whose solved runs differ in a counter */

    struct names run_ids; /* private; the number of a run_id is that of its run */
};

/* The CSV file that `path` means: runs.csv within a folder, or the file itself; and the folder it
 * lies in. To be freed. */
char *results_file(const char *path);
char *results_folder(const char *path);

/* Adds the rows of a file as results_file names it to zeroed or already filled results. Problems go
 * to the report, whose file should be that name; false when there were any. */
bool results_read(struct results *results, const char *file, struct report *report);

/* Computes the outcomes, once, after the last file. */
void results_settle(struct results *results);

/* Renumbers the solvers: those in `order` first, in that order, then the others as they were. Takes
 * `order`, all of whose texts must be solvers here. Before results_settle. */
void results_order_solvers(struct results *results, struct names *order);

const struct outcome *results_outcome(const struct results *results, size_t solver,
                                      size_t instance);

void results_end(struct results *results);

#endif
