/* Each solver by itself: how many runs ended how, and averages over what it solved.
 *
 * Runs and statuses count rows. Averages are over the instances the solver solved, each once (see
 * results.h): a run that hit a limit is counted, never averaged. As unsolved instances are the
 * harder ones, such averages flatter the solver, and the printed table says so. */
#ifndef HARNESS_ANALYSIS_SUMMARY_H
#define HARNESS_ANALYSIS_SUMMARY_H

#include "harness/analysis/results.h"
#include "harness/text/tidy.h"
#include <stdio.h>

struct averages {
    double median, mean;
};

struct solver_summary {
    size_t runs, solved;                /* rows */
    size_t instances, instances_solved; /* attempted and solved at least once */
    size_t *by_status;                  /* rows by number of status */
    struct averages value[METRICS];
    struct averages branching; /* b* of each instance, at the length of its solution */
    double peak_bytes;         /* the most over all runs, solved or not */
};

struct summary {
    struct solver_summary *solvers; /* by number of solver */
    size_t count;
};

struct summary summary_of(const struct results *results);
void summary_print(const struct summary *summary, const struct results *results, FILE *file);
struct tidy summary_tidy(const struct summary *summary, const struct results *results);
void summary_end(struct summary *summary);

#endif
