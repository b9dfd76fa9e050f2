/* The open list: a binary min-heap of live nodes.
 *
 * An entry is one 64-bit number, so that comparing two entries is comparing two numbers:
 *     bits 48-63  cost
 *     bits 32-47  the tie-breaking part: g, its complement, or 0
 *     bits  0-31  the node's number (the earlier of two goes first) or its complement (the later
 *                 goes first)
 *
 * A weighed cost, g and h each times a whole number, may need more bits than there are. Then an
 * entry holds g and h themselves, and the cost is worked out when two are compared:
 *     bits 44-63  g, or its complement where the deepest goes first
 *     bits 32-43  h
 *     bits  0-31  as above */
#ifndef SEARCH_OPEN_H
#define SEARCH_OPEN_H

#include "base/arena.h"
#include "base/compiler.h"
#include <assert.h>
#include <stdbool.h>

/* In which order live nodes of equal cost are taken. */
enum ties {
    TIES_HIGH_G, /* the deepest; among these the newest */
    TIES_LOW_G,  /* the shallowest; among these the newest */
    TIES_FIFO,   /* the oldest */
    TIES_LIFO    /* the newest */
};

struct open {
    struct arena *arena;
    enum ties ties;
    int g_weight;      /* of weighed costs, negative where entries hold the complement of g; ... */
    int h_weight;      /* ... else both are 0 */
    uint64_t *entries; /* a heap in entries[0 .. count - 1] */
    uint64_t count;
    uint64_t capacity;
};

static inline void open_start(struct open *open, struct arena *arena, enum ties ties)
{
    *open = (struct open){.arena = arena, .ties = ties};
}

/* The entry of node `id`. Costs and depths beyond 65,535 are out of reach of any best-first search
 * that fits in memory. */
static inline uint64_t open_entry(const struct open *open, uint32_t id, unsigned cost, unsigned g)
{
    uint64_t tie = 0;
    assert(cost <= UINT16_MAX);
    if (open->ties == TIES_HIGH_G || open->ties == TIES_LOW_G) {
        assert(g <= UINT16_MAX);
        tie = open->ties == TIES_HIGH_G ? UINT16_MAX - g : g;
    }
    return (uint64_t)cost << 48 | tie << 32 | (open->ties == TIES_FIFO ? id : ~id);
}

enum { WEIGHED_H_BITS = 12, MOST_WEIGHED_H = (1 << 12) - 1, MOST_WEIGHED_G = (1 << 20) - 1 };

/* Costs are to be weighed, by at least 1. */
static inline void open_weigh(struct open *open, int g_weight, int h_weight)
{
    open->g_weight = open->ties == TIES_HIGH_G ? -g_weight : g_weight;
    open->h_weight = h_weight;
}

/* The entry of node `id` where costs are weighed. On 36 cells no estimate comes near 4,096, and no
 * search that fits in memory a depth of a million. */
static inline uint64_t open_weighed_entry(const struct open *open, uint32_t id, unsigned g,
                                          unsigned h)
{
    assert(g <= MOST_WEIGHED_G && h <= MOST_WEIGHED_H);
    const uint64_t depth = open->ties == TIES_HIGH_G ? MOST_WEIGHED_G - g : g;
    return (depth << WEIGHED_H_BITS | h) << 32 | (open->ties == TIES_FIFO ? id : ~id);
}

/* The cost less what is the same for all entries. */
static inline int64_t open_weighed_cost(const struct open *open, uint64_t entry)
{
    return open->g_weight * (int64_t)(entry >> 32 >> WEIGHED_H_BITS) +
           open->h_weight * (int64_t)(entry >> 32 & MOST_WEIGHED_H);
}

/* Whether an entry goes before another. */
KERNEL bool open_before(const struct open *open, bool weighed, uint64_t a, uint64_t b)
{
    if (!weighed)
        return a < b;
    const int64_t a_cost = open_weighed_cost(open, a);
    const int64_t b_cost = open_weighed_cost(open, b);
    if (a_cost != b_cost)
        return a_cost < b_cost;
    /* Where g is equal, h is, and the numbers decide. */
    const bool by_age = open->ties == TIES_FIFO || open->ties == TIES_LIFO;
    return by_age ? (uint32_t)a < (uint32_t)b : a < b;
}

static inline uint32_t open_id(const struct open *open, uint64_t entry)
{
    return open->ties == TIES_FIFO ? (uint32_t)entry : ~(uint32_t)entry;
}

bool open_grow(struct open *open);

/* False when the budget is spent. */
KERNEL bool open_push(struct open *open, bool weighed, uint64_t entry)
{
    if (UNLIKELY(open->count == open->capacity) && !open_grow(open))
        return false;
    uint64_t at = open->count++;
    while (at > 0 && open_before(open, weighed, entry, open->entries[(at - 1) / 2])) {
        open->entries[at] = open->entries[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    open->entries[at] = entry;
    return true;
}

/* Takes the least entry out of a list that is not empty. */
KERNEL uint64_t open_pop(struct open *open, bool weighed)
{
    uint64_t least = open->entries[0];
    uint64_t moving = open->entries[--open->count];
    uint64_t at = 0;
    for (uint64_t child = 1; child < open->count; child = 2 * at + 1) {
        if (child + 1 < open->count &&
            open_before(open, weighed, open->entries[child + 1], open->entries[child]))
            child++;
        if (!open_before(open, weighed, open->entries[child], moving))
            break;
        open->entries[at] = open->entries[child];
        at = child;
    }
    open->entries[at] = moving;
    return least;
}

static inline void open_end(struct open *open)
{
    arena_release(open->arena, open->entries);
    open->entries = NULL;
}

#endif
