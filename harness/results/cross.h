/* Rows held against each other: what no single row shows.
 *
 * Two solvers that both promise a shortest path must find the same length on an instance; nobody
 * finds a shorter one than they do; an admissible heuristic is never above a path that somebody
 * found; and all repetitions of a run have the same counters. The last is not asked of external
 * solvers: a program of one's own may choose at random or count what the system gives it, and its
 * repetitions show how far they differ. Memory: a few bytes for each instance
 * and, if there are repetitions, for each pair of instance and solver; it does not grow with the
 * rows. */
#ifndef RESULTS_CROSS_H
#define RESULTS_CROSS_H

#include "harness/results/run_ids.h"

struct cross;

/* Starts with no row seen of an experiment's runs, which must outlive it; heap memory, cross_end.
 */
struct cross *cross_start(const struct run_ids *runs);

/* Takes a verified row in: the run ended with `result`. Where it contradicts an earlier row,
 * returns what is wrong, naming the other row, in heap memory; else NULL. A length or a heuristic
 * that cannot be right turns result->status into wrong_answer; counters that differ between
 * repetitions do not, since the answer may still be right. */
char *cross_check(struct cross *cross, const struct run *run, struct result *result);

void cross_end(struct cross *cross);

#endif
