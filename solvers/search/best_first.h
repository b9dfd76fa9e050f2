/* Best-first search: ucs, lcbb, greedy, astar and wastar are this loop under different settings.
 *
 * The live node of least cost becomes the E-node; its successors become live nodes. What differs is
 * what a node costs, whether a state that was seen before is noticed, and when the goal is looked
 * for.
 *
 * A node is a path: a shorter path to a stored state is a new node, as new as any other, that takes
 * the old one's place in the table. The old one stays in memory, since its children lie on it; on
 * the open list it is passed over. So a node's g is the length of its path whatever happens later,
 * and the newest of two live nodes is the one whose path was found last. */
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
    bool counts_g; /* cost is g + h; else h alone, and a stored state is never replaced */
    int g_weight;  /* cost is g times this + h times that; both 0: g + h as they are */
    int h_weight;
    bool keeps_closed; /* a shorter path to a closed node is dropped */
    enum duplicates duplicates;
    bool test_at_generation; /* the goal test; else when a node is taken from the open list */
    enum ties ties;
    int64_t depth_limit; /* nodes of this g are not expanded; OPTION_UNSET: none */
};

/* Runs the search from the task's start, sets search->status, and on success the moves. Whatever it
 * took from the arena is given back. The root is counted as generated. */
void best_first(struct search *search, const struct best_first *settings);

#endif
