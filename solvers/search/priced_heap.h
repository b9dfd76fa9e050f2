/* The open list where keys need 64 bits or more: exact costs of moves, and these weighted.
 *
 * A min-heap of four children each, as search/node_heap.h, of entries of 32 bytes. */
#pragma once

#include "puzzle/pack.h"
#include "search/node_heap.h"

struct priced_entry {
    uint128 key;  /* the smallest goes first ... */
    uint64_t tie; /* ... of equal keys the smallest of these ... */
    uint32_t age; /* ... and then of these: the node's number or its complement */
};

struct priced_heap {
    struct arena *arena;
    struct priced_entry *entries;
    uint64_t count;
    uint64_t capacity;
};

static inline void priced_heap_start(struct priced_heap *open, struct arena *arena)
{
    *open = (struct priced_heap){.arena = arena};
}

/* The entry of node `id`, whose cost so far is g; of equal keys `ties` decide (by g, not depth). */
static inline struct priced_entry priced_entry(uint128 key, uint64_t g, uint32_t id, enum ties ties)
{
    return (struct priced_entry){key,
                                 ties == TIES_HIGH_G  ? ~g
                                 : ties == TIES_LOW_G ? g
                                                      : 0,
                                 ties == TIES_FIFO ? id : ~id};
}

static inline uint32_t priced_entry_id(struct priced_entry entry, enum ties ties)
{
    return ties == TIES_FIFO ? entry.age : ~entry.age;
}

/* Adds an entry. False when the budget is spent. */
bool priced_heap_push(struct priced_heap *open, struct priced_entry entry);

/* Takes the first entry out of a list that is not empty. */
struct priced_entry priced_heap_pop(struct priced_heap *open);

static inline void priced_heap_end(struct priced_heap *open)
{
    arena_release(open->arena, open->entries);
    open->entries = NULL;
}
