/* Greedy descent: from each board to the neighbour with the smallest h, without undoing the last
 * move; of equal h, to the first in operator order. It never goes back. This is what short greedy
 * programs for the 15-puzzle do.
 *
 * It gives up (`stuck`) when it comes to a board for the second time. */
#include "algorithms/algorithm.h"
#include "search/store.h"

const struct option_row descent_options[] = NO_OPTIONS;

KERNEL void descent_loop(struct search *search, enum packing packing, struct store *store)
{
    struct statistics *statistics = &search->statistics;
    const union packed goal = pack(packing, &search->task->goal);
    struct enode enode = {.board = search->task->start};
    uint32_t id = store_add_root(store, packing, search);
    if (id == NO_NODE)
        return;
    statistics->max_open = 1;
    for (;;) {
        if (!store_enter(store, packing, id)) {
            search->status = STATUS_memory_limit;
            return;
        }
        statistics->max_stored = store->count;
        statistics->max_depth = store->nodes[id].g;
        if (packed_equal(packing, store_state(store, packing, id), goal)) {
            store_solution(store, id, search);
            return;
        }
        store_unpack(store, packing, id, true, &enode);
        if (!search_expands(search, &enode))
            return;
        struct successor best = {.move = MOVE_NONE};
        unsigned best_h = UINT16_MAX;
        for (unsigned turn = 0; turn < MOVES; turn++) {
            struct successor successor;
            if (!successor_make(search, packing, &enode, turn, &successor))
                continue;
            if (!search_generates(search))
                return;
            unsigned h = successor_h(search, &enode, &successor);
            if (h < best_h) {
                best = successor;
                best_h = h;
            }
        }
        assert(best.move != MOVE_NONE); /* every cell has at least two neighbours */
        if (store_find(store, packing, best.state) != NO_NODE) {
            statistics->duplicates++;
            search->status = STATUS_stuck;
            return;
        }
        struct node node = {.parent = id,
                            .g = enode.g + 1,
                            .h = (uint16_t)best_h,
                            .blank = (uint8_t)best.from,
                            .move = (uint8_t)(best.move & 15)};
        id = store_add(store, packing, best.state, node);
        if (id == NO_NODE) {
            search->status = STATUS_memory_limit;
            return;
        }
    }
}

KERNEL void descent_search(struct search *search, enum packing packing)
{
    struct store store;
    store_start(&store, &search->arena);
    descent_loop(search, packing, &store);
    store_end(&store);
}

STAMP_ALGORITHM(descent)
