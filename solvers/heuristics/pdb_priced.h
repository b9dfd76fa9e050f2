/* Additive pattern databases where moves cost different amounts: for each group of tiles what its
 * moves cost that bring it home, at least, over all positions of the other tiles and of the blank.
 * Moves of other tiles cost nothing, so the groups' values are added.
 *
 * The tables (pdb/pattern_priced.h) are kept in files, as others are. */
#pragma once

#include "heuristics/heuristic.h"

/* What heuristic->data is of a `pdb` that was started with costs; heap memory, free(). */
void *pdb_priced_make(const struct heuristic *heuristic);

/* Builds its tables, or reads them from their files (pattern_table_hold). */
bool pdb_priced_build(const struct heuristic_choice *choice, const struct board *goal,
                      enum cost_model model, const struct pattern_watcher *watcher, char **problem);

uint64_t pdb_priced(const struct heuristic *heuristic, const struct board *board);

/* Whether what is written after `pdb:` is more than one partition, has words such as `zero`, or has
 * groups of more than 2^20 placements. */
bool pdb_unpriced(const struct heuristic_choice *choice);
