/* A binary heap of items by cost, for algorithms of Dijkstra's that count no nodes. An item is a
 * structure that begins with its cost, a uint64_t; its size is the same in all calls. */
#pragma once

#include "base/heap.h"
#include <stdint.h>
#include <string.h>

struct cost_heap {
    char *items; /* owned; free() */
    size_t count, room;
};

static inline uint64_t cost_heap_cost(const void *item)
{
    uint64_t cost;
    memcpy(&cost, item, sizeof cost);
    return cost;
}

/* Adds a copy of an item of `size` bytes. Ends the program with a message if memory runs out. */
static inline void cost_heap_push(struct cost_heap *heap, const void *item, size_t size)
{
    const uint64_t cost = cost_heap_cost(item);
    size_t at = heap->count++;
    char *items = heap->items = heap_reserve(heap->items, &heap->room, at + 1, size);
    for (size_t above; at > 0; at = above) {
        above = (at - 1) / 2;
        if (cost_heap_cost(items + above * size) <= cost)
            break;
        memcpy(items + at * size, items + above * size, size);
    }
    memcpy(items + at * size, item, size);
}

/* Stores an item of the least cost, and removes it; there must be one. */
static inline void cost_heap_pop(struct cost_heap *heap, void *item, size_t size)
{
    char *items = heap->items;
    const size_t count = --heap->count; /* the last item stays there until its place is found */
    const uint64_t last = cost_heap_cost(items + count * size);
    size_t at = 0;
    memcpy(item, items, size);
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count &&
            cost_heap_cost(items + (child + 1) * size) < cost_heap_cost(items + child * size))
            child++;
        if (cost_heap_cost(items + child * size) >= last)
            break;
        memcpy(items + at * size, items + child * size, size);
    }
    memmove(items + at * size, items + count * size, size);
}
