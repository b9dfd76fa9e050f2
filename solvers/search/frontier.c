#include "search/frontier.h"

void frontier_start(struct frontier *frontier, struct search *search,
                    const struct best_first *settings)
{
    const bool weighted = settings->h_weight != 0;
    *frontier = (struct frontier){.search = search};
    store_start(&frontier->store, &search->arena);
    bucket_queue_start(&frontier->open, &search->arena, settings->ties, viewed(search));
    if (weighted)
        open_weight(&frontier->open.heap, settings->g_weight, settings->h_weight);
    if (viewed(search))
        view_costs(search, weighted ? settings->g_weight : settings->counts_g,
                   weighted ? settings->h_weight : 1);
}

void frontier_end(struct frontier *frontier, const struct best_first *settings)
{
    frontier_count(frontier, settings);
    frontier->search->statistics.open_at_end = frontier->live;
    bucket_queue_end(&frontier->open);
    store_end(&frontier->store);
}

KERNEL bool enter_root(struct frontier *frontier, enum packing packing,
                       const struct best_first *settings)
{
    struct store *store = &frontier->store;
    uint64_t row = bucket_queue_row(&frontier->open, 0);
    const uint32_t root = store_add_root(store, packing, frontier->search);
    if (root == NO_NODE)
        return false;
    if ((settings->duplicates == DUPLICATES_STORED && !store_enter(store, packing, root)) ||
        !frontier_push(frontier, settings, &row, root, 0, store->nodes[root].h)) {
        frontier->search->status = STATUS_memory_limit;
        store->count = 0; /* it does not count as stored */
        store->entries = 0;
        return false;
    }
    frontier->live++;
    frontier_count(frontier, settings);
    return true;
}

bool frontier_root(struct frontier *frontier, const struct best_first *settings)
{
    return enter_root(frontier, packing_of(frontier->search->task->start.shape), settings);
}

void frontier_show_child(struct frontier *frontier, const struct best_first *settings,
                         struct enode *enode, struct successor successor, uint32_t known)
{
    struct event event = store_event(&frontier->store, known, enode->g + 1);
    event.known_closed = event.fate == FATE_REOPENED && settings->keeps_closed;
    if (known != NO_NODE && (event.known_closed || !settings->counts_g))
        event.fate = FATE_DUPLICATE;
    view_successor(frontier->search, enode, successor,
                   successor_h(frontier->search, enode, &successor), event);
}

KERNEL bool meet(struct frontier *frontier, enum packing packing, const struct best_first *settings,
                 uint64_t *row, uint32_t parent, unsigned g, struct exit exit, struct place place)
{
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
        frontier_count(frontier, settings);
        frontier->live--;
    }
    known->closed = 1; /* the open list may still hold it: it is passed over there */
    if (!frontier_announce(frontier, packing, settings, row, g, h)) {
        frontier->search->status = STATUS_memory_limit;
        return false;
    }
    *store_append(store, packing, store_state(store, packing, place.id)) =
        (struct node){.parent = parent,
                      .g = g,
                      .h = (uint16_t)h,
                      .blank = exit.from,
                      .move = (uint8_t)(exit.move & 15)};
    store_put(store, packing, store->count - 1, place);
    frontier->live++;
    raise_to(&statistics->max_depth, g);
    return true;
}

bool frontier_meet(struct frontier *frontier, const struct best_first *settings, uint64_t *row,
                   uint32_t parent, unsigned g, struct exit exit, struct place place)
{
    const enum packing packing = packing_of(frontier->search->task->start.shape);
    return meet(frontier, packing, settings, row, parent, g, exit, place);
}
