/* From a claim to a fact: the one place that may call a run solved. */
#ifndef RESULTS_VERDICT_H
#define RESULTS_VERDICT_H

#include "harness/results/run.h"

/* Replays the path of a result that claims to be solved, and holds every claim against what is
 * known of the run's instance. Where the claim does not stand, sets result->status to wrong_answer
 * and returns why, in heap memory; else returns NULL. */
char *verify_result(const struct run *run, struct result *result);

/* Holds every cell of a result that another process claims against the others, against the limits
 * that it ran in, and against the seconds since it was asked for: counters, times, h_start and the
 * status's own condition (a limit of nodes is met to the node). What cannot be is believed in
 * nothing: status, counters, times and h_start are then those of a wrong answer that says no more,
 * and why is returned, in heap memory; else NULL. The path is verify_result's matter. */
char *verify_cells(const struct run *run, double elapsed_seconds, struct result *result);

#endif
