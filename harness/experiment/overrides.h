/* `--set KEY=VALUE`: keys of an experiment that the command line puts in place of the file's.
 *
 * KEY is the way to the value: names of keys, and numbers of items from 1, with dots between:
 * limits.time, instances.2.count. VALUE is YAML, as it would stand in the file. What is not there
 * is added. */
#ifndef EXPERIMENT_OVERRIDES_H
#define EXPERIMENT_OVERRIDES_H

#include "base/report.h"
#include "harness/experiment/yaml.h"
#include <argp.h>

struct overrides {
    const char **texts; /* owned, not what it points to: KEY=VALUE, in the order they were given */
    size_t count;
};

/* The option, for the `children` of a command's parser; its input is a struct overrides. */
extern const struct argp overrides_parser;

/* Puts every value in its place. Nodes of override i have the line OVERRIDE_LINES + i, which no
 * file reaches, so that problems can be told of the command line instead of the file. */
enum { OVERRIDE_LINES = 1 << 28 };
void overrides_apply(const struct overrides *overrides, struct yaml *yaml, struct report *report);

void overrides_end(struct overrides *overrides);

#endif
