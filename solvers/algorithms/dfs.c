/* Depth-first search (Russell and Norvig, section 3.4.3): the newest live node is expanded next,
 * the first operator's child before the others. The goal test is made when a node is taken from the
 * stack.
 *
 * duplicates=stored (default): a state that is live or was expanded is not added again, however it
 * is reached. This ends on every board, but with a depth_limit it can miss a solution: a state that
 * was met too deep blocks a shorter way to it. If any shorter way was dropped, the answer is
 * `stuck`, not `exhausted`. duplicates=path: only states on the current path are not entered again;
 * memory grows with the depth alone. duplicates=none: nothing is checked, not even the way back to
 * the parent. It follows the leftmost path for ever; a limit ends it. depth_limit: nodes of that
 * depth are tested but not expanded. */
#include "search/algorithm.h"
#include "search/store.h"

DECLARE_ALGORITHM(dfs);

enum { DUPLICATES, DEPTH_LIMIT };
enum { STORED, PATH, NONE };

const struct option_row dfs_options[] = {
    [DUPLICATES] = {CHOICE_OPTION("duplicates", "which states met before are not added again",
                                  "stored", "path", "none"),
                    .forfeits = COMPLETE},
    [DEPTH_LIMIT] = DEPTH_LIMIT_OPTION("nodes of this depth are not expanded", 1000000000),
    {.kind = OPTION_END},
};

/* A depth-first search in progress. With duplicates=stored the store holds every node, and `stack`
 * the numbers of the live ones. Otherwise the store is the stack: closed nodes are the current
 * path, the others are live. */
struct depth_first {
    struct search *search;
    struct store store;
    uint32_t *stack;
    uint64_t stack_capacity;
    uint64_t live;
    bool blocked; /* a state was dropped although this path to it was shorter */
};

static bool stack_push(struct depth_first *dfs, uint32_t id)
{
    if (dfs->live == dfs->stack_capacity) {
        uint64_t capacity = dfs->stack_capacity == 0 ? 256 : 2 * dfs->stack_capacity;
        uint32_t *stack = arena_resize(&dfs->search->arena, dfs->stack, capacity * sizeof *stack);
        if (stack == NULL)
            return false;
        dfs->stack = stack;
        dfs->stack_capacity = capacity;
    }
    dfs->stack[dfs->live++] = id;
    return true;
}

/* Lists the children of the E-node that are kept, in operator order. Returns how many, or -1 when
 * the search is over. */
KERNEL int make_children(struct depth_first *dfs, enum packing packing, bool checked,
                         const struct enode *enode, struct successor children[MOVES])
{
    int count = 0;
    const struct exits *exits = enode_exits(dfs->search, enode);
    for (unsigned i = 0; i < exits->count; i++) {
        struct successor *child = &children[count];
        *child = successor_by(packing, enode, exits->exit[i]);
        if (!search_generates(dfs->search))
            return -1;
        uint32_t known = checked ? store_find(&dfs->store, packing, child->state) : NO_NODE;
        if (known == NO_NODE) {
            search_shows_child(dfs->search, enode, child, 0, FATE_KEPT, 0);
            count++;
            continue;
        }
        search_shows_child(dfs->search, enode, child, 0,
                           dfs->search->options[DUPLICATES] == PATH ? FATE_ON_PATH : FATE_DUPLICATE,
                           dfs->store.nodes[known].g);
        dfs->search->statistics.duplicates++;
        if (dfs->store.nodes[known].g > enode->g + 1)
            dfs->blocked = true;
    }
    return count;
}

/* Takes the newest live node; with path and none it first goes back up the path as far as needed.
 * NO_NODE if there is none. */
KERNEL uint32_t take(struct depth_first *dfs, enum packing packing, int64_t duplicates)
{
    struct store *store = &dfs->store;
    if (dfs->live == 0)
        return NO_NODE;
    if (duplicates == STORED)
        return dfs->stack[--dfs->live];
    while (store->nodes[store->count - 1].closed) {
        if (duplicates == PATH)
            store_leave(store, packing, store->count - 1);
        store->count--;
    }
    dfs->live--;
    return store->count - 1;
}

KERNEL bool add_children(struct depth_first *dfs, enum packing packing, int64_t duplicates,
                         uint32_t parent, const struct enode *enode,
                         const struct successor *children, int count)
{
    struct store *store = &dfs->store;
    uint32_t ids[MOVES];
    /* With `stored`, nodes are numbered in operator order; otherwise the store is the stack, and
     * the first child comes last. */
    for (int i = 0; i < count; i++) {
        const struct successor *child = &children[duplicates == STORED ? i : count - 1 - i];
        ids[i] =
            store_add(store, packing, child->state, node_of_successor(parent, enode, child, 0));
        if (ids[i] == NO_NODE || (duplicates == STORED && !store_enter(store, packing, ids[i])))
            return false;
    }
    if (duplicates != STORED) {
        dfs->live += (uint64_t)count;
        return true;
    }
    for (int i = count - 1; i >= 0; i--)
        if (!stack_push(dfs, ids[i]))
            return false;
    return true;
}

KERNEL void dfs_loop(struct depth_first *dfs, enum packing packing, int64_t duplicates)
{
    struct search *search = dfs->search;
    struct statistics *statistics = &search->statistics;
    struct store *store = &dfs->store;
    const int64_t depth_limit = search->options[DEPTH_LIMIT];
    const union packed goal = pack(packing, &search->task->goal);
    struct enode enode = {.board = search->task->start};
    uint32_t id = store_add_root(store, packing, search);
    if (id == NO_NODE)
        return;
    search->status = STATUS_memory_limit;
    if (duplicates == STORED) {
        if (!store_enter(store, packing, id) || !stack_push(dfs, id))
            return;
    } else {
        dfs->live = 1;
    }
    statistics->max_open = statistics->max_stored = 1;
    while ((id = take(dfs, packing, duplicates)) != NO_NODE) {
        struct node *node = &store->nodes[id];
        if (duplicates != STORED)
            raise_to(&statistics->max_stored, node->g + UINT64_C(1));
        if (packed_equal(packing, store_state(store, packing, id), goal)) {
            store_solution(store, id, search);
            return;
        }
        if (depth_limit != OPTION_UNSET && node->g >= depth_limit) {
            store_drop(store, id, search, FATE_DEPTH, (uint64_t)depth_limit);
            if (duplicates != STORED)
                store->count--;
            continue;
        }
        node->closed = 1;
        store_unpack(store, packing, id, duplicates != NONE, &enode);
        if (!search_expands(search, &enode))
            return;
        if (duplicates == PATH && !store_enter(store, packing, id))
            return;
        struct successor children[MOVES];
        int count = make_children(dfs, packing, duplicates != NONE, &enode, children);
        if (count < 0 || !add_children(dfs, packing, duplicates, id, &enode, children, count))
            return;
        raise_to(&statistics->max_open, dfs->live);
        if (duplicates == STORED)
            raise_to(&statistics->max_stored, store->count);
        if (count > 0)
            raise_to(&statistics->max_depth, enode.g + UINT64_C(1));
        search_expanded(search);
    }
    search->status = dfs->blocked && depth_limit != OPTION_UNSET ? STATUS_stuck : STATUS_exhausted;
}

KERNEL void dfs_search(struct search *search, enum packing packing)
{
    struct depth_first dfs = {.search = search};
    view_in_order(search, VIEW_STACK);
    store_start(&dfs.store, &search->arena);
    if (search->options[DUPLICATES] == STORED)
        dfs_loop(&dfs, packing, STORED);
    else if (search->options[DUPLICATES] == PATH)
        dfs_loop(&dfs, packing, PATH);
    else
        dfs_loop(&dfs, packing, NONE);
    search->statistics.open_at_end = dfs.live;
    store_end(&dfs.store);
    arena_release(&search->arena, dfs.stack);
}

STAMP_ALGORITHM(dfs)
