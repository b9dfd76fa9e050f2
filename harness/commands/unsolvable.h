/* Boards of an experiment that cannot reach their goal, named before the runs start. */
#ifndef COMMANDS_UNSOLVABLE_H
#define COMMANDS_UNSOLVABLE_H

#include "harness/experiment/experiment.h"

/* Reports on standard error which boards cannot reach their goal: their runs will end as
 * `unsolvable`. */
void say_unsolvable(const struct experiment *experiment);

#endif
