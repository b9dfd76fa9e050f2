/* Which moves need not be tried after others.
 *
 * Different sequences of moves lead from one board to the same board: six moves either way around a
 * square of four cells do. IDA* holds nothing but its path, and would search below each of them. Of
 * all sequences of at most N moves from a cell of the blank to one board, only the first is needed:
 * the shortest or, of those, the first in operator order. A sequence that ends in another one is
 * dropped. A finite automaton knows them all, in one step for each move (Taylor and Korf, "Pruning
 * duplicate nodes in depth-first search", AAAI 1993).
 *
 * The first of the shortest solutions is never dropped: if a sequence in it were not the first to
 * its board, the first in its place would make an earlier solution (Holte and Burch, "Automatic
 * move pruning for single-agent search", AI Communications 27, 2014). No node of it is above the
 * last threshold, if the heuristic is admissible. So a search finds the same solution, with fewer
 * nodes. A table of states that were entered earlier in the round drops no node of it either. */
#pragma once

#include "search/search.h"

enum {
    MAX_PRUNING = 16,             /* moves */
    LEFT_BITS = 10,               /* of a link: see below */
    MAX_CONTEXTS = (1 << 22) - 1, /* 6x6 has most: 3,468,107 with 16 */
    PRUNED = MAX_CONTEXTS         /* no context: the move is dropped */
};
_Static_assert(MAX_CELLS << MOVES <= 1 << LEFT_BITS, "a cell and a bit for each move");

/* What matters of the moves so far is a context, a state of the automaton: the blank's cell and the
 * last moves, as many of them as sequences that are dropped may begin with. Contexts 0 ..
 * shape.cells - 1 are those of no moves, with the blank on that cell.
 *
 * A link names a context and says which moves it leaves: context << LEFT_BITS | the blank's cell <<
 * MOVES | a bit for each move that is not dropped. So counters look up the context of a child only
 * when they keep it. */
struct pruning {
    unsigned count;          /* of contexts */
    unsigned roots;          /* the first of those of root_context */
    uint32_t (*next)[MOVES]; /* [context][move]: a link to the context after it, or to PRUNED */
};

/* An option of algorithms: pruning_start. */
#define PRUNE_OPTION                                                                               \
    {                                                                                              \
        NUMBER_OPTION("prune",                                                                     \
                      "drop sequences of at most so many moves for which an earlier one leads to " \
                      "the same board; 0: only the way back",                                      \
                      0, 0, MAX_PRUNING),                                                          \
            .unpriced = 1                                                                          \
    }

/* Makes the automaton of all sequences of at most `length` moves, 2 .. MAX_PRUNING, for the shape
 * and the operators of a search. Its table is in the search's arena. False when the search must
 * end; its status says why. */
bool pruning_make(struct pruning *pruning, struct search *search, unsigned length);

/* Makes the automaton that the search asks for by the value of PRUNE_OPTION, and sets
 * search->pruning, unless it would drop no more than the way back. False when the search must end;
 * its status says why. */
bool pruning_start(struct pruning *pruning, struct search *search, int64_t length);

/* The context after a move, or PRUNED. */
static inline unsigned context_after(const struct pruning *pruning, unsigned context, unsigned move)
{
    return pruning->next[context][move] >> LEFT_BITS;
}

/* The link to a context with the blank on a cell. */
static inline uint32_t pruning_link(const struct pruning *pruning, unsigned context, unsigned blank)
{
    unsigned left = 0;
    for (unsigned move = 0; move < MOVES; move++)
        left |= (unsigned)(context_after(pruning, context, move) != PRUNED) << move;
    return context << LEFT_BITS | blank << MOVES | left;
}

/* How many moves a link leaves. */
static inline unsigned moves_left(uint32_t link)
{
    /* The bits that are set in 0 .. 15, from the lowest digit on. */
    return (unsigned)(UINT64_C(0x4332322132212110) >> (link % (1U << MOVES) * 4)) & 15;
}

/* The context of a node from which sequences begin anew, but for the way back that is left out. */
static inline unsigned root_context(const struct pruning *pruning, unsigned blank, unsigned undo)
{
    return undo == MOVE_NONE ? blank : pruning->roots + blank * MOVES + undo;
}
