/* How a search is shown to an observer who wants to see everything (search/observer.h).
 *
 * What searches share tells him: search_expands, store_keep_child and the others. Who is to be told
 * keeps a book of the live nodes and of the path, in memory that is not the search's, so that a
 * node need only be named by its board and depth, and algorithms keep no numbers. A node of which
 * nothing was said before it is expanded is entered then, as a child of the last node that was
 * expanded one move above it. So an algorithm that only says what it expands is seen too.
 *
 * Without such an observer the functions that are not SELDOM do nothing; the others are called only
 * where one is there (viewed). A search that is not viewed pays one test of a pointer for each
 * node. */
#pragma once

#include "search/observer.h"
#include "search/search.h"

/* In which order live nodes will go. */
enum view_order {
    VIEW_QUEUE, /* as they were generated */
    VIEW_STACK, /* the deepest first, of equal depth by h, of equal h as they were generated */
    VIEW_STORED /* by stored cost, of equal costs the deepest first, then as they became live */
};

/* A node as the observer knows it. */
struct viewed_node {
    struct node_seen seen; /* but for its board */
    struct board board;
    unsigned stored;   /* its stored cost, if it has one */
    uint64_t sequence; /* of becoming live */
    uint32_t next;     /* live nodes: the next one in the list of its hash + 1; 0: none */
};

/* Live nodes, found by board, depth and side: lists by hash, newest first. */
struct viewed_live {
    struct viewed_node *nodes;
    size_t count, room;
    uint32_t *heads; /* by hash: the first node of the list + 1 */
    size_t head_count;
};

/* What is remembered of a search that is viewed. */
struct viewing {
    const struct observer *observer; /* has a function `sees` */
    int g_weight;                    /* see view_costs */
    int h_weight;
    enum view_order order;
    uint64_t limit;    /* see view_limit */
    uint64_t expected; /* see view_expects */
    uint64_t last;     /* the number given last */
    uint64_t sequence;
    struct viewed_node root;  /* the first; its number is 0 before it is generated */
    struct viewed_node *path; /* the node of each depth that was expanded last */
    size_t depth, room;
    struct viewed_live live;
    struct viewed_node *frontier; /* what was live before the first round of that name */
    size_t frontier_count;
};

/* Starts with a book that is empty. Nodes cost g + h, or nothing without a heuristic. */
void viewing_start(struct viewing *viewing, const struct observer *observer, bool informed);
void viewing_end(struct viewing *viewing);

/* Whether somebody wants to see everything. */
KERNEL bool viewed(const struct search *search)
{
    return UNLIKELY(search->viewing != NULL);
}

/* Nodes cost g_weight * g + h_weight * h, divided by g_weight if that is not 0; both 0: they have
 * no cost. */
void view_costs(struct search *search, int g_weight, int h_weight);

void view_in_order(struct search *search, enum view_order order);

/* Expansions have this `limit` from now on. With VIEW_STACK, live nodes of that cost or more are
 * not shown. */
void view_limit(struct search *search, uint64_t limit);

/* The node that is shown next has this number, if others have its board and depth too. */
void view_expects(struct search *search, uint64_t number);

/* A root was generated; it gets the next number. */
void view_root(struct search *search, const struct board *board, unsigned h, unsigned side);

/* EVENT_ROUND; numbers go on. */
void view_round(struct search *search, const char *round, uint64_t limit);

/* The node is the E-node. */
SELDOM void view_expands(struct search *search, const struct enode *enode);

/* A child of the node of depth g - 1 that was expanded last; a kept one gets the next number and is
 * live. The event has `fate` and what belongs to it. */
SELDOM void view_child(struct search *search, const struct board *board, unsigned g, unsigned h,
                       unsigned move, struct event event);

/* The same for a successor of the E-node; by value, so that it need not be in memory otherwise. */
SELDOM void view_successor(struct search *search, const struct enode *enode,
                           struct successor successor, unsigned h, struct event event);

/* A live node will not be expanded. The event has `fate` and what belongs to it. */
void view_drops(struct search *search, const struct board *board, unsigned g, unsigned side,
                struct event event);

/* The E-node is live again, with this stored cost. EVENT_FORGETS: and all live nodes of greater
 * depth are gone. */
void view_returns(struct search *search, const struct enode *enode, enum event_kind kind,
                  unsigned stored);

/* The step is over, with so many live nodes. True: view_live is to be called for each in turn,
 * until it returns false. */
SELDOM bool view_step(struct search *search, uint64_t live);
SELDOM bool view_live(struct search *search, struct node_seen node, unsigned stored,
                      const struct board *board);

/* The step is over: shows the live nodes of the book in their order. */
SELDOM void view_book(struct search *search);

SELDOM void view_goal(struct search *search, uint64_t length);

/* A successor of the E-node, and what becomes of it. `about`: the g of the stored node, or the
 * limit, if the fate has one. */
KERNEL void search_shows_child(struct search *search, const struct enode *enode,
                               const struct successor *successor, unsigned h, enum fate fate,
                               uint64_t about)
{
    if (viewed(search))
        view_successor(search, enode, *successor, h,
                       (struct event){.fate = fate, .known_g = (unsigned)about, .limit = about});
}

/* All is done for the E-node. */
KERNEL void search_expanded(struct search *search)
{
    if (viewed(search))
        view_book(search);
}
