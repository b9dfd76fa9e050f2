#include "search/expansion.h"

void expansion_start(struct expansion *expansion, struct search *search,
                     const struct best_first *settings)
{
    const bool weighted = settings->h_weight != 0;
    *expansion = (struct expansion){
        .search = search, .settings = settings, .enode.board = search->task->start};
    search_table_steps(search, &expansion->steps);
    expansion->needs_board = search_needs_board(search);
    expansion->calls_h = search->heuristic != NULL && search->steps == NULL;
    store_start(&expansion->store, &search->arena);
    node_buckets_start(&expansion->open, &search->arena, settings->ties, viewed(search));
    if (weighted)
        node_heap_weight(&expansion->open.heap, settings->g_weight, settings->h_weight);
    view_costs(search, weighted ? settings->g_weight : settings->counts_g,
               weighted ? settings->h_weight : 1);
}

void expansion_end(struct expansion *expansion)
{
    struct search *search = expansion->search;
    search->statistics.max_stored = expansion->settings->duplicates == DUPLICATES_STORED
                                        ? expansion->store.entries
                                        : expansion->store.count;
    search->statistics.open_at_end = expansion->live;
    search->steps = NULL;
    node_buckets_end(&expansion->open);
    store_end(&expansion->store);
}

/* Makes room for the next node, of which a state that is new is to be entered if `enters`. */
static bool make_room(struct expansion *expansion, enum packing packing, bool enters)
{
    const struct best_first *settings = expansion->settings;
    struct store *store = &expansion->store;
    const bool weighted = settings->h_weight != 0;
    if ((!weighted && !node_buckets_reserve(&expansion->open, store->count)) ||
        !store_reserve(store, packing) ||
        (enters && store->entries >= store->room && !store_grow_table(store, packing))) {
        expansion->search->status = STATUS_memory_limit;
        return false;
    }
    uint64_t full = store->capacity;
    if (!weighted && expansion->open.capacity > 0 && full > expansion->open.capacity)
        full = expansion->open.capacity;
    if (settings->duplicates == DUPLICATES_STORED) {
        const uint64_t left = store->room > store->entries ? store->room - store->entries : 1;
        if (full > store->count + left)
            full = store->count + left;
    }
    expansion->full = (uint32_t)full;
    return true;
}

uint64_t expansion_make_room(struct expansion *expansion, uint32_t parent, struct exit exit)
{
    const struct store *store = &expansion->store;
    const enum packing packing = packing_of(expansion->search->task->start.shape);
    const bool stored = expansion->settings->duplicates == DUPLICATES_STORED;
    if (!make_room(expansion, packing, stored))
        return NO_SLOT;
    const union packed state = store_state(store, packing, parent);
    const unsigned blank = store->nodes[parent].blank;
    return stored ? store_look(store, packing, successor_of(packing, state, blank, exit).state).slot
                  : 0;
}

bool expansion_root(struct expansion *expansion)
{
    const enum packing packing = packing_of(expansion->search->task->start.shape);
    const struct best_first *settings = expansion->settings;
    struct store *store = &expansion->store;
    const uint32_t root = store_add_root(store, packing, expansion->search);
    if (root == NO_NODE)
        return false;
    node_buckets_at(&expansion->open, 0);
    if ((settings->h_weight == 0 && !node_buckets_reserve(&expansion->open, root)) ||
        (settings->duplicates == DUPLICATES_STORED && !store_enter(store, packing, root)) ||
        !expansion_push(expansion, settings, root, 0, store->nodes[root].h)) {
        expansion->search->status = STATUS_memory_limit;
        store->count = 0; /* it does not count as stored */
        store->entries = 0;
        return false;
    }
    expansion->full = store->count;
    expansion->live++;
    raise_to(&expansion->search->statistics.max_open, expansion->live);
    return true;
}

void expansion_show_child(struct expansion *expansion, struct successor successor, uint32_t known)
{
    const struct best_first *settings = expansion->settings;
    struct enode *enode = &expansion->enode;
    struct event event = store_event(&expansion->store, known, enode->g + 1);
    event.known_closed = event.fate == FATE_REOPENED && settings->keeps_closed;
    if (known != NO_NODE && (event.known_closed || !settings->counts_g))
        event.fate = FATE_DUPLICATE;
    view_successor(expansion->search, enode, successor,
                   successor_h(expansion->search, enode, &successor), event);
}

bool expansion_unpack(struct expansion *expansion, bool prune_undo, uint32_t id)
{
    struct search *search = expansion->search;
    const enum packing packing = packing_of(search->task->start.shape);
    store_unpack(&expansion->store, packing, id, prune_undo, &expansion->enode);
    view_expects(search, id + UINT64_C(1));
    return search->observer == NULL || search_shows(search, &expansion->enode);
}

bool expansion_meet(struct expansion *expansion, uint32_t parent, unsigned g, struct exit exit,
                    struct place place)
{
    const enum packing packing = packing_of(expansion->search->task->start.shape);
    const struct best_first *settings = expansion->settings;
    struct statistics *statistics = &expansion->search->statistics;
    struct store *store = &expansion->store;
    struct node *known = &store->nodes[place.id];
    const unsigned h = known->h;
    if (!settings->counts_g || g >= known->g || (known->closed && settings->keeps_closed)) {
        statistics->duplicates++;
        return true;
    }
    if (known->closed) {
        statistics->reopened++;
    } else {
        raise_to(&statistics->max_open, expansion->live);
        expansion->live--;
    }
    known->closed = 1; /* the open list may still hold it: it is passed over there */
    if (store->count == expansion->full && !make_room(expansion, packing, false))
        return false;
    const uint32_t id = store->count;
    if (!expansion_push(expansion, settings, id, g, h)) {
        expansion->search->status = STATUS_memory_limit;
        return false;
    }
    *store_append(store, packing, id, store_state(store, packing, place.id)) =
        (struct node){.parent = parent,
                      .g = g,
                      .h = (uint16_t)h,
                      .blank = exit.from,
                      .move = (uint8_t)(exit.move & 15)};
    store_settle(store, id, place);
    expansion->live++;
    return true;
}
