/* Breadth-first search (Moore 1959; Russell and Norvig, section 3.4.1).
 *
 * Nodes are numbered in the order in which they are generated, and expanded in the same order: the
 * store is the queue. goal_test=generation (default) ends when the goal is generated, as textbooks
 * advise; goal_test=removal when it is taken from the queue, as many programs do. depth_limit:
 * nodes of that depth are not expanded, so that a search that finds no goal has stored the states
 * up to there.
 *
 * On boards of up to 12 cells a search that goes far leaves the store for a table of the whole
 * space (algorithms/perfect_hash_bfs.h): same order, same counters, less memory and time. It does
 * not where an observer wants to see it all. */
#include "algorithms/perfect_hash_bfs.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(bfs);

enum { GOAL_TEST, DEPTH_LIMIT };
enum { GENERATION, REMOVAL };

const struct option_row bfs_options[] = {
    [GOAL_TEST] = {CHOICE_OPTION("goal_test", "when a node is compared with the goal", "generation",
                                 "removal"),
                   .fallback = GENERATION},
    [DEPTH_LIMIT] = DEPTH_LIMIT_OPTION("nodes of this depth are not expanded", 1000000),
    {.kind = OPTION_END},
};

KERNEL void bfs_loop(struct search *search, enum packing packing, struct store *store)
{
    struct statistics *statistics = &search->statistics;
    const bool early = search->options[GOAL_TEST] == GENERATION;
    const uint64_t depth_limit = search->options[DEPTH_LIMIT] == OPTION_UNSET
                                     ? UINT64_MAX
                                     : (uint64_t)search->options[DEPTH_LIMIT];
    const union packed goal = pack(packing, &search->task->goal);
    struct enode enode = {.board = search->task->start};
    uint32_t head = 0; /* the next node to be expanded; the queue is head .. store->count - 1 */
    uint32_t layer_end = 1;
    uint64_t change_over = perfect_hash_bfs_from(search->task->start.shape);
    uint32_t id = store_add_root(store, packing, search);
    if (id == NO_NODE)
        return;
    if (!store_enter(store, packing, id)) {
        search->status = STATUS_memory_limit;
        return;
    }
    statistics->max_open = statistics->max_stored = 1;
    search->status = STATUS_exhausted;
    if (early && packed_equal(packing, store_state(store, packing, id), goal)) {
        store_solution(store, id, search);
        return;
    }
    for (; head < store->count; head++) {
        if (head == layer_end) {
            layer_end = store->count;
            if (packing == PACK_64 && store->count >= change_over && !viewed(search)) {
                if (perfect_hash_bfs_take_over(search, store, head, early, depth_limit))
                    return;
                change_over = UINT64_MAX;
            }
        }
        if (!early && packed_equal(packing, store_state(store, packing, head), goal)) {
            statistics->open_at_end = store->count - head - 1;
            store_solution(store, head, search);
            return;
        }
        if (store->nodes[head].g >= depth_limit) {
            store_drop(store, head, search, FATE_DEPTH, depth_limit);
            continue;
        }
        store_unpack(store, packing, head, true, &enode);
        if (!search_expands(search, &enode))
            return;
        const struct exits *exits = enode_exits(search, &enode);
        for (unsigned i = 0; i < exits->count; i++) {
            const struct successor successor = successor_by(packing, &enode, exits->exit[i]);
            if (!search_generates(search))
                return;
            const uint32_t known = store_find(store, packing, successor.state);
            if (known != NO_NODE) {
                store_drop_child(store, search, &enode, &successor, known);
                continue;
            }
            id = store_keep_child(store, packing, search, head, &enode, &successor, 0);
            if (id == NO_NODE)
                return;
            raise_to(&statistics->max_open, store->count - head - 1);
            if (early && packed_equal(packing, successor.state, goal)) {
                store_solution(store, id, search);
                return;
            }
        }
        search_expanded(search);
    }
}

KERNEL void bfs_search(struct search *search, enum packing packing)
{
    struct store store;
    store_start(&store, &search->arena);
    bfs_loop(search, packing, &store);
    /* What took over has emptied the store and said it, as a goal found on its turn has. */
    const bool early = search->options[GOAL_TEST] == GENERATION;
    if (store.count > 0 && search->status != STATUS_exhausted &&
        (early || search->status != STATUS_solved))
        search->statistics.open_at_end = store.count - search->statistics.expanded;
    store_end(&store);
}

STAMP_ALGORITHM(bfs)
