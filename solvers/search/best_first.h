/* Best-first search: ucs, lcbb, greedy and wastar are this loop with different settings. (A* has a
 * page of its own, algorithms/astar.c.)
 *
 * The live node of minimum cost becomes the E-node; its successors become live nodes. The settings
 * say what a node costs, whether a state that was seen before is recognised, and when the goal test
 * is made.
 *
 * A node is a path. A shorter path to a stored state is a new node that takes the place of the old
 * one in the table. The old node stays in memory, since the paths of its children lead through it;
 * on the open list it is passed over. So the g of a node never changes, and the newer of two live
 * nodes is the one whose path was found later. */
#ifndef SEARCH_BEST_FIRST_H
#define SEARCH_BEST_FIRST_H

#include "search/open.h"

struct search;

enum duplicates {
    DUPLICATES_NONE,   /* every successor becomes a live node, the way back to the parent too */
    DUPLICATES_PARENT, /* all but the way back */
    DUPLICATES_STORED  /* a state is stored once; a shorter path to it replaces the longer one */
};

struct best_first {
    bool counts_g; /* cost is g + h; if not, h alone, and a stored state is never replaced */
    int g_weight;  /* cost is g_weight * g + h_weight * h; both 0: g + h */
    int h_weight;
    bool keeps_closed; /* a shorter path to a closed node is dropped: nothing is reopened */
    enum duplicates duplicates;
    bool test_at_generation; /* the goal test; if not, when a node is taken from the open list */
    enum ties ties;
};

/* Searches from the task's start. Sets search->status, and on success the moves. Gives back
 * whatever it took from the arena. The root counts as generated. */
void best_first(struct search *search, const struct best_first *settings);

#endif
