/* The open list of the searches whose costs are whole numbers that are small as a rule: a bucket of
 * live nodes for each cost, or for each cost and g where g breaks ties (buckets in place of a heap:
 * Dial, "Algorithm 360: shortest-path forest with topological ordering", Communications of the ACM
 * 12, 1969). It takes nodes in the order of the heap (search/open.h).
 *
 * Nodes are pushed in the order of their numbers. So a bucket is a list of which the newest node is
 * the first, or, with ties=fifo, the oldest. The buckets lie in one array in the order in which
 * they are taken, which grows with the range of the costs and of g. `first` is a bucket before
 * which all are empty.
 *
 * A live node is a cell of 8 bytes: its number, and the next cell of its bucket. Cells that become
 * free are used again.
 *
 * Nodes of a cost from `limit` on are on the heap, and are taken when all buckets are empty. */
#ifndef SEARCH_BUCKET_QUEUE_H
#define SEARCH_BUCKET_QUEUE_H

#include "search/open.h"

struct bucket_cell {
    uint32_t id;
    uint32_t next; /* 0: none */
};

struct bucket_queue {
    struct open heap;
    unsigned limit;
    unsigned base;   /* the cost of the first buckets */
    unsigned costs;  /* for how many there are buckets */
    unsigned depth;  /* buckets of a cost, by g below this; a power of two */
    unsigned by_g;   /* a mask for g: 0 if it does not break ties */
    unsigned flip;   /* depth - 1 if the deepest goes first: turns the order round; else 0 */
    uint32_t *heads; /* the first cell of each bucket; 0: it is empty */
    uint32_t *tails; /* the last cells, with ties=fifo */
    uint64_t first;
    uint64_t count;            /* of nodes in the buckets */
    struct bucket_cell *cells; /* the first is never used */
    uint64_t capacity;         /* of cells */
    uint64_t used;             /* cells from here on were never used */
    uint32_t spare;            /* the first of a chain of free cells; 0: none */
};

enum { BUCKET_COSTS = 1024 };

/* Starts an empty list. on_heap: all nodes are to be on the heap, for those who look at it. */
void bucket_queue_start(struct bucket_queue *queue, struct arena *arena, enum ties ties,
                        bool on_heap);

void bucket_queue_end(struct bucket_queue *queue);

/* Makes a bucket for this cost, and this g or 0. False when the budget is spent. */
SELDOM bool bucket_queue_widen(struct bucket_queue *queue, unsigned cost, unsigned place);

/* What follows for nodes that are on the heap. */
bool bucket_queue_push_heap(struct bucket_queue *queue, uint32_t id, unsigned cost, unsigned g);
bool bucket_queue_pop_heap(struct bucket_queue *queue, uint32_t *id);

/* Makes room for more cells. False when the budget is spent. */
SELDOM bool bucket_queue_grow(struct bucket_queue *queue);

/* Adds node `id`, whose number is larger than those of all nodes added before. Where g breaks ties
 * it is no larger than the cost. False when the budget is spent. */
KERNEL bool bucket_queue_push(struct bucket_queue *queue, uint32_t id, unsigned cost, unsigned g)
{
    const unsigned place = g & queue->by_g;
    if (UNLIKELY(cost - queue->base >= queue->costs || place >= queue->depth)) {
        if (cost >= queue->limit)
            return bucket_queue_push_heap(queue, id, cost, g);
        if (!bucket_queue_widen(queue, cost, place))
            return false;
    }
    uint32_t cell = queue->spare;
    if (cell != 0) {
        queue->spare = queue->cells[cell].next;
    } else {
        if (UNLIKELY(queue->used >= queue->capacity) && !bucket_queue_grow(queue))
            return false;
        cell = (uint32_t)queue->used++;
    }
    const uint64_t bucket = (uint64_t)(cost - queue->base) * queue->depth + (place ^ queue->flip);
    if (bucket < queue->first)
        queue->first = bucket;
    queue->count++;
    const uint32_t head = queue->heads[bucket];
    if (queue->heap.ties == TIES_FIFO) {
        queue->cells[cell] = (struct bucket_cell){id, 0};
        if (head != 0)
            queue->cells[queue->tails[bucket]].next = cell;
        else
            queue->heads[bucket] = cell;
        queue->tails[bucket] = cell;
    } else {
        queue->cells[cell] = (struct bucket_cell){id, head};
        queue->heads[bucket] = cell;
    }
    return true;
}

/* Takes the first node; false if there is none. */
KERNEL bool bucket_queue_pop(struct bucket_queue *queue, uint32_t *id)
{
    if (UNLIKELY(queue->count == 0))
        return bucket_queue_pop_heap(queue, id);
    uint64_t bucket = queue->first;
    while (queue->heads[bucket] == 0)
        bucket++;
    queue->first = bucket;
    queue->count--;
    const uint32_t cell = queue->heads[bucket];
    *id = queue->cells[cell].id;
    queue->heads[bucket] = queue->cells[cell].next;
    queue->cells[cell].next = queue->spare;
    queue->spare = cell;
    return true;
}

#endif
