/* What a cheapest path from each board of a shape to a goal costs, by an algorithm of Dijkstra's of
 * the tests' own. */
#pragma once

#include "puzzle/costs.h"
#include "puzzle/moves.h"
#include "tests/support.h"

struct exact {
    struct ranking ranking;
    uint64_t *cost; /* by rank */
};

/* An entry of the open list. */
struct entry {
    uint64_t cost;
    uint32_t rank;
};

static inline void push(struct entry *heap, size_t *count, struct entry entry)
{
    size_t at = (*count)++;
    for (; at > 0 && heap[(at - 1) / 2].cost > entry.cost; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = entry;
}

static inline struct entry pop(struct entry *heap, size_t *count)
{
    const struct entry first = heap[0];
    const struct entry last = heap[--*count];
    size_t at = 0;
    for (size_t child = 1; child < *count; child = 2 * at + 1) {
        child += child + 1 < *count && heap[child + 1].cost < heap[child].cost;
        if (heap[child].cost >= last.cost)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

/* What each board's way to the goal costs; exact.cost is to be freed. */
static inline struct exact exact_to(const struct board *goal, const struct move_costs *costs)
{
    struct exact exact;
    assert_true(ranking_make(goal, &exact.ranking));
    const uint32_t size = exact.ranking.size;
    SCOPED struct entry *heap = heap_take(4 * (size_t)size, sizeof *heap);
    size_t count = 0;
    exact.cost = heap_take(size, sizeof *exact.cost);
    for (uint32_t rank = 0; rank < size; rank++)
        exact.cost[rank] = UINT64_MAX;
    const uint32_t first = ranking_rank(&exact.ranking, goal);
    exact.cost[first] = 0;
    push(heap, &count, (struct entry){0, first});
    while (count > 0) {
        const struct entry entry = pop(heap, &count);
        struct board board;
        if (entry.cost > exact.cost[entry.rank])
            continue;
        ranking_unrank(&exact.ranking, entry.rank, &board);
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = move_target(board.shape, board.blank, move);
            if (to == NO_CELL)
                continue;
            struct board next = board;
            const uint64_t cost = entry.cost + costs->of[board.cell[to]];
            board_slide(&next, to);
            const uint32_t rank = ranking_rank(&exact.ranking, &next);
            if (cost < exact.cost[rank]) {
                exact.cost[rank] = cost;
                push(heap, &count, (struct entry){cost, rank});
            }
        }
    }
    return exact;
}
