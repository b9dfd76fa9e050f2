/* Partial expansion: A* that keeps only those children of a node whose turn has come. pea and epea
 * are this loop with different settings, and so is the A* of astar_idastar, whose cutoff is above
 * every difference of two f.
 *
 * A live node n has a stored cost F(n), by which the open list orders it: f(n) at first. When it is
 * expanded, its children of f <= F(n) become live nodes. If there are others, n stays live, and
 * F(n) becomes the minimum f among them; if there are none, n is closed. The goal test is made when
 * a node is taken from the open list. Of two nodes of equal F the one of larger g goes first, of
 * equal g the newer one, as in astar.
 *
 * Why paths stay shortest under an admissible heuristic: on a shortest path there is always a live
 * node of F at most its length. If the next node on it was not kept, the live one's F is at most
 * the f of that. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct node_heap;
struct search;
struct store;

struct partial_expansion {
    bool selects;    /* the children that are kept are chosen by their h before they are generated;
                        if not, all are generated in each expansion, and the others dropped */
    unsigned cutoff; /* children of f <= F + cutoff are kept */
    unsigned share;  /* percent of the memory limit that it may hold before go_on */
    /* Goes on with the search when the share is spent; the open list, whose entries it may put in
     * another order, has all nodes that are not expanded. NULL: the search ends as memory_limit
     * when the whole budget is spent. */
    void (*go_on)(struct search *search, const struct store *nodes, struct node_heap *open);
};

/* Searches from the task's start, as struct algorithm says of `run`. Every turn of a node counts as
 * an expansion, also the second. A child that is dropped for its f does not count as a duplicate;
 * one that an earlier expansion of its parent kept does, if it is generated again. */
void partial_expansion(struct search *search, const struct partial_expansion *settings);

/* The budget of bytes of which a search holds `percent` of the limit. */
uint64_t partial_expansion_share(const struct search *search, unsigned percent);
