/* Greedy descent: from each board to the neighbour with the smallest h, without undoing the last
 * move; of equal h, to the first in operator order. It never goes back. This is what short greedy
 * programs for the 15-puzzle do.
 *
 * It gives up (`stuck`) when it comes to a board for the second time. */
#include "search/algorithm.h"
#include "search/store.h"

DECLARE_ALGORITHM(descent);

const struct option_row descent_options[] = NO_OPTIONS;

/* Shows that a child of the E-node, the best so far, is not gone to. */
static void show_drop(struct search *search, const struct enode *enode,
                      const struct successor *best, unsigned h, struct event event)
{
    struct board board = enode->board;
    board_slide(&board, best->from);
    event.kind = EVENT_DROPS;
    event.node = view_path(search, enode->g + 1, h, best->move);
    view_node(search, &board, event);
}

/* Shows a child of the E-node; `best` is the best before it. */
static void show_child(struct search *search, const struct enode *enode,
                       const struct successor *child, unsigned h, const struct successor *best,
                       unsigned best_h)
{
    const bool better = h < best_h;
    if (better && best->move != MOVE_NONE)
        show_drop(search, enode, best, best_h, (struct event){.fate = FATE_WORSE});
    view_successor(search, enode, *child, h,
                   (struct event){.fate = better ? FATE_KEPT : FATE_WORSE});
}

/* Shows the one live node: the best child. */
static void show_live(struct search *search, const struct enode *enode,
                      const struct successor *best, unsigned h)
{
    struct board board = enode->board;
    board_slide(&board, best->from);
    if (view_step(search, 1))
        view_live(search, view_path(search, enode->g + 1, h, best->move), &board);
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
        if (viewed(search))
            view_expands(
                search, &enode,
                (struct event){.node = view_path(search, enode.g, enode.h, store->nodes[id].move)});
        struct successor best = {.move = MOVE_NONE};
        unsigned best_h = UINT16_MAX;
        const struct exits *exits = enode_exits(search, &enode);
        for (unsigned i = 0; i < exits->count; i++) {
            const struct successor successor = successor_by(packing, &enode, exits->exit[i]);
            if (!search_generates(search))
                return;
            unsigned h = successor_h(search, &enode, &successor);
            if (viewed(search))
                show_child(search, &enode, &successor, h, &best, best_h);
            if (h < best_h) {
                best = successor;
                best_h = h;
            }
        }
        assert(best.move != MOVE_NONE); /* every cell has at least two neighbours */
        const uint32_t known = store_find(store, packing, best.state);
        if (known != NO_NODE) {
            if (viewed(search))
                show_drop(search, &enode, &best, best_h,
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
        if (viewed(search))
            show_live(search, &enode, &best, best_h);
    }
}

KERNEL void descent_search(struct search *search, enum packing packing)
{
    struct store store;
    if (viewed(search))
        view_costs(search, 0, 1);
    store_start(&store, &search->arena);
    descent_loop(search, packing, &store);
    store_end(&store);
}

STAMP_ALGORITHM(descent)
