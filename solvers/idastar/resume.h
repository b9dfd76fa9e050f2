/* Going on after a kill: what IDA*, also below the nodes of another search, has done is its
 * counters, the rounds before, and the path to the node at which it stands, with the moves tried at
 * each node of it. That is written to the file of limits.checkpoint, whole or not at all; nothing
 * else that it holds matters. Subtrees that were counted ahead but not taken yet are counted again.
 */
#pragma once

#include "idastar/idastar.h"
#include "idastar/walkers.h"

/* Writes where the round of a paused search stands, with the place of its walkers, and says when it
 * is to pause next. The search goes on although it cannot be written, as on a full disk. */
void round_save(struct round *round, const struct walkers_place *place);

/* Puts a round where the file says: path, threshold, counters, times. Its E-node is the start, or
 * one of `roots`, where they are not NULL; its path has room for `levels` nodes. False, with
 * nothing changed, where there is no file of this search, or it is damaged, or there is no room for
 * the path. */
bool round_restore(struct round *round, const struct idastar_roots *roots, uint64_t levels,
                   struct walkers_place *place);

/* Whether there are to be checkpoints, and when the first is due. A table, the solutions so
 * far, and what an observer saw are in none; a search that is split has its parts instead. */
bool round_resumes(struct round *round);
