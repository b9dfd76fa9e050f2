/* The open list where costs are small whole numbers as a rule, and nodes are pushed in the order of
 * their numbers: a bucket of live nodes for each cost, or for each cost and g where g breaks ties
 * (buckets instead of a heap: Dial, "Algorithm 360: shortest-path forest with topological
 * ordering", Communications of the ACM 12, 1969). It takes nodes in the order of the heap
 * (search/node_heap.h).
 *
 * Nodes are pushed in the order of their numbers. So a bucket is a list of which the newest node is
 * the first, or, with ties=fifo, the oldest. The buckets lie in one array in the order in which
 * they are taken, which grows with the range of the costs and of g. `first` points to a bucket
 * before which all are empty.
 *
 * Each node has a link of 4 bytes to the next one of its bucket, whether it is live or not: about
 * half of all nodes are live where a node has two children.
 *
 * Nodes of a cost from `limit` on are on the heap, and are taken when all buckets are empty. */
#pragma once

#include "search/node_heap.h"

struct node_buckets {
    struct node_heap heap;
    unsigned limit;
    unsigned base;    /* the cost of the first buckets */
    uint64_t start;   /* base * depth */
    unsigned costs;   /* for how many there are buckets */
    unsigned depth;   /* buckets of a cost, by g below this; a power of two */
    uint64_t buckets; /* costs * depth */
    unsigned by_g;    /* a mask for g: 0 if it does not break ties */
    unsigned flip;    /* depth - 1 if the deepest goes first: turns the order round; else 0 */
    unsigned g;       /* of the nodes to be added (node_buckets_at) ... */
    uint64_t row;     /* ... whose bucket is cost * depth + row, if that is below `buckets` */
    uint32_t *heads;  /* the number + 1 of the first node of each bucket; 0: it is empty */
    uint32_t *tails;  /* the number of its last node, with ties=fifo */
    uint32_t *first;
    uint64_t count;    /* of nodes in the buckets */
    uint32_t *next;    /* by a node's number: the next node of its bucket; 0: none */
    uint64_t capacity; /* of `next` */
};

enum { BUCKET_COSTS = 1024 };

/* Starts an empty list. on_heap: all nodes are to be on the heap, for an observer. */
void node_buckets_start(struct node_buckets *queue, struct arena *arena, enum ties ties,
                        bool on_heap);

void node_buckets_end(struct node_buckets *queue);

/* What follows for nodes that are on the heap, which is not empty. */
SELDOM uint32_t node_buckets_pop_heap(struct node_buckets *queue);

/* Makes room for the links of the nodes up to `id`. False when the budget is spent. */
CALLED bool node_buckets_reserve(struct node_buckets *queue, uint32_t id);

/* The nodes that are added from now on have depth g. */
KERNEL void node_buckets_at(struct node_buckets *queue, unsigned g)
{
    const unsigned place = g & queue->by_g;
    queue->g = g;
    queue->row = LIKELY(place < queue->depth) ? (place ^ queue->flip) - queue->start
                                              : UINT64_MAX / 2; /* above all buckets */
}

/* Adds a node for which there is no bucket yet. */
SELDOM bool node_buckets_push_new(struct node_buckets *queue, uint32_t id, unsigned cost);

/* Adds node `id`, whose number is larger than those of all nodes added before, and for which there
 * is room. Where g breaks ties it is no larger than the cost. False when the budget is spent. */
KERNEL bool node_buckets_push(struct node_buckets *queue, uint32_t id, unsigned cost)
{
    const uint64_t bucket = (uint64_t)cost * queue->depth + queue->row;
    if (UNLIKELY(bucket >= queue->buckets))
        return node_buckets_push_new(queue, id, cost);
    uint32_t *const head = &queue->heads[bucket];
    if (head < queue->first)
        queue->first = head;
    queue->count++;
    if (queue->heap.ties != TIES_FIFO) {
        queue->next[id] = *head;
        *head = id + 1;
        return true;
    }
    queue->next[id] = 0;
    if (*head != 0)
        queue->next[queue->tails[bucket]] = id + 1;
    else
        *head = id + 1;
    queue->tails[bucket] = id;
    return true;
}

/* Takes the first node; false if there is none. */
KERNEL bool node_buckets_pop(struct node_buckets *queue, uint32_t *id)
{
    if (UNLIKELY(queue->count == 0)) {
        if (queue->heap.count == 0)
            return false;
        *id = node_buckets_pop_heap(queue);
        return true;
    }
    uint32_t *head = queue->first;
    while (*head == 0)
        head++;
    queue->first = head;
    queue->count--;
    *id = *head - 1;
    *head = queue->next[*id];
    return true;
}
