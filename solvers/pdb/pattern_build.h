/* Building pattern databases: one breadth-first search from the goal over the placements of a
 * pattern.
 *
 * A state is a placement and the region of free cells that the blank lies in; only moves of the
 * pattern's tiles count. The value of a placement is the least over its regions (Felner, Korf and
 * Hanan, "Additive pattern database heuristics", JAIR 22, 2004, section 4). The search goes over
 * all states; regions are left out of the finished table alone, so that each value is exact. */
#ifndef PDB_PATTERN_BUILD_H
#define PDB_PATTERN_BUILD_H

#include "pdb/pattern.h"
#include <stdbool.h>

/* A table may have this many entries: 2 GiB. */
#define MAX_ENTRIES (UINT64_C(1) << 31)

/* Told a few times a second, by the thread that called: `done` of `all` entries are known. False:
 * stop. */
typedef bool pattern_progress(void *context, uint64_t done, uint64_t all);

/* The values of all placements by their ranks, one byte each; memory of base/pages.h, which the
 * caller ends (pattern_entries() bytes). Works on `threads` threads, 0: as many as this process has
 * processors; the values are the same for any number. Needs at most 4 bytes for each entry while it
 * works (3 for the large tables of the 15-puzzle). NULL where memory is short, where the pattern
 * has more than MAX_ENTRIES placements, or where `progress` (may be NULL) said to stop; *problem
 * then says which, a text that is not to be freed. */
uint8_t *pattern_build(const struct pattern *pattern, unsigned threads, pattern_progress *progress,
                       void *context, const char **problem);

#endif
