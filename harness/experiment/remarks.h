/* What is to be known of an experiment before it runs. */
#pragma once

#include "harness/experiment/experiment.h"

/* Which commands its external solvers are, a line each, and with `files` their files, too: an
 * experiment file is a program then. Printable; heap memory; NULL: it has none. */
char *externals_text(const struct experiment *experiment, bool files);

/* Which boards cannot be solved for their goal, a line for each of the first; and which solvers
 * count moves where these cost different amounts. Heap memory; "": nothing is to be said. */
char *remarks_text(const struct experiment *experiment);
