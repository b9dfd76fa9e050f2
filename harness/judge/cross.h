/* Rows compared with each other: what no single row shows.
 *
 * Where no optimum is known (otherwise verdict.h judges), the judge is the shortest path that was
 * replayed, whichever solver found it: it refutes any that called a longer path shortest, or within
 * a factor of that, and every heuristic called admissible that is above it. No claim speaks against
 * a path. A path may come after the row that it refutes; that row is then marked (refuted.h), so
 * that the order of rows decides nothing. And all repetitions of a run have the same counters: but
 * not external solvers: such a program may choose at random or count what the system gives it, and
 * its repetitions show how far they differ. Memory: a few bytes for each instance and, if there are
 * repetitions, for each pair of instance and solver; it does not grow with the rows. */
#pragma once

#include "harness/results/run_ids.h"

struct cross;

/* Starts with no row seen of an experiment's runs, which must outlive it; heap memory, cross_end.
 */
struct cross *cross_start(const struct run_ids *runs);

/* Takes a verified row in, a wrong answer too: the run ended with `result`. Where it contradicts an
 * earlier row, returns what is wrong, naming the other row, in heap memory; else NULL. A length or
 * a heuristic that cannot be right turns result->status into wrong_answer; counters that differ
 * between repetitions do not, since the answer may still be right. */
char *cross_check(struct cross *cross, const struct run *run, struct result *result);

/* Why a row, taken in before or not, cannot be right given the paths that were taken in; heap
 * memory, NULL: nothing speaks against it, or it is a wrong answer already. */
char *cross_refuted(const struct cross *cross, const struct run *run, const struct result *result);

/* Whether a later row refuted one that was taken in as right. */
bool cross_has_refuted(const struct cross *cross);

void cross_end(struct cross *cross);
