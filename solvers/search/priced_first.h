/* Best-first search where moves cost different amounts: astar, ucs, lcbb, greedy and wastar are
 * this loop with their settings. With costs of 1 it does what theirs do, counter for counter
 * (property.costs), but more slowly: g and h have 64 bits, in an array beside the nodes, whose own
 * g counts moves. */
#pragma once

#include "search/expansion.h"
#include "search/priced_heap.h"

/* What a node costs so far, and its heuristic's value, in the scale of the search's costs. */
struct node_cost {
    uint64_t g;
    uint64_t h;
};

/* The costs of a store's nodes, by number. */
struct node_costs {
    struct node_cost *of;
    uint32_t room;
};

/* Makes room for the costs of all nodes for which the store has room. False when the budget is
 * spent. */
static inline bool node_costs_reserve(struct node_costs *costs, const struct store *store)
{
    if (LIKELY(store->count < costs->room))
        return true;
    struct node_cost *more =
        arena_resize(store->arena, costs->of, (uint64_t)store->capacity * sizeof *more);
    if (more == NULL)
        return false;
    costs->of = more;
    costs->room = store->capacity;
    return true;
}

/* Searches from the task's start. Nodes of depth `depth_limit`, in moves, are not expanded. Sets
 * search->status, and on success the moves; gives back whatever it took from the arena. */
void priced_first(struct search *search, const struct best_first *settings, uint64_t depth_limit);
