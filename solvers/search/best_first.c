#include "search/best_first.h"
#include "search/bucket_queue.h"
#include "search/store.h"

struct frontier {
    struct search *search;
    const struct best_first *settings;
    struct store store;
    struct bucket_queue open; /* weighted costs are on its heap */
    uint64_t live;            /* nodes on the open list, replaced ones not counted */
};

/* Puts a node on the open list. False when memory is spent. */
KERNEL bool push(struct frontier *frontier, bool weighted, uint32_t id, unsigned g, unsigned h)
{
    struct statistics *statistics = &frontier->search->statistics;
    struct open *heap = &frontier->open.heap;
    const unsigned cost = frontier->settings->counts_g ? g + h : h;
    if (!(weighted ? open_push(heap, true, open_weighted_entry(heap, id, g, h))
                   : bucket_queue_push(&frontier->open, id, cost, g))) {
        frontier->search->status = STATUS_memory_limit;
        return false;
    }
    frontier->live++;
    raise_to(&statistics->max_open, frontier->live);
    raise_to(&statistics->max_stored, frontier->settings->duplicates == DUPLICATES_STORED
                                          ? frontier->store.entries
                                          : frontier->store.count);
    raise_to(&statistics->max_depth, g);
    return true;
}

/* Takes the first node from the open list, a live one or one that was replaced. */
KERNEL bool pop(struct frontier *frontier, bool weighted, uint32_t *id)
{
    struct open *heap = &frontier->open.heap;
    if (!weighted)
        return bucket_queue_pop(&frontier->open, id);
    if (heap->count == 0)
        return false;
    *id = open_id(heap, open_pop(heap, true));
    return true;
}

/* Takes the live node of minimum cost from the open list; NO_NODE if there is none. */
KERNEL uint32_t take(struct frontier *frontier, bool weighted)
{
    uint32_t id;
    while (pop(frontier, weighted, &id))
        if (!frontier->store.nodes[id].closed) {
            frontier->live--;
            return id;
        }
    return NO_NODE;
}

/* Shows a child of whose state the stored node is `known`. */
static SELDOM void show_child(struct frontier *frontier, struct enode *enode,
                              struct successor successor, uint32_t known)
{
    struct event event = store_event(&frontier->store, known, enode->g + 1);
    event.known_closed = event.fate == FATE_REOPENED && frontier->settings->keeps_closed;
    if (known != NO_NODE && (event.known_closed || !frontier->settings->counts_g))
        event.fate = FATE_DUPLICATE;
    view_successor(frontier->search, enode, successor,
                   successor_h(frontier->search, enode, &successor), event);
}

/* Whether the stored node `known` stays where a new node of depth `g` has its state; if not, the
 * new one replaces it. */
static bool stays(struct frontier *frontier, uint32_t known, uint32_t g)
{
    struct statistics *statistics = &frontier->search->statistics;
    struct node *node = &frontier->store.nodes[known];
    if (!frontier->settings->counts_g || g >= node->g ||
        (node->closed && frontier->settings->keeps_closed)) {
        statistics->duplicates++;
        return true;
    }
    if (node->closed)
        statistics->reopened++;
    else
        frontier->live--;
    node->closed = 1; /* the open list may still hold it: it is passed over there */
    return false;
}

/* Makes a live node of one successor. False when the search is over. */
KERNEL bool add_successor(struct frontier *frontier, enum packing packing, bool weighted,
                          bool is_viewed, uint32_t parent, struct enode *enode,
                          const struct successor *successor, union packed goal)
{
    struct search *search = frontier->search;
    struct store *store = &frontier->store;
    const bool stored = frontier->settings->duplicates == DUPLICATES_STORED;
    const uint32_t g = enode->g + 1;
    const struct place place =
        stored ? store_look(store, packing, successor->state) : (struct place){.id = NO_NODE};
    if (is_viewed)
        show_child(frontier, enode, *successor, place.id);
    if (place.id != NO_NODE && stays(frontier, place.id, g))
        return true;
    const unsigned h =
        place.id != NO_NODE ? store->nodes[place.id].h : successor_h(search, enode, successor);
    const uint32_t id = store_add(store, packing, successor->state,
                                  (struct node){.parent = parent,
                                                .g = g,
                                                .h = (uint16_t)h,
                                                .blank = (uint8_t)successor->from,
                                                .move = (uint8_t)(successor->move & 15)});
    if (id == NO_NODE || (stored && !store_put(store, packing, id, place))) {
        search->status = STATUS_memory_limit;
        return false;
    }
    if (!push(frontier, weighted, id, g, h))
        return false;
    if (frontier->settings->test_at_generation && packed_equal(packing, successor->state, goal)) {
        store_solution(store, id, search);
        return false;
    }
    return true;
}

KERNEL void best_first_loop(struct frontier *frontier, enum packing packing, bool weighted,
                            bool is_viewed)
{
    struct search *search = frontier->search;
    struct store *store = &frontier->store;
    const struct best_first *settings = frontier->settings;
    const bool needs_board = search_needs_board(search);
    const union packed goal = pack(packing, &search->task->goal);
    struct enode enode = {.board = search->task->start};
    uint32_t id = store_add_root(store, packing, search);
    if (id == NO_NODE)
        return;
    if (settings->duplicates == DUPLICATES_STORED && !store_enter(store, packing, id)) {
        search->status = STATUS_memory_limit;
        return;
    }
    if (!push(frontier, weighted, id, 0, store->nodes[id].h))
        return;
    search->status = STATUS_exhausted;
    if (settings->test_at_generation &&
        packed_equal(packing, store_state(store, packing, id), goal)) {
        store_solution(store, id, search);
        return;
    }
    while ((id = take(frontier, weighted)) != NO_NODE) {
        if (!settings->test_at_generation &&
            packed_equal(packing, store_state(store, packing, id), goal)) {
            store_solution(store, id, search);
            return;
        }
        store->nodes[id].closed = 1;
        store_load(store, packing, id, settings->duplicates != DUPLICATES_NONE, &enode);
        if (needs_board)
            unpack(packing, enode.state, &enode.board);
        if (!search_expands(search, &enode))
            return;
        if (is_viewed)
            store_show_expansion(store, id, search, &enode);
        const struct exits *exits = enode_exits(search, &enode);
        for (unsigned i = 0; i < exits->count; i++) {
            const struct successor successor = successor_by(packing, &enode, exits->exit[i]);
            if (!search_generates(search) || !add_successor(frontier, packing, weighted, is_viewed,
                                                            id, &enode, &successor, goal))
                return;
        }
        if (is_viewed)
            store_show_open(store, &frontier->open.heap, frontier->live, search);
    }
}

/* One copy of the loop for each packing, with plain costs and with weighted ones. */
#define STAMP_LOOP(name, packing, weighted)                                                        \
    static void name(struct frontier *frontier)                                                    \
    {                                                                                              \
        best_first_loop(frontier, packing, weighted, false);                                       \
    }
STAMP_LOOP(loop_64, PACK_64, false)
STAMP_LOOP(loop_128, PACK_128, false)
STAMP_LOOP(loop_bytes, PACK_BYTES, false)
STAMP_LOOP(weighted_64, PACK_64, true)
STAMP_LOOP(weighted_128, PACK_128, true)
STAMP_LOOP(weighted_bytes, PACK_BYTES, true)

/* The loop for an observer: one for all, as it need not be fast. */
static SELDOM void loop_viewed(struct frontier *frontier)
{
    best_first_loop(frontier, packing_of(frontier->search->task->start.shape),
                    frontier->settings->h_weight != 0, true);
}

void best_first(struct search *search, const struct best_first *settings)
{
    void (*const loops[2][3])(struct frontier *) = {{loop_64, loop_128, loop_bytes},
                                                    {weighted_64, weighted_128, weighted_bytes}};
    const bool weighted = settings->h_weight != 0;
    struct frontier frontier = {.search = search, .settings = settings};
    struct step_table steps;
    search_table_steps(search, &steps);
    store_start(&frontier.store, &search->arena);
    bucket_queue_start(&frontier.open, &search->arena, settings->ties, viewed(search));
    if (weighted)
        open_weight(&frontier.open.heap, settings->g_weight, settings->h_weight);
    if (viewed(search)) {
        view_costs(search, weighted ? settings->g_weight : settings->counts_g,
                   weighted ? settings->h_weight : 1);
        loop_viewed(&frontier);
    } else {
        loops[weighted][packing_of(search->task->start.shape)](&frontier);
    }
    search->statistics.open_at_end = frontier.live;
    bucket_queue_end(&frontier.open);
    store_end(&frontier.store);
    search->steps = NULL;
}
