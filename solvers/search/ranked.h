/* Breadth-first search over a table of the whole space, for boards of up to 12 cells.
 *
 * A board takes 4 bits: whether it was seen, and the move that led to it. The queue is two lists of
 * codes (puzzle/slide.h), 4 bytes each: the rest of this layer and what there is of the next. No
 * node is kept otherwise; the path is found by taking moves back from the goal. 3x4, 239,500,800
 * boards, takes 160 MB for the table and at most 200 MB for the queue.
 *
 * Boards are expanded in the order in which they were generated, as in a search with a store. Every
 * counter but peak_bytes, and the path, are the same; max_stored counts the boards seen. */
#ifndef SEARCH_RANKED_H
#define SEARCH_RANKED_H

#include "search/store.h"

/* How many nodes a breadth-first search stores before the table is worth its setting up: a 1024th
 * of all boards. UINT64_MAX for boards of more than 12 cells. */
uint64_t ranked_from(struct shape shape);

/* Takes over a breadth-first search whose next node to be expanded is `head`, the first of its
 * layer, and runs it to its end; the store is given back. False when the budget has no room for the
 * table: the store is as it was and has to go on. */
bool ranked_go_on(struct search *search, struct store *store, uint32_t head,
                  bool test_at_generation);

#endif
