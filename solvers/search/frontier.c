#include "search/frontier.h"

void frontier_start(struct frontier *frontier, struct search *search,
                    const struct best_first *settings)
{
    const bool weighted = settings->h_weight != 0;
    *frontier = (struct frontier){
        .search = search, .settings = settings, .enode.board = search->task->start};
    search_table_steps(search, &frontier->steps);
    frontier->needs_board = search_needs_board(search);
    frontier->calls_h = search->heuristic != NULL && search->steps == NULL;
    store_start(&frontier->store, &search->arena);
    bucket_queue_start(&frontier->open, &search->arena, settings->ties, viewed(search));
    if (weighted)
        open_weight(&frontier->open.heap, settings->g_weight, settings->h_weight);
    if (viewed(search))
        view_costs(search, weighted ? settings->g_weight : settings->counts_g,
                   weighted ? settings->h_weight : 1);
}

void frontier_end(struct frontier *frontier)
{
    struct search *search = frontier->search;
    search->statistics.max_stored = frontier->settings->duplicates == DUPLICATES_STORED
                                        ? frontier->store.entries
                                        : frontier->store.count;
    search->statistics.open_at_end = frontier->live;
    search->steps = NULL;
    bucket_queue_end(&frontier->open);
    store_end(&frontier->store);
}

/* Makes room for the next node, of which a state that is new is to be entered if `enters`. */
static bool make_room(struct frontier *frontier, enum packing packing, bool enters)
{
    const struct best_first *settings = frontier->settings;
    struct store *store = &frontier->store;
    const bool weighted = settings->h_weight != 0;
    if ((!weighted && !bucket_queue_reserve(&frontier->open, store->count)) ||
        !store_reserve(store, packing) ||
        (enters && store->entries >= store->room && !store_grow_table(store, packing))) {
        frontier->search->status = STATUS_memory_limit;
        return false;
    }
    uint64_t full = store->capacity;
    if (!weighted && frontier->open.capacity > 0 && full > frontier->open.capacity)
        full = frontier->open.capacity;
    if (settings->duplicates == DUPLICATES_STORED) {
        const uint64_t left = store->room > store->entries ? store->room - store->entries : 1;
        if (full > store->count + left)
            full = store->count + left;
    }
    frontier->full = (uint32_t)full;
    return true;
}

uint64_t frontier_make_room(struct frontier *frontier, uint32_t parent, struct exit exit)
{
    const struct store *store = &frontier->store;
    const enum packing packing = packing_of(frontier->search->task->start.shape);
    const bool stored = frontier->settings->duplicates == DUPLICATES_STORED;
    if (!make_room(frontier, packing, stored))
        return NO_SLOT;
    const union packed state = store_state(store, packing, parent);
    const unsigned blank = store->nodes[parent].blank;
    return stored ? store_look(store, packing, successor_of(packing, state, blank, exit).state).slot
                  : 0;
}

KERNEL bool enter_root(struct frontier *frontier, enum packing packing)
{
    const struct best_first *settings = frontier->settings;
    struct store *store = &frontier->store;
    const uint32_t root = store_add_root(store, packing, frontier->search);
    if (root == NO_NODE)
        return false;
    bucket_queue_at(&frontier->open, 0);
    if ((settings->h_weight == 0 && !bucket_queue_reserve(&frontier->open, root)) ||
        (settings->duplicates == DUPLICATES_STORED && !store_enter(store, packing, root)) ||
        !frontier_push(frontier, settings, root, 0, store->nodes[root].h)) {
        frontier->search->status = STATUS_memory_limit;
        store->count = 0; /* it does not count as stored */
        store->entries = 0;
        return false;
    }
    frontier->full = store->count;
    frontier->live++;
    raise_to(&frontier->search->statistics.max_open, frontier->live);
    return true;
}

bool frontier_root(struct frontier *frontier)
{
    return enter_root(frontier, packing_of(frontier->search->task->start.shape));
}

void frontier_show_child(struct frontier *frontier, struct successor successor, uint32_t known)
{
    const struct best_first *settings = frontier->settings;
    struct enode *enode = &frontier->enode;
    struct event event = store_event(&frontier->store, known, enode->g + 1);
    event.known_closed = event.fate == FATE_REOPENED && settings->keeps_closed;
    if (known != NO_NODE && (event.known_closed || !settings->counts_g))
        event.fate = FATE_DUPLICATE;
    view_successor(frontier->search, enode, successor,
                   successor_h(frontier->search, enode, &successor), event);
}

bool frontier_unpack(struct frontier *frontier, bool prune_undo, uint32_t id)
{
    struct search *search = frontier->search;
    const enum packing packing = packing_of(search->task->start.shape);
    store_unpack(&frontier->store, packing, id, prune_undo, &frontier->enode);
    return search->observer == NULL || search_shows(search, &frontier->enode);
}

KERNEL bool meet(struct frontier *frontier, enum packing packing, uint32_t parent, unsigned g,
                 struct exit exit, struct place place)
{
    const struct best_first *settings = frontier->settings;
    struct statistics *statistics = &frontier->search->statistics;
    struct store *store = &frontier->store;
    struct node *known = &store->nodes[place.id];
    const unsigned h = known->h;
    if (!settings->counts_g || g >= known->g || (known->closed && settings->keeps_closed)) {
        statistics->duplicates++;
        return true;
    }
    if (known->closed) {
        statistics->reopened++;
    } else {
        raise_to(&statistics->max_open, frontier->live);
        frontier->live--;
    }
    known->closed = 1; /* the open list may still hold it: it is passed over there */
    if (store->count == frontier->full && !make_room(frontier, packing, false))
        return false;
    const uint32_t id = store->count;
    if (!frontier_push(frontier, settings, id, g, h)) {
        frontier->search->status = STATUS_memory_limit;
        return false;
    }
    *store_append(store, packing, id, store_state(store, packing, place.id)) =
        (struct node){.parent = parent,
                      .g = g,
                      .h = (uint16_t)h,
                      .blank = exit.from,
                      .move = (uint8_t)(exit.move & 15)};
    store_settle(store, id, place);
    frontier->live++;
    return true;
}

bool frontier_meet(struct frontier *frontier, uint32_t parent, unsigned g, struct exit exit,
                   struct place place)
{
    const enum packing packing = packing_of(frontier->search->task->start.shape);
    return meet(frontier, packing, parent, g, exit, place);
}
