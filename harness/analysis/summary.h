/* Each solver on its own in one block: how many runs ended how, and averages over what it solved.
 *
 * Runs and statuses count rows. Means are over the instances that the solver solved, each once (see
 * results.h): a run that hit a limit is counted, never averaged. As unsolved instances are the
 * harder ones, such means flatter the solver; the medians over all instances that it tried, in
 * which an unsolved one is more than any cost, do not. A board that cannot be solved is not among
 * them: a solver that says so has answered. The effective branching factor is that of each instance
 * at its optimal length, where that is known and not 0. */
#pragma once

#include "harness/analysis/results.h"
#include "harness/analysis/statistics.h"

struct solver_summary {
    size_t runs, solved;                /* rows; solved and verified */
    size_t unverified;                  /* rows: solved by their own account alone */
    size_t drifted;                     /* rows: with times beside control runs that drifted */
    size_t impossible;                  /* rows: with counters that no search can count */
    size_t unsolved;                    /* rows: neither solved nor rightly called unsolvable */
    size_t by_status[STATUSES];         /* rows; STATUS_solved: unverified ones too */
    size_t instances, instances_solved; /* tried, and solved in all repetitions */
    size_t solvable;                    /* tried, and can be solved */
    struct spread value[METRICS];       /* over the solved instances; of metrics of some algorithms
                                           alone, over those that have a value; none where a solved
                                           one lacks another metric */
    double median_all[METRICS];    /* over the solvable ones, unsolved being INFINITY; NaN where a
                                      solved    one has no value */
    struct spread branching;       /* b* of each solved instance that has one */
    struct spread stretch;         /* length over optimal length, where that is known and not 0 */
    struct spread h_start;         /* none where a solved one does not say its own */
    double max_stored, peak_bytes; /* the most over all runs, solved or not */
};

struct summary {
    const struct block *block;
    struct solver_summary *solvers; /* by number of solver */
    size_t count;
};

struct summary summary_of(const struct results *results, const struct block *block);

/* For people: the spread of one metric over the solved instances, one row a solver. */
struct tidy summary_spread(const struct summary *summary, const struct results *results,
                           enum metric metric);

/* Adds the rows of a block to the table for programs (table_start(TABLE_SUMMARY)). */
void summary_add(struct tidy *tidy, const struct summary *summary, const struct results *results);
void summary_end(struct summary *summary);
