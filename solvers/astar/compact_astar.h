/* A* for boards of up to 25 cells and consistent heuristics: up to 16 cells in 9 bytes for up to 4
 * states and 8 for all live children of a node, above in 14 for up to 5 and 12.
 *
 * It expands the same nodes in the same order as astar/astar.c with its default options. All
 * counters but peak_bytes are the same. The closed list is astar/compact_closed.h, the open list
 * astar/word_buckets.h.
 *
 * Why so little is enough: moves cost 1 and can be taken back, and a consistent h differs by at
 * most 1 between neighbours. Let F be the f of the node that is being expanded.
 *  1. The f of a child is F, F + 1 or F + 2: its g is larger by one, its h differs by at most one.
 *  2. So F never falls, and the f of every live node lies between F and F + 2. It is not below F,
 *     the minimum, and when the node was generated it was at most 2 above the F of that time.
 *  3. The g of a closed node is its distance from the start, as is known of consistent heuristics.
 *     Nothing is reopened.
 *  4. When the state of a child is stored already, the two g differ by -2, 0 or 2. They differ by
 *     an even number, since every move takes the blank to a cell of the other colour. If the stored
 *     node is live, both f lie between F and F + 2, and h is the same. If the stored node s is
 *     closed, each of its neighbours is its parent or was generated from it with g(s) + 1; so a
 *     neighbour that is expanded later has at most that g, and its child s at most g(s) + 2. By 3
 *     it is not less than g(s). The rest of g / 2, divided by 3, says which of the three it is.
 *  5. A live node is replaced by one whose g is smaller by 2 only if its f is F + 2 at that time,
 *     and only once. What the open list still holds of it is recognised by that rest when it is
 *     taken. A node whose f was F or F + 1 when it was generated is never replaced.
 *  6. While F stays, nodes of f = F are generated only by nodes of f = F, one deeper. So when the
 *     newest node of the largest g is taken from the open list, no deeper one is on it. Until all
 *     its descendants of f = F are expanded, the next node is simply the last one generated:
 *     "deepest first" is a depth-first search from each node that was on the list when F rose.
 *     While F stays, none is added to those; they are taken from the list some at a time.
 *  7. Live nodes of one f that one node generates lie next to each other in their bucket of the
 *     open list, and are taken from it one after the other. So the list holds them as one word:
 *     their parent, and a mask of those that were not taken yet.
 *  8. The stored move that led to a state leads back along the path, since the nodes on a path to a
 *     node are closed and so never replaced.
 *
 * The order of 6 depends on whether each child's state is new, before it is known which node comes
 * next: every expansion would wait for memory. So nodes are expanded ahead, as if all children were
 * new, and the lines of the closed list that they need are prefetched. Each child is looked up a
 * few expansions later, in order, and only then is anything counted or stored. What was expanded
 * ahead from a child that is not new after all is dropped: the nodes of f = F lie on a stack, and
 * those that follow the child and lay no lower descend from it. No counter depends on how many
 * nodes are expanded ahead. */
#ifndef ASTAR_COMPACT_ASTAR_H
#define ASTAR_COMPACT_ASTAR_H

#include "search/search.h"

/* What changes the speed, and nothing else. */
struct compact_astar_pace {
    uint64_t lines; /* of the closed list at the start */
    unsigned ahead; /* nodes expanded ahead, 1 .. COMPACT_ASTAR_MAX_AHEAD; 0: chosen by the size of
                       the closed list */
};

enum { COMPACT_ASTAR_MAX_AHEAD = 16 };

/* Whether it can make this search: the board is small enough, and the heuristic claims to be
 * consistent. */
bool compact_astar_fits(const struct search *search);

/* Runs the search as struct algorithm says of `run`; whatever it took from the arena is given back.
 * Returns false if the heuristic turns out not to be consistent: then nothing is decided, and the
 * statistics are as they were. */
bool compact_astar(struct search *search, const struct compact_astar_pace *pace);

/* The same for boards of up to 16 cells, and of 17 to 25. */
bool compact_astar_64(struct search *search, const struct compact_astar_pace *pace);
bool compact_astar_128(struct search *search, const struct compact_astar_pace *pace);

#endif
