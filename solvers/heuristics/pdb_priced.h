/* Additive pattern databases where moves cost different amounts: for each group of tiles what its
 * moves cost that bring it home, at least, over all positions of the other tiles and of the blank.
 * Moves of other tiles cost nothing, so the groups' values are added.
 *
 * The tables are made by the algorithm of Dijkstra when they are first asked for, a few seconds for
 * five tiles of the 15-puzzle, and stay in the process; none is kept in a file. Values are sums of
 * 64 bits, 8 bytes each. */
#pragma once

#include "heuristics/heuristic.h"

/* What heuristic->data is of a `pdb` that was started with costs; heap memory, free(). */
void *pdb_priced_make(const struct heuristic *heuristic);

uint64_t pdb_priced(const struct heuristic *heuristic, const struct board *board);

/* Whether what is written after `pdb:` is more than one partition, has words such as `zero`, or has
 * groups of more than 2^20 placements. */
bool pdb_unpriced(const struct heuristic_choice *choice);
