/* How much processor time a solver's runs are expected to take: at most about as much as its last
 * ones. (Wall time would say how busy the machine is.)
 *
 * A longer run counts at once, a shorter one little by little: a solver whose runs are now short,
 * now long is expected to be slow. */
#pragma once

#include "harness/results/run.h"

struct pace {
    double *seconds; /* owned; by solver number; negative: it made no run yet */
};

/* Starts with no runs of `solvers` solvers; free with pace_end. */
void pace_start(struct pace *pace, size_t solvers);

/* Takes in what a run took, in seconds. */
void pace_note(struct pace *pace, const struct run *run, double seconds);

/* What a run is expected to take, in seconds; INFINITY if nothing is known. */
double pace_of(const struct pace *pace, const struct run *run);

void pace_end(struct pace *pace);
