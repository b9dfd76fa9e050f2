/* A* for boards of up to 25 cells and any heuristic, consistent or not: in 12 bytes for up to 4
 * states and 8 for live children of a node, above 16 cells in 18 for up to 5 and 12.
 *
 * It expands the same nodes in the same order as astar/astar.c with its default options. All
 * counters but peak_bytes are the same. What astar/compact_astar.h concludes from consistency is
 * not true here: h may change by any number in a move, f may fall, and a closed node is reopened
 * when a shorter path to its state is found. So the g of every state is stored, and the open list
 * has a bucket for each f and g.
 *
 * The closed list (astar/compact_closed.h) holds a state with the move that leads back, whether
 * its node is closed, and half of its g: the other bit of g follows from the colour of the blank's
 * cell, as every move takes the blank to a cell of the other colour.
 *  1. A shorter path to a stored state only changes that note. The words that the open list holds
 *     of nodes that were replaced are stale. A node is taken if its g is the one of the note: as g
 *     only falls, there is one node of a state and a g, and it is put on the list once. A node that
 *     was closed is on it no more.
 *  2. Live nodes of one f that one node generates are one word, as in the other form: they are put
 *     on the same bucket one after the other, and the newest word of a bucket is taken first.
 *     Their h is f - g, so a word needs none.
 *  3. A node is taken because none of smaller f, and none of equal f and larger g, is live. So if
 *     its expansion makes nodes of no larger f, the next one taken is one of these: of least f, and
 *     of these the newest. It does not go through the open list.
 *  4. When a node n is taken, each node on its path is still the one of its state; so the stored
 *     moves lead back along it. Suppose that it is not so, and let `a` be the last node on the path
 *     whose state has another one by now, a', of smaller g. Then a' is live: if it had been
 *     expanded, the next node on the path would have been replaced. As n is taken, f(n) <= f(a'),
 *     and f(a') < f(a), since h is the same. Let z be the last node on the path, from `a` on, with
 *     f(z) >= f(a). When z was taken, no live node had an f below f(z). So a' was not among them;
 *     it came later, from one that was, y say, and not from z, since its g is below that of z. But
 *     y could not be taken before n: f(y) >= f(z) >= f(a), and some node behind z on the path was
 *     live, of an f below f(a).
 *
 * When a node's children are made, their lines of the closed list are prefetched; before they are
 * looked up, their h is computed, and if the next node is likely to be one of them, its own
 * children are made. No counter depends on that. */
#ifndef ASTAR_COMPACT_REOPENING_H
#define ASTAR_COMPACT_REOPENING_H

#include "search/search.h"

/* Whether it can make this search: the board is small enough, and no observer looks on, who would
 * see twice what is not decided. */
bool compact_reopening_fits(const struct search *search);

/* Runs the search as struct algorithm says of `run`; whatever it took from the arena is given back.
 * The closed list has so many lines at the start (at least 1); they change the speed and nothing
 * else. Returns false if a g or f is too large, over 253 or 511: then nothing is decided, and the
 * statistics are as they were. */
bool compact_reopening(struct search *search, uint64_t lines);

/* The same for boards of up to 16 cells, and of 17 to 25. */
bool compact_reopening_64(struct search *search, uint64_t lines);
bool compact_reopening_128(struct search *search, uint64_t lines);

#endif
