/* `--set KEY=VALUE` and `--quick`: values of an experiment that the command line replaces.
 *
 * KEY is the path to the value: names of keys, and numbers of items from 1, separated by dots:
 * limits.time, instances.2.count. VALUE is YAML, as in the file. A key that is missing is added.
 * --quick does so with the keys and values that the file has under `quick`, before any --set. */
#pragma once

#include "harness/experiment/yaml.h"

struct overrides {
    const char **texts; /* owned, not what it points to: KEY=VALUE, in the order they were given */
    size_t count;
    bool quick;
};

/* Adds KEY=VALUE; false where the text is something else. */
bool overrides_add(struct overrides *overrides, const char *text);

/* Applies every override; a file without `quick` that is to be quick is a problem. Nodes of
 * override i have the line OVERRIDE_LINES + i, which no file reaches, so that problems are reported
 * for the command line instead of the file. */
enum { OVERRIDE_LINES = 1 << 28 };
void overrides_apply(const struct overrides *overrides, struct yaml *yaml, struct report *report);

void overrides_end(struct overrides *overrides);
