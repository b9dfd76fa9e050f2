/* Each solver by itself: how many runs ended how, and averages over what it solved.
 *
 * Runs and statuses count rows. Averages are over the instances the solver solved, each once (see
 * results.h): a run that hit a limit is counted, never averaged. As unsolved instances are the
 * harder ones, such averages flatter the solver, and the printed table says so. A board that cannot
 * be solved is none of them: who says so has answered. The effective branching factor is that of
 * each instance at its optimal length, where that is known and not 0. */
#ifndef HARNESS_ANALYSIS_SUMMARY_H
#define HARNESS_ANALYSIS_SUMMARY_H

#include "harness/analysis/results.h"
#include "harness/text/tidy.h"
#include <stdio.h>

struct averages {
    double median, mean;
};

struct solver_summary {
    size_t runs, solved;                /* rows; solved and verified */
    size_t unverified;                  /* rows: solved by their own account alone */
    size_t unsolved;                    /* rows: neither solved nor rightly called unsolvable */
    size_t by_status[STATUSES];         /* rows; STATUS_solved: unverified ones too */
    size_t instances, instances_solved; /* attempted and solved at least once */
    struct averages value[METRICS];     /* over the solved instances that have a value */
    struct averages branching;          /* b* of each instance */
    size_t branching_instances;         /* that have a b* */
    double max_stored, peak_bytes;      /* the most over all runs, solved or not */
};

struct summary {
    struct solver_summary *solvers; /* by number of solver */
    size_t count;
};

struct summary summary_of(const struct results *results);
void summary_print(const struct summary *summary, const struct results *results, FILE *file);

/* The table for programs; without results (NULL) its columns alone. */
struct tidy summary_tidy(const struct summary *summary, const struct results *results);
void summary_end(struct summary *summary);

#endif
