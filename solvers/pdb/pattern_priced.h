/* Building priced pattern databases: an algorithm of Dijkstra's from the goal over the placements
 * of a pattern and the regions that may hold the blank (pdb/pattern_build.h). A few seconds for
 * five tiles of the 15-puzzle. */
#pragma once

#include "pdb/pattern_build.h"

/* As pattern_build, of a priced pattern: pattern_bytes() bytes, the values of which are 0 for
 * placements that cannot be brought home. */
uint8_t *pattern_priced_build(const struct pattern *pattern, pattern_progress *progress,
                              void *context, const char **problem);
