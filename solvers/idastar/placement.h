/* Where the tiles of a group lie, for the counters below pattern databases: part of their bodies.
 */
#pragma once

#include "heuristics/max.h"
#include "idastar/subtree.h"
#if PRUNES
#include "idastar/pruning.h"
#endif

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
 * * MOVES + the move; if PRUNES is 1, the context (idastar/pruning.h). ORIGIN: a follower's. */
#if PRUNES
typedef uint16_t origin;
#define ORIGIN context
#else
typedef uint8_t origin;
#define ORIGIN slide
#endif

static inline origin origin_of_root(const struct enode *enode)
{
#if PRUNES
    return (origin)enode->context;
#else
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
