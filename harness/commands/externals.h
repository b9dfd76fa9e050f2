/* Experiments that run programs of somebody's own: said before they do. */
#ifndef COMMANDS_EXTERNALS_H
#define COMMANDS_EXTERNALS_H

#include "harness/experiment/experiment.h"
#include <jansson.h>

/* What the external solvers of an experiment run: a line of warning, then each command as a person
 * would type it, with its files and their hashes if `files`, a line each. Printable; heap memory;
 * NULL where the experiment has no external solver. */
char *externals_text(const struct experiment *experiment, bool files);

#endif
