/* Boards of an experiment that cannot reach their goal, named before anyone waits for their answer.
 */
#ifndef COMMANDS_UNSOLVABLE_H
#define COMMANDS_UNSOLVABLE_H

#include "harness/experiment/experiment.h"

/* Says on standard error which boards cannot reach their goal: their runs will say `unsolvable`. */
void say_unsolvable(const struct experiment *experiment);

#endif
