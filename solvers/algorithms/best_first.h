/* Best-first search: ucs, lcbb, greedy and wastar are this loop with different settings. (A* has a
 * page of its own, astar/astar.c.)
 *
 * The live node of minimum cost becomes the E-node; its successors become live nodes. The settings
 * say what a node costs, whether a state that was seen before is recognised, and when the goal test
 * is made.
 *
 * A node is a path. A shorter path to a stored state is a new node that takes the place of the old
 * one in the table. The old node stays in memory, since the paths of its children lead through it;
 * on the open list it is passed over. So the g of a node never changes, and the newer of two live
 * nodes is the one whose path was found later. */
#pragma once

#include "search/expansion.h"

/* Searches from the task's start. Sets search->status, and on success the moves. Gives back
 * whatever it took from the arena. The root counts as generated. */
void best_first(struct search *search, const struct best_first *settings);

/* The weight of h, of algorithms that have one. */
#define WEIGHT_OPTION                                                                              \
    {                                                                                              \
        .name = "w",                                                                               \
        .help = "the weight of h: a solution is at most so many times as long as a shortest one",  \
        .kind = OPTION_DECIMAL, .fallback = 3 * DECIMAL_ONE / 2, .min = DECIMAL_ONE,               \
        .max = 1000 * DECIMAL_ONE, .bounds = true                                                  \
    }

/* Makes the cost g + w h, exactly; w is in thousandths. */
void best_first_weigh(struct best_first *settings, int64_t w);
