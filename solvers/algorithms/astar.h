/* A* for boards of up to 16 cells and consistent heuristics, in 8 bytes a state and 8 a live node.
 *
 * It expands the same nodes in the same order as best_first() with the same settings, and all its
 * counters but peak_bytes are the same.
 *
 * What lets it do with so little: moves cost 1 and can be taken back, and a consistent h differs by
 * at most 1 between neighbours. Let F be the f of the node being expanded.
 *  1. A child's f is F, F + 1 or F + 2: its g is one more, its h differs by at most one.
 *  2. So F never falls, and the f of every live node lies between F and F + 2: it is not below F,
 *     the least, and it was at most 2 above what F was when the node was generated.
 *  3. A closed node's g is its distance from the start, as is known of consistent heuristics:
 *     nothing is reopened.
 *  4. When a child's state is stored already, the two g differ by -2, 0 or 2. They differ by an
 *     even number, since every move takes the blank to a cell of the other colour. Of a live node,
 *     both f lie between F and F + 2, and h is the same. A closed node s had all its neighbours
 *     generated with g(s) + 1, or is their child; so a node that is expanded later beside it has at
 *     most that g, and its child s at most g(s) + 2; and not less than g(s), by 3. Two bits of g,
 *     bits 1 and 2, tell which of the three it is.
 *  5. A live node can be replaced by one of a g smaller by 2 only if its f is F + 2 then, and only
 *     once. What the open list still holds of it is known by those two bits when it comes up. A
 *     node whose f was F or F + 1 when it was generated is never replaced.
 *  6. While F stays, nodes of f = F are generated only by nodes of f = F, one deeper. So when the
 *     newest node of the deepest g is taken from the open list, no deeper one is on it, and
 *     until all that comes of it with f = F is expanded, the node to take next is simply the last
 *     one generated: "deepest first" is a depth-first search from each node that was on the list
 *     when F rose.
 *  7. The stored move that led to a state leads back along the path, since nodes on the path to a
 *     node are closed and so never replaced.
 *
 * The order of 6 asks, after each child, whether its state is new, before it is known which node
 * comes next: every expansion would wait for memory. So nodes are expanded ahead, as if all
 * children were new, and their buckets are asked for; each child is looked up a few expansions
 * later, in order, and only then is anything counted or stored. What was expanded ahead from a
 * child that turns out not to be new is dropped unseen. No counter depends on how far ahead that
 * is. */
#ifndef ALGORITHMS_ASTAR_H
#define ALGORITHMS_ASTAR_H

#include "search/search.h"

/* What sets the pace and nothing else. */
struct astar_pace {
    uint64_t buckets; /* of the table at the start */
    unsigned ahead; /* nodes expanded ahead, 1 .. ASTAR_MOST_AHEAD; 0: as suits the table's size */
};

enum { ASTAR_MOST_AHEAD = 16 };

/* Whether this form of A* is the right one: for the board, and for the heuristic as it is declared.
 */
bool astar_is_compact(const struct search *search);

/* Searches as algorithm.h says. False when the heuristic, though declared consistent, turns out not
 * to be: nothing is decided then. */
bool astar_compact(struct search *search, const struct astar_pace *pace);

#endif
