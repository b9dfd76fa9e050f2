#include "search/priced_first.h"
#include "search/costs.h"

struct priced {
    struct search *search;
    const struct best_first *settings;
    struct store store; /* finds the current node of a state, as in search/expansion.h */
    struct node_costs costs;
    struct priced_heap open; /* may hold nodes that were replaced: they are closed, passed over */
    uint64_t live;           /* nodes on the open list, replaced ones not counted */
    struct enode enode;
    struct node_cost enode_cost;
};

static struct priced_entry entry_of(const struct best_first *settings, struct node_cost cost,
                                    uint32_t id)
{
    const bool weighted = settings->h_weight != 0;
    const uint128 g_weight = weighted ? (unsigned)settings->g_weight : settings->counts_g;
    const uint128 h_weight = weighted ? (unsigned)settings->h_weight : 1;
    return priced_entry(g_weight * cost.g + h_weight * cost.h, cost.g, id, settings->ties);
}

/* Makes a live node. Returns its number, or NO_NODE when the budget is spent. */
KERNEL uint32_t add_live(struct priced *priced, enum packing packing, union packed state,
                         struct node node, struct node_cost cost)
{
    struct store *store = &priced->store;
    const uint32_t id = store->count;
    if (!store_reserve(store, packing) || !node_costs_reserve(&priced->costs, store) ||
        !priced_heap_push(&priced->open, entry_of(priced->settings, cost, id))) {
        priced->search->status = STATUS_memory_limit;
        return NO_NODE;
    }
    priced->costs.of[id] = cost;
    *store_append(store, packing, id, state) = node;
    priced->live++;
    raise_to(&priced->search->statistics.max_depth, node.g);
    return id;
}

/* A child has the state of the stored node at `place`: it is dropped, or takes the place of that.
 * False when memory is spent. */
KERNEL bool meet(struct priced *priced, enum packing packing, struct node node, uint64_t g,
                 struct place place)
{
    const struct best_first *settings = priced->settings;
    struct statistics *statistics = &priced->search->statistics;
    struct store *store = &priced->store;
    struct node *known = &store->nodes[place.id];
    const struct node_cost cost = priced->costs.of[place.id];
    if (!settings->counts_g || g >= cost.g || (known->closed && settings->keeps_closed)) {
        statistics->duplicates++;
        return true;
    }
    if (known->closed) {
        statistics->reopened++;
    } else {
        raise_to(&statistics->max_open, priced->live);
        priced->live--;
    }
    known->closed = 1;
    const uint32_t id = add_live(priced, packing, store_state(store, packing, place.id), node,
                                 (struct node_cost){g, cost.h});
    if (id != NO_NODE)
        store_settle(store, id, place);
    return id != NO_NODE;
}

/* Makes a live node of a successor of node `parent`, unless the settings drop it. False when the
 * search is over. */
KERNEL bool make_child(struct priced *priced, enum packing packing, uint32_t parent,
                       struct successor successor, union packed goal)
{
    const struct best_first *settings = priced->settings;
    struct search *search = priced->search;
    struct store *store = &priced->store;
    const bool stored = settings->duplicates == DUPLICATES_STORED;
    const uint64_t g = priced->enode_cost.g + move_cost(search, successor.tile);
    const struct node node = node_of_successor(parent, &priced->enode, &successor, 0);
    if (!search_generates(search))
        return false;
    if (stored) {
        const struct place place = store_look(store, packing, successor.state);
        if (place.id != NO_NODE)
            return meet(priced, packing, node, g, place);
    }
    const uint64_t h = priced_successor_h(search, &priced->enode, priced->enode_cost.h, &successor);
    const uint32_t id = add_live(priced, packing, successor.state, node, (struct node_cost){g, h});
    if (id == NO_NODE)
        return false;
    if (stored && !store_enter(store, packing, id)) {
        search->status = STATUS_memory_limit;
        return false;
    }
    if (settings->test_at_generation && packed_equal(packing, successor.state, goal)) {
        store_solution(store, id, search);
        return false;
    }
    return true;
}

KERNEL bool expand(struct priced *priced, enum packing packing, uint32_t id, union packed goal)
{
    struct search *search = priced->search;
    bool goes_on = true;
    priced->store.nodes[id].closed = 1;
    store_unpack(&priced->store, packing, id, priced->settings->duplicates != DUPLICATES_NONE,
                 &priced->enode);
    priced->enode_cost = priced->costs.of[id];
    if (!search_expands(search, &priced->enode))
        return false;
    const struct exits *exits = enode_exits(search, &priced->enode);
    for (unsigned i = 0; i < exits->count && goes_on; i++)
        goes_on = make_child(priced, packing, id,
                             successor_by(packing, &priced->enode, exits->exit[i]), goal);
    raise_to(&search->statistics.max_open, priced->live);
    return goes_on;
}

/* Takes the first live node; false if there is none. */
static bool take(struct priced *priced, uint32_t *id)
{
    do {
        if (priced->open.count == 0)
            return false;
        *id = priced_entry_id(priced_heap_pop(&priced->open), priced->settings->ties);
    } while (priced->store.nodes[*id].closed);
    priced->live--;
    return true;
}

KERNEL void priced_loop(struct priced *priced, enum packing packing, uint64_t depth_limit)
{
    const struct best_first *settings = priced->settings;
    struct search *search = priced->search;
    struct store *store = &priced->store;
    const struct board *start = &search->task->start;
    const union packed goal = pack(packing, &search->task->goal);
    const struct node root = {.parent = NO_NODE, .blank = start->blank, .move = MOVE_NONE};
    if (!search_generates(search))
        return;
    uint32_t id = add_live(priced, packing, pack(packing, start), root,
                           (struct node_cost){0, priced_start_h(search)});
    if (id == NO_NODE)
        return;
    if (settings->duplicates == DUPLICATES_STORED && !store_enter(store, packing, id)) {
        search->status = STATUS_memory_limit;
        return;
    }
    raise_to(&search->statistics.max_open, priced->live);
    if (settings->test_at_generation &&
        packed_equal(packing, store_state(store, packing, id), goal)) {
        store_solution(store, id, search);
        return;
    }
    while (take(priced, &id)) {
        if (!settings->test_at_generation &&
            packed_equal(packing, store_state(store, packing, id), goal)) {
            store_solution(store, id, search);
            return;
        }
        if (store->nodes[id].g >= depth_limit)
            store->nodes[id].closed = 1;
        else if (!expand(priced, packing, id, goal))
            return;
    }
    search->status = STATUS_exhausted;
}

#define STAMP_PRICED(name, packing)                                                                \
    static void name(struct priced *priced, uint64_t depth_limit)                                  \
    {                                                                                              \
        priced_loop(priced, packing, depth_limit);                                                 \
    }
STAMP_PRICED(priced_64, PACK_64)
STAMP_PRICED(priced_128, PACK_128)
STAMP_PRICED(priced_bytes, PACK_BYTES)

void priced_first(struct search *search, const struct best_first *settings, uint64_t depth_limit)
{
    void (*const stamped[])(struct priced *, uint64_t) = {priced_64, priced_128, priced_bytes};
    struct priced priced = {
        .search = search, .settings = settings, .enode.board = search->task->start};
    store_start(&priced.store, &search->arena);
    priced_heap_start(&priced.open, &search->arena);
    stamped[packing_of(search->task->start.shape)](&priced, depth_limit);
    search->statistics.max_stored =
        settings->duplicates == DUPLICATES_STORED ? priced.store.entries : priced.store.count;
    search->statistics.open_at_end = priced.live;
    priced_heap_end(&priced.open);
    arena_release(&search->arena, priced.costs.of);
    store_end(&priced.store);
}
