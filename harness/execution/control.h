/* Control runs: the same search on the same board again and again among an experiment's runs, so
 * that a machine that becomes slower shows (control.csv, analysis/drift.h).
 *
 * The solver is the baseline; where none is named, the first one; where that is a program, whose
 * run nothing bounds, idastar(manhattan). The board is, of the experiment's largest ones that can
 * be solved, the one with the largest Manhattan distance, the first of several. The run ends after
 * CONTROL_NODES generated nodes at the latest, so that it is long enough to be measured and cheap,
 * and does the same on every machine. All of this follows from the experiment alone. */
#pragma once

#include "harness/experiment/experiment.h"
#include "harness/results/run.h"

enum { CONTROL_NODES = 2000000 };

struct control {
    unsigned every; /* runs of a worker between two control runs; 0: there are none */
    struct run run;
    struct solver own; /* idastar(manhattan), where no other will do */
    char *text;        /* owned; its text; NULL: not used */
};

/* Prepares the control runs that an experiment asks for, which must outlive them. The struct must
 * stay where it is. Free with control_end. */
void control_start(struct control *control, const struct experiment *experiment);

void control_end(struct control *control);
