/* From a claim to a fact: the one place that may call a run solved. */
#ifndef RESULTS_VERDICT_H
#define RESULTS_VERDICT_H

#include "algorithms/solver.h"
#include "instances/instance.h"

/* Replays the path of a result that claims to be solved, and holds every claim against what is
 * known of the instance. Where the claim does not stand, sets result->status to wrong_answer and
 * returns why, in heap memory; else returns NULL. */
char *verify_result(const struct solver *solver, const struct instance *instance,
                    struct result *result);

#endif
