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
    MAX_PRUNING = 12, /* moves */
    MAX_CONTEXTS = UINT16_MAX,
    PRUNED = UINT16_MAX /* no context: the move is dropped */
};

/* A slide that may follow, as idastar/subtree_pdb_body.h reads it. */
struct follower {
    uint16_t context; /* after it */
    uint8_t slide;    /* the cell that the blank leaves * MOVES + the move */
    uint8_t parent;   /* 0 */
};

struct followers {
    struct follower slide[MOVES - 1];
    uint16_t number;
    uint8_t undo; /* the move that would undo the last one */
};

/* What matters of the moves so far is a context, a state of the automaton: the blank's cell and the
 * last moves, as many of them as sequences that are dropped may begin with. Contexts 0 ..
 * shape.cells - 1 are those of no moves, with the blank on that cell. */
struct pruning {
    unsigned count;              /* of contexts */
    unsigned roots;              /* the first of those of root_context */
    uint16_t (*next)[MOVES];     /* [context][move]: the context after it, or PRUNED */
    struct followers *followers; /* of each context but those of no moves */
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

/* Makes the automaton of all sequences of at most `length` moves, 2 .. MAX_PRUNING; where it would
 * have more than MAX_CONTEXTS contexts, of as many sequences as are possible, the shortest first
 * (6x6 with 12). Its tables are in the arena. False when the budget is spent. */
bool pruning_make(struct pruning *pruning, struct arena *arena, struct shape shape,
                  const struct operators *operators, unsigned length);

/* Makes the automaton that the search asks for by the value of PRUNE_OPTION, and sets
 * search->pruning, unless it would drop no more than the way back. False when the budget is spent;
 * the search's status says so. */
bool pruning_start(struct pruning *pruning, struct search *search, int64_t length);

/* The context of a node from which sequences begin anew, but for the way back that is left out. */
static inline unsigned root_context(const struct pruning *pruning, unsigned blank, unsigned undo)
{
    return undo == MOVE_NONE ? blank : pruning->roots + blank * MOVES + undo;
}
