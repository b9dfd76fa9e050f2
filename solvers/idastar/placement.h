/* Where the tiles of a group lie, for the counters below pattern databases: part of their bodies.
 */
#pragma once

#include "heuristics/max.h"
#include "idastar/pruning.h"
#include "idastar/subtree.h"

/* Bytes: the size of a node is a multiple of it, and a node is copied in such pieces. */
enum { UNIT = 16 };

/* Where the tiles of a group lie: their rank, or the set of their cells << ORDER_BITS | the number
 * of their order (pdb/pattern_sets.h). */
#if NODE_ZERO
typedef uint64_t placement;
#else
typedef uint32_t placement;
#endif
enum { ORDER_BITS = 16 }; /* 8! < 2^16 */

static inline placement placement_of(const struct pdb_group *group, const struct board *board)
{
    uint64_t set;
    const placement placed = (placement)pdb_group_rank(group, board, &set);
    return NODE_ZERO ? placed | (placement)(set << ORDER_BITS) : placed;
}

/* What says which slides may follow a node: the one that led there, as the cell that the blank left
 * * MOVES + the move; if PRUNES is 1, a link (idastar/pruning.h). */
#if PRUNES
typedef uint32_t origin;
enum { FOLLOWERS = NODE_CELLS << MOVES, FOLLOWERS_BITS = LEFT_BITS };
#else
typedef uint8_t origin;
enum { FOLLOWERS = NODE_CELLS * MOVES, FOLLOWERS_BITS = 8 };
#endif

/* Where the slides that may follow a node are listed. */
static inline unsigned followers_at(origin parent)
{
    return parent & ((1U << FOLLOWERS_BITS) - 1);
}

/* The origin of the child that a slide makes. */
KERNEL origin origin_after(const struct pruning *pruning, origin parent, unsigned slide)
{
    if (!PRUNES)
        return (origin)slide;
    const uint32_t child = pruning->next[parent >> LEFT_BITS][slide % MOVES];
    __builtin_prefetch(pruning->next + (child >> LEFT_BITS));
    return (origin)child;
}

static inline origin origin_of_root(const struct search *search, const struct enode *enode)
{
#if PRUNES
    return pruning_link(search->pruning, enode->context, enode->board.blank);
#else
    (void)search;
    const struct board *board = &enode->board;
    return (origin)(move_target(board->shape, board->blank, enode->undo) * MOVES +
                    move_undo(enode->undo));
#endif
}

/* The databases of a heuristic, if they are of the form that the body is compiled for, on a shape
 * that it is compiled for; else NULL. */
static inline const struct pdb *fitting_pdb(const struct heuristic *heuristic)
{
    const struct shape shape = heuristic->goal.shape;
    const struct pdb *pdb = pdb_of(heuristic);
    return pdb != NULL && pdb->zero == NODE_ZERO && pdb->onebit == NODE_ONEBIT &&
                   shape.cells <= NODE_CELLS && shape.width <= NODE_BETWEEN + 1
               ? pdb
               : NULL;
}
