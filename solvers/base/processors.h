/* The processors that this process may run on: one rule for how many searches run at a time, what a
 * build spreads over and where workers are pinned. */
#pragma once

#include <stddef.h>

/* How many they are; at least 1. */
unsigned processors_count(void);

/* Their numbers, in heap memory: first one of each core, then those that share a core with one
 * before them. None where the system does not tell. */
unsigned *processors_list(size_t *count);
