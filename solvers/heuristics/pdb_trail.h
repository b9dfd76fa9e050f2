/* A node's ranks and values in pattern databases, for a search that makes a node's children
 * together and would wait for memory at each.
 *
 * A move changes the rank and the value of one group of each sum, that of its tile
 * (heuristics/pdb.h). So where those of the node are known, a child takes one value of each sum.
 * Its address is known before the value is needed, and is prefetched. A child that is the next node
 * takes over its parent's ranks and values; those of any other node are looked up from the
 * beginning. For a search that does not know which node is next, pdb_children() does so for each.
 */
#pragma once

#include "base/compiler.h"
#include "heuristics/max.h"

enum { TRAIL_GROUPS = 64, TRAIL_SUMS = 16 };

/* The group of a sum that changes. */
struct pdb_change {
    uint32_t rank;
    uint8_t value;
    uint8_t group;
};

struct pdb_trail {
    const struct pdb *pdb; /* NULL: the heuristic has no trails */
    bool known;            /* the values are, not only the ranks */
    uint32_t rank[TRAIL_GROUPS];
    uint8_t value[TRAIL_GROUPS];
    uint16_t total[TRAIL_SUMS];
    struct pdb_change child[MOVES][TRAIL_SUMS];
};

/* The databases of a heuristic if they have trails: ordinary ones, and not too many; else NULL. */
static inline const struct pdb *pdb_with_trails(const struct heuristic *heuristic)
{
    const struct pdb *pdb = pdb_of(heuristic);
    return pdb != NULL && !pdb->zero && pdb->group_count <= TRAIL_GROUPS && pdb->sums <= TRAIL_SUMS
               ? pdb
               : NULL;
}

/* Begins at any node: prefetches its values. */
static inline void pdb_trail_begin(struct pdb_trail *trail, const struct board *board)
{
    trail->known = false;
    pdb_ranks(trail->pdb, board, trail->rank, NULL);
    for (unsigned i = 0; i < trail->pdb->group_count; i++)
        __builtin_prefetch(&trail->pdb->group[i].values[trail->rank[i]]);
}

/* The node of another trail, whose values are known. */
static inline void pdb_trail_copy(struct pdb_trail *trail, const struct pdb_trail *other)
{
    enum { PIECE = 8 };
    trail->pdb = other->pdb;
    trail->known = true;
    for (unsigned i = 0; i < trail->pdb->group_count; i += PIECE) {
        memcpy(trail->rank + i, other->rank + i, PIECE * sizeof *trail->rank);
        memcpy(trail->value + i, other->value + i, PIECE);
    }
    memcpy(trail->total, other->total, sizeof trail->total);
}

/* Goes on to a child of the node of another trail, whose value was asked for. */
static inline void pdb_trail_go_on(struct pdb_trail *trail, const struct pdb_trail *parent,
                                   unsigned child)
{
    pdb_trail_copy(trail, parent);
    for (unsigned s = 0; s < trail->pdb->sums; s++) {
        const struct pdb_change change = parent->child[child][s];
        trail->total[s] = (uint16_t)(parent->total[s] + change.value - parent->value[change.group]);
        trail->rank[change.group] = change.rank;
        trail->value[change.group] = change.value;
    }
}

/* Prefetches the values of child number `child`, to which the blank's move of `tile` leads. */
KERNEL void pdb_trail_child(struct pdb_trail *trail, const struct board *node, unsigned child,
                            unsigned tile, unsigned move)
{
    const struct pdb *pdb = trail->pdb;
    for (unsigned s = 0; s < pdb->sums; s++) {
        const struct pdb_sum *sum = &pdb->sum[s];
        const unsigned group = sum->index[tile];
        const uint32_t rank =
            trail->rank[group] + (uint32_t)pdb_rank_change(sum, node, tile, node->blank, move);
        trail->child[child][s] = (struct pdb_change){.rank = rank, .group = (uint8_t)group};
        __builtin_prefetch(&pdb->group[group].values[rank]);
    }
}

/* Reads the node's values, before those of its children. */
static inline void pdb_trail_read(struct pdb_trail *trail)
{
    const struct pdb *pdb = trail->pdb;
    if (trail->known)
        return;
    trail->known = true;
    for (unsigned i = 0; i < pdb->group_count; i++)
        trail->value[i] = pdb->group[i].values[trail->rank[i]];
    for (unsigned s = 0; s < pdb->sums; s++) {
        trail->total[s] = 0;
        for (unsigned i = 0; i < pdb->sum[s].count; i++)
            trail->total[s] += trail->value[pdb->sum[s].group[i] - pdb->group];
    }
}

/* The value of the heuristic of a child. */
KERNEL unsigned pdb_trail_h(struct pdb_trail *trail, unsigned child)
{
    unsigned largest = 0;
    for (unsigned s = 0; s < trail->pdb->sums; s++) {
        struct pdb_change *change = &trail->child[child][s];
        change->value = trail->pdb->group[change->group].values[change->rank];
        const unsigned sum =
            (unsigned)trail->total[s] + change->value - trail->value[change->group];
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

/* The databases of a heuristic if pdb_children() is faster than its steps: several sums, so that h
 * does not follow from the parent's; and not in one bit. Else NULL. */
static inline const struct pdb *pdb_with_children(const struct heuristic *heuristic)
{
    const struct pdb *pdb = pdb_of(heuristic);
    return pdb != NULL && !pdb->onebit && pdb->sums > 1 ? pdb : NULL;
}
