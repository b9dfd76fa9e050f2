/* How algorithms tell an observer what they do (search/observer.h).
 *
 * All calls but `viewed` are made only where that is true. A search that is not viewed pays one
 * test of a pointer for each node. What viewing needs comes from the search's arena: a few words
 * for each depth. */
#ifndef SEARCH_VIEW_H
#define SEARCH_VIEW_H

#include "search/search.h"

/* Whether somebody wants to see everything. */
KERNEL bool viewed(const struct search *search)
{
    return UNLIKELY(search->viewing != NULL);
}

/* What is remembered of a search that is viewed. */
struct viewing {
    const struct observer *observer; /* has a function `sees` */
    int g_weight;                    /* see view_costs */
    int h_weight;
    uint64_t last; /* the number given last */
    /* The node of each depth that was expanded last, and the numbers of its children by move. */
    struct viewed_node {
        uint64_t number;
        uint64_t child[MOVES];
    } * path;     /* in the arena */
    size_t depth; /* how many of them there are */
    size_t room;
};

/* Makes room for the expansion of a node of depth `g`. False when memory is spent; the search has
 * ended with that. Called by search_expands. */
bool view_reserve(struct search *search, unsigned g);

/* Nodes cost g_weight * g + h_weight * h, divided by g_weight if that is not 0. Until this is
 * called they have no cost. */
SELDOM void view_costs(struct search *search, int g_weight, int h_weight);

/* A root was generated; it gets the next number. */
SELDOM void view_root(struct search *search, const struct board *board, unsigned h, unsigned side);

SELDOM void view_round(struct search *search, const char *round, uint64_t limit);

/* The node of depth g to which `move` led, for searches that go depth first: the node of depth
 * g - 1 that was expanded last is its parent. */
SELDOM struct node_seen view_path(const struct search *search, unsigned g, unsigned h,
                                  unsigned move);

/* The E-node. The event needs `node` but for its f and board, and may have `limit` and `stored`. */
SELDOM void view_expands(struct search *search, const struct enode *enode, struct event event);

/* A child of the node of depth g - 1 that was expanded last; a kept one gets the next number. The
 * event has `fate` and what belongs to it. Returns its number, or 0. */
SELDOM uint64_t view_child(struct search *search, const struct board *board, unsigned g, unsigned h,
                           unsigned move, struct event event);

/* The same for a successor of the E-node; by value, so that it need not be in memory otherwise. */
SELDOM uint64_t view_successor(struct search *search, const struct enode *enode,
                               struct successor successor, unsigned h, struct event event);

/* The step is over, with so many live nodes. True: view_live is to be called for each in turn,
 * until it returns false. */
SELDOM bool view_step(struct search *search, uint64_t live);
SELDOM bool view_live(struct search *search, struct node_seen node, const struct board *board);
/* The same of a node with a stored cost. */
SELDOM bool view_stored(struct search *search, struct node_seen node, unsigned stored,
                        const struct board *board);

/* `kind` is EVENT_DROPS, EVENT_FORGETS or EVENT_RETURNS; the event is complete but for the node's f
 * and board. */
SELDOM void view_node(struct search *search, const struct board *board, struct event event);

SELDOM void view_goal(struct search *search, uint64_t length);

#endif
