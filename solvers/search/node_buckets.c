#include "search/node_buckets.h"
#include <limits.h>
#include <string.h>

void node_buckets_start(struct node_buckets *queue, struct arena *arena, enum ties ties,
                        bool on_heap)
{
    const bool by_g = ties == TIES_HIGH_G || ties == TIES_LOW_G;
    *queue =
        (struct node_buckets){.limit = on_heap ? 0 : BUCKET_COSTS, .by_g = by_g ? UINT_MAX : 0};
    node_heap_start(&queue->heap, arena, ties);
}

void node_buckets_end(struct node_buckets *queue)
{
    struct arena *arena = queue->heap.arena;
    arena_release(arena, queue->heads);
    arena_release(arena, queue->tails);
    arena_release(arena, queue->next);
    node_heap_end(&queue->heap);
}

uint32_t node_buckets_pop_heap(struct node_buckets *queue)
{
    return node_heap_id(&queue->heap, node_heap_pop(&queue->heap, false));
}

/* Makes the array of a word for each bucket as long as `wider` needs it. False when the budget is
 * spent. */
static bool lengthen(const struct node_buckets *queue, const struct node_buckets *wider,
                     uint32_t **words)
{
    const uint64_t count = (uint64_t)queue->costs * queue->depth;
    const uint64_t wanted = (uint64_t)wider->costs * wider->depth;
    uint32_t *longer = arena_resize(queue->heap.arena, *words, wanted * sizeof *longer);
    if (longer == NULL)
        return false;
    memset(longer + count, 0, (wanted - count) * sizeof *longer);
    *words = longer;
    return true;
}

/* Moves each word to its place in the longer array, the last ones first: no place is before the old
 * one. Of the buckets of a cost, new ones come first or last. */
static void spread(const struct node_buckets *queue, const struct node_buckets *wider,
                   uint32_t *words)
{
    const unsigned before = queue->heap.ties == TIES_HIGH_G ? wider->depth - queue->depth : 0;
    for (unsigned cost = queue->costs; cost-- > 0;) {
        uint32_t *old = words + (uint64_t)cost * queue->depth;
        uint32_t *place =
            words + (uint64_t)(cost + queue->base - wider->base) * wider->depth + before;
        const uint64_t moved = (uint64_t)(place - old);
        memmove(place, old, queue->depth * sizeof *words);
        memset(old, 0, (moved < queue->depth ? moved : queue->depth) * sizeof *words);
    }
}

/* Makes a bucket for this cost, and this g or 0. False when the budget is spent. */
static bool widen(struct node_buckets *queue, unsigned cost, unsigned place)
{
    enum { FIRST_DEPTH = 8 };
    const bool has_tails = queue->heap.ties == TIES_FIFO;
    const unsigned end = queue->base + queue->costs;
    const unsigned more = 4 + queue->costs / 4;
    struct node_buckets wider = *queue;
    if (queue->costs == 0)
        wider.base = cost;
    else if (cost < queue->base)
        wider.base = cost < more ? 0 : cost - more;
    wider.costs = (cost < end                   ? end
                   : cost + more < queue->limit ? cost + more
                                                : queue->limit) -
                  wider.base;
    if (wider.depth == 0)
        wider.depth = queue->by_g ? FIRST_DEPTH : 1;
    while (place >= wider.depth)
        wider.depth *= 2;
    if (!lengthen(queue, &wider, &queue->heads))
        return false;
    queue->first = queue->heads; /* they may have moved, whether there is room for tails or not */
    if (has_tails && !lengthen(queue, &wider, &queue->tails))
        return false;
    spread(queue, &wider, queue->heads);
    if (has_tails)
        spread(queue, &wider, queue->tails);
    queue->base = wider.base;
    queue->costs = wider.costs;
    queue->depth = wider.depth;
    queue->start = (uint64_t)wider.base * wider.depth;
    queue->buckets = (uint64_t)wider.costs * wider.depth;
    queue->flip = queue->heap.ties == TIES_HIGH_G ? wider.depth - 1 : 0;
    return true;
}

bool node_buckets_push_new(struct node_buckets *queue, uint32_t id, unsigned cost)
{
    if (cost >= queue->limit)
        return node_heap_push(&queue->heap, false,
                              node_heap_entry(&queue->heap, id, cost, queue->g));
    if (!widen(queue, cost, queue->g & queue->by_g))
        return false;
    node_buckets_at(queue, queue->g);
    return node_buckets_push(queue, id, cost);
}

/* As many as the store makes room for (store_grow). */
CALLED bool node_buckets_reserve(struct node_buckets *queue, uint32_t id)
{
    if (id < queue->capacity || queue->limit == 0)
        return true;
    enum { FIRST = 256, MIN = 16 };
    struct arena *arena = queue->heap.arena;
    const uint64_t left = (arena->budget - arena->used) / sizeof *queue->next;
    uint64_t more = queue->capacity == 0 ? FIRST : arena_more(queue->capacity);
    while (queue->capacity + more <= id)
        more *= 2;
    if (more > left)
        more = left;
    if (more < MIN || queue->capacity + more <= id)
        return false;
    const uint64_t capacity = queue->capacity + more;
    uint32_t *next = arena_resize(arena, queue->next, capacity * sizeof *next);
    if (next == NULL)
        return false;
    queue->next = next;
    queue->capacity = capacity;
    return true;
}
