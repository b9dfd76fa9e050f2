/* Building pattern databases: one breadth-first search from the goal over the placements of a
 * pattern.
 *
 * A state is a placement and the region of free cells that holds the blank; only moves of the
 * pattern's tiles count. The value of a placement is the minimum over its regions (Felner, Korf and
 * Hanan, "Additive pattern database heuristics", JAIR 22, 2004, section 4). The search covers all
 * states; only the finished table leaves out the regions, so each value is exact. A zero-aware
 * table keeps them. That of walking distance is made by another search (pdb/arrangements.h). */
#pragma once

#include "pdb/pattern.h"
#include <stdbool.h>

/* The maximum number of entries of a table: 2 GiB. */
#define MAX_ENTRIES (UINT64_C(1) << 31)

/* Called a few times a second, by the calling thread: `done` of `all` entries are known. Returns
 * false to stop. */
typedef bool pattern_progress(void *context, uint64_t done, uint64_t all);

/* Returns the values of all entries, by rank, if zero-aware, as pdb/pattern_sets.h numbers them,
 * one byte each, of priced ones eight, in memory of base/pages.h, which the caller frees
 * (pattern_bytes() bytes). Uses
 * `threads` threads; 0: one per processor of this process. The values do not depend on their
 * number. An ordinary table of a megabyte and more needs at most 4 bytes per entry while it is
 * built, at most 2 if the pattern has five tiles or more. Returns NULL, with a static text in
 * *problem, if memory runs out, if the pattern has more than MAX_ENTRIES entries, or if `progress`
 * (may be NULL) stopped it. */
uint8_t *pattern_build(const struct pattern *pattern, unsigned threads, pattern_progress *progress,
                       void *context, const char **problem);
