/* From a claim to a fact: the one place that may call a run solved. */
#ifndef RESULTS_VERDICT_H
#define RESULTS_VERDICT_H

#include "harness/results/run.h"

/* Replays the path of a result that claims to be solved, and holds every claim against what is
 * known of the run's instance. If the claim is wrong, sets result->status to wrong_answer and
 * returns why, in heap memory; else returns NULL. */
char *verify_result(const struct run *run, struct result *result);

/* Holds every cell of a result that another process claims against the others, against the limits
 * of the run, and against the seconds since it was requested: counters, times, h_start and the
 * status's own condition (a limit of nodes is met to the node). If a claim is impossible, none is
 * believed: status, counters, times and h_start become those of a wrong answer without figures, and
 * the reason is returned, in heap memory; else NULL. verify_result checks the path. */
char *verify_cells(const struct run *run, double elapsed_seconds, struct result *result);

#endif
