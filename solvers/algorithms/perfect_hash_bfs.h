/* Breadth-first search with a perfect hash, for boards of up to 12 cells: a table of the whole
 * space with a few bits for each state (Cooperman and Finkelstein, "New methods for using Cayley
 * graphs in interconnection networks", Discrete Applied Mathematics 37/38, 1992; Korf, "Linear-time
 * disk-based implicit graph search", Journal of the ACM 55, 2008).
 *
 * A state takes 4 bits: whether it was seen, and the move that led to it. The queue is two lists of
 * codes (puzzle/slide.h), 4 bytes each: what is left of this layer and what there is of the next.
 * No nodes are kept; the solution is found by undoing moves from the goal. For 3x4, 239,500,800
 * states, the table takes 160 MB and the queue at most 200 MB.
 *
 * States are expanded in the order in which they were generated, as in a search with a store. The
 * solution and every counter but peak_bytes are the same; max_stored counts the states seen. */
#pragma once

#include "search/store.h"

/* How many nodes a breadth-first search stores before the table is worth setting up: 1/1024 of all
 * states. UINT64_MAX for boards of more than 12 cells. */
uint64_t perfect_hash_bfs_from(struct shape shape);

/* Takes over a breadth-first search whose next node to be expanded is `head`, the first of its
 * layer; nodes of depth `depth_limit` are not expanded. Runs it to its end and empties the store.
 * Returns false if the budget has no room for the table: the store is then unchanged, and the
 * search has to go on with it. */
bool perfect_hash_bfs_take_over(struct search *search, struct store *store, uint32_t head,
                                bool test_at_generation, uint64_t depth_limit);
