/* The open list for any costs and any order of pushing, such as weighted costs, and nodes that are
 * pushed again when they cost more (pea, epea, searches from both ends); buckets are faster where
 * they can be used (search/node_buckets.h).
 *
 * A min-heap of live nodes, of four children each (Johnson, "Priority queues with
 * update and finding minimum spanning trees", Information Processing Letters 4, 1975): half as deep
 * as a binary one, and four children lie side by side. As no two entries are equal, the order in
 * which they are taken does not depend on the heap.
 *
 * An entry is one 64-bit number, so that two entries are compared by comparing two numbers:
 *     bits 48-63  cost
 *     bits 32-47  tie-breaker: g, its complement, or 0
 *     bits  0-31  the node's number (of two, the older goes first) or its complement (the newer)
 *
 * A weighted cost, g and h each times a whole number, may need more bits than there are. Then an
 * entry holds g and h themselves, and costs are computed when two entries are compared:
 *     bits 44-63  g, or its complement if the deepest goes first
 *     bits 32-43  h
 *     bits  0-31  as above */
#pragma once

#include "base/arena.h"
#include "base/compiler.h"
#include <assert.h>
#include <stdbool.h>

enum { HEAP_CHILDREN = 4 };

/* Which of several live nodes of equal cost is taken first. */
enum ties {
    TIES_HIGH_G, /* the deepest; among these the newest */
    TIES_LOW_G,  /* the shallowest; among these the newest */
    TIES_FIFO,   /* the oldest */
    TIES_LIFO    /* the newest */
};

struct node_heap {
    struct arena *arena;
    enum ties ties;
    int g_weight;      /* of weighted costs; negative if entries hold the complement of g */
    int h_weight;      /* both weights are 0 if costs are not weighted */
    uint64_t *entries; /* a heap in entries[0 .. count - 1] */
    uint64_t count;
    uint64_t capacity;
};

static inline void node_heap_start(struct node_heap *open, struct arena *arena, enum ties ties)
{
    *open = (struct node_heap){.arena = arena, .ties = ties};
}

/* The entry of node `id`. No best-first search that fits in memory has costs or depths above
 * 65,535. */
static inline uint64_t node_heap_entry(const struct node_heap *open, uint32_t id, unsigned cost,
                                       unsigned g)
{
    uint64_t tie = 0;
    assert(cost <= UINT16_MAX);
    if (open->ties == TIES_HIGH_G || open->ties == TIES_LOW_G) {
        assert(g <= UINT16_MAX);
        tie = open->ties == TIES_HIGH_G ? UINT16_MAX - g : g;
    }
    return (uint64_t)cost << 48 | tie << 32 | (open->ties == TIES_FIFO ? id : ~id);
}

/* The cost that is not weighted. */
static inline unsigned node_heap_cost(uint64_t entry)
{
    return (unsigned)(entry >> 48);
}

enum { WEIGHTED_H_BITS = 12, MAX_WEIGHTED_H = (1 << 12) - 1, MAX_WEIGHTED_G = (1 << 20) - 1 };

/* Costs are to be g_weight * g + h_weight * h from now on; both weights at least 1. */
static inline void node_heap_weight(struct node_heap *open, int g_weight, int h_weight)
{
    open->g_weight = open->ties == TIES_HIGH_G ? -g_weight : g_weight;
    open->h_weight = h_weight;
}

/* The entry of node `id` if costs are weighted. On 36 cells no h comes near 4,096; no search that
 * fits in memory comes to a depth of a million. */
static inline uint64_t node_heap_weighted_entry(const struct node_heap *open, uint32_t id,
                                                unsigned g, unsigned h)
{
    assert(g <= MAX_WEIGHTED_G && h <= MAX_WEIGHTED_H);
    const uint64_t depth = open->ties == TIES_HIGH_G ? MAX_WEIGHTED_G - g : g;
    return (depth << WEIGHTED_H_BITS | h) << 32 | (open->ties == TIES_FIFO ? id : ~id);
}

/* The cost, up to a constant that is the same for all entries. */
static inline int64_t node_heap_weighted_cost(const struct node_heap *open, uint64_t entry)
{
    return open->g_weight * (int64_t)(entry >> 32 >> WEIGHTED_H_BITS) +
           open->h_weight * (int64_t)(entry >> 32 & MAX_WEIGHTED_H);
}

/* Whether entry a goes before entry b. */
KERNEL bool node_heap_before(const struct node_heap *open, bool weighted, uint64_t a, uint64_t b)
{
    if (!weighted)
        return a < b;
    const int64_t a_cost = node_heap_weighted_cost(open, a);
    const int64_t b_cost = node_heap_weighted_cost(open, b);
    if (a_cost != b_cost)
        return a_cost < b_cost;
    /* If g is equal too, so is h, and the nodes' numbers decide. */
    const bool by_age = open->ties == TIES_FIFO || open->ties == TIES_LIFO;
    return by_age ? (uint32_t)a < (uint32_t)b : a < b;
}

static inline uint32_t node_heap_id(const struct node_heap *open, uint64_t entry)
{
    return open->ties == TIES_FIFO ? (uint32_t)entry : ~(uint32_t)entry;
}

/* Makes room for more entries. False when the budget is spent. */
bool node_heap_grow(struct node_heap *open);

/* Adds an entry. False when the budget is spent. */
KERNEL bool node_heap_push(struct node_heap *open, bool weighted, uint64_t entry)
{
    if (UNLIKELY(open->count == open->capacity) && !node_heap_grow(open))
        return false;
    uint64_t at = open->count++;
    while (at > 0 &&
           node_heap_before(open, weighted, entry, open->entries[(at - 1) / HEAP_CHILDREN])) {
        open->entries[at] = open->entries[(at - 1) / HEAP_CHILDREN];
        at = (at - 1) / HEAP_CHILDREN;
    }
    open->entries[at] = entry;
    return true;
}

/* The first of some entries side by side, at least one. */
KERNEL uint64_t node_heap_first_of(const struct node_heap *open, bool weighted, uint64_t at,
                                   uint64_t end)
{
    uint64_t first = at;
    while (++at < end)
        first =
            node_heap_before(open, weighted, open->entries[at], open->entries[first]) ? at : first;
    return first;
}

/* Takes the first entry out of a list that is not empty. */
KERNEL uint64_t node_heap_pop(struct node_heap *open, bool weighted)
{
    const uint64_t first = open->entries[0];
    const uint64_t moving = open->entries[--open->count];
    uint64_t at = 0;
    for (uint64_t child = 1; child < open->count; child = HEAP_CHILDREN * at + 1) {
        const uint64_t end = child + HEAP_CHILDREN;
        child = LIKELY(end <= open->count) ? node_heap_first_of(open, weighted, child, end)
                                           : node_heap_first_of(open, weighted, child, open->count);
        if (!node_heap_before(open, weighted, open->entries[child], moving))
            break;
        open->entries[at] = open->entries[child];
        at = child;
    }
    open->entries[at] = moving;
    return first;
}

static inline void node_heap_end(struct node_heap *open)
{
    arena_release(open->arena, open->entries);
    open->entries = NULL;
}
