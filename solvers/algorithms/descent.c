/* Greedy descent: from each board to the neighbour with the smallest h, without undoing the last
 * move; of equal h, to the first in operator order. It never goes back. This is what short greedy
 * programs for the 15-puzzle do.
 *
 * It gives up (`stuck`) when it comes to a board for the second time. */
#include "search/algorithm.h"
#include "search/store.h"

DECLARE_ALGORITHM(descent);

const struct option_row descent_options[] = NO_OPTIONS;

/* A child of the E-node, the best so far, is not gone to. */
static void drop(struct search *search, const struct enode *enode, const struct successor *best,
                 struct event event)
{
    struct board board = enode->board;
    if (!viewed(search))
        return;
    board_slide(&board, best->from);
    view_drops(search, &board, enode->g + 1, START, event);
}

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
        const struct exits *exits = enode_exits(search, &enode);
        for (unsigned i = 0; i < exits->count; i++) {
            const struct successor successor = successor_by(packing, &enode, exits->exit[i]);
            if (!search_generates(search))
                return;
            unsigned h = successor_h(search, &enode, &successor);
            const bool better = h < best_h;
            if (better && best.move != MOVE_NONE)
                drop(search, &enode, &best, (struct event){.fate = FATE_WORSE});
            search_shows_child(search, &enode, &successor, h, better ? FATE_KEPT : FATE_WORSE, 0);
            if (better) {
                best = successor;
                best_h = h;
            }
        }
        assert(best.move != MOVE_NONE); /* every cell has at least two neighbours */
        const uint32_t known = store_find(store, packing, best.state);
        if (known != NO_NODE) {
            drop(search, &enode, &best,
                 (struct event){.fate = FATE_DUPLICATE, .known_g = store->nodes[known].g});
            statistics->duplicates++;
            search->status = STATUS_stuck;
            return;
        }
        id = store_add(store, packing, best.state, node_of_successor(id, &enode, &best, best_h));
        if (id == NO_NODE) {
            search->status = STATUS_memory_limit;
            return;
        }
        search_expanded(search);
    }
}

KERNEL void descent_search(struct search *search, enum packing packing)
{
    struct store store;
    view_costs(search, 0, 1);
    store_start(&store, &search->arena);
    descent_loop(search, packing, &store);
    store_end(&store);
}

STAMP_ALGORITHM(descent)
