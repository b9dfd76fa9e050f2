/* Which interpreters run the external solvers of an experiment, and which versions those are. */
#pragma once

#include "harness/experiment/experiment.h"

/* Asks the programs that the PATH finds for the commands of external solvers, and those that the
 * first lines (#!) of their scripts name, for --version: {"python3": {"path":
 * "/usr/bin/python3.11", "version": "Python 3.11.2"}}. The path is that of the file which runs in
 * the end, after links and shims; the version is the first line that it prints. Each is null where
 * it is not known. Likewise, by its words, its folder and whether it is isolated, each command that
 * prints the version of a solver, which `version` of the struct external then holds: there the
 * first line is that which is not empty. Each has five seconds, and ends then. A new reference. */
json_t *interpreters_json(const struct experiment *experiment);
