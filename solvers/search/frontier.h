/* What A* and the best-first loop share: the nodes of a search, those of them that are live, and
 * how a node is expanded.
 *
 * Settings that are constants in the caller cost nothing, as what is done for every node is
 * inlined. Most children reach a new state; what is done for the others is called. */
#ifndef SEARCH_FRONTIER_H
#define SEARCH_FRONTIER_H

#include "search/best_first.h"
#include "search/bucket_queue.h"
#include "search/store.h"

struct frontier {
    struct search *search;
    struct store store;       /* all nodes; finds the current node of a state */
    struct bucket_queue open; /* may hold nodes that were replaced: they are closed, passed over;
                                 weighted costs are on its heap */
    uint64_t live;            /* nodes on the open list, replaced ones not counted */
};

/* Raises max_open and max_stored. */
KERNEL void frontier_count(const struct frontier *frontier, const struct best_first *settings)
{
    struct statistics *statistics = &frontier->search->statistics;
    raise_to(&statistics->max_open, frontier->live);
    raise_to(&statistics->max_stored, settings->duplicates == DUPLICATES_STORED
                                          ? frontier->store.entries
                                          : frontier->store.count);
}

/* Starts an empty one. */
void frontier_start(struct frontier *frontier, struct search *search,
                    const struct best_first *settings);

/* Notes the last counts, and gives back the memory. */
void frontier_end(struct frontier *frontier, const struct best_first *settings);

/* Makes the root a live node. False when the search must end; its status is set. */
bool frontier_root(struct frontier *frontier, const struct best_first *settings);

/* Shows a child of whose state the stored node is `known`. */
SELDOM void frontier_show_child(struct frontier *frontier, const struct best_first *settings,
                                struct enode *enode, struct successor successor, uint32_t known);

/* Puts a node on the open list; `row` is that of g (bucket_queue_row). False when memory is spent.
 */
KERNEL bool frontier_push(struct frontier *frontier, const struct best_first *settings,
                          uint64_t *row, uint32_t id, unsigned g, unsigned h)
{
    struct open *heap = &frontier->open.heap;
    if (settings->h_weight != 0)
        return open_push(heap, true, open_weighted_entry(heap, id, g, h));
    return bucket_queue_push(&frontier->open, row, id, settings->counts_g ? g + h : h, g);
}

/* Takes the live node of minimum cost from the open list; NO_NODE if there is none. */
KERNEL uint32_t frontier_take(struct frontier *frontier, const struct best_first *settings)
{
    struct open *heap = &frontier->open.heap;
    for (;;) {
        uint32_t id;
        if (settings->h_weight == 0) {
            if (!bucket_queue_pop(&frontier->open, &id))
                return NO_NODE;
        } else if (heap->count == 0) {
            return NO_NODE;
        } else {
            id = open_id(heap, open_pop(heap, true));
        }
        if (!frontier->store.nodes[id].closed) {
            frontier->live--;
            return id;
        }
    }
}

/* A child of depth g of node `parent`, by one of its exits, has the state of the stored node at
 * `place`: it is dropped, or takes the place of that. False when memory is spent; search->status
 * says so. */
bool frontier_meet(struct frontier *frontier, const struct best_first *settings, uint64_t *row,
                   uint32_t parent, unsigned g, struct exit exit, struct place place);

/* Makes room for a node, whose number is the next one, and puts it on the open list; store_append
 * is to follow. False when memory is spent. */
KERNEL bool frontier_announce(struct frontier *frontier, enum packing packing,
                              const struct best_first *settings, uint64_t *row, unsigned g,
                              unsigned h)
{
    return frontier_push(frontier, settings, row, frontier->store.count, g, h) &&
           store_reserve(&frontier->store, packing);
}

/* Expands node `id`, which is closed then: makes live nodes of its children, but those that the
 * settings drop for a node of the same state. False when the search is over; its status is set.
 * `enode` is filled in only if an observer or a heuristic without a table of steps has to see it.
 */
KERNEL bool frontier_expand(struct frontier *frontier, struct search *search, enum packing packing,
                            const struct best_first *settings, bool is_viewed, uint32_t id,
                            struct enode *enode, union packed goal)
{
    struct store *store = &frontier->store;
    struct node *const node = &store->nodes[id];
    const bool stored = settings->duplicates == DUPLICATES_STORED;
    const bool prune_undo = settings->duplicates != DUPLICATES_NONE;
    const union packed state = store_state(store, packing, id);
    const unsigned blank = node->blank;
    const uint32_t g = node->g + 1;
    const unsigned parent_h = node->h;
    const struct exits *exits =
        &search->operators.exits[blank][prune_undo ? node_undo(node) : MOVE_NONE];
    node->closed = 1;
    if (search_needs_board(search))
        store_unpack(store, packing, id, prune_undo, enode);
    if (!search_expands(search, enode))
        return false;
    if (is_viewed)
        store_show_expansion(store, id, search, enode);
    const int16_t(*steps)[MAX_CELLS] = search->steps == NULL ? NULL : search->steps->of[blank];
    const unsigned count = exits->count;
    const unsigned allowed = search_may_generate(search, count);
    uint64_t row = bucket_queue_row(&frontier->open, g);
    for (unsigned i = 0; i < allowed; i++) {
        const struct exit *const exit = &exits->exit[i];
        const struct successor successor = successor_of(packing, state, blank, *exit);
        struct place place = {.id = NO_NODE};
        search->statistics.generated++;
        if (stored)
            place = store_look(store, packing, successor.state);
        if (is_viewed)
            frontier_show_child(frontier, settings, enode, successor, place.id);
        if (place.id != NO_NODE) {
            if (!frontier_meet(frontier, settings, &row, id, g, *exit, place))
                return false;
            continue;
        }
        const unsigned h = steps != NULL ? parent_h + (unsigned)steps[exit->move][successor.tile]
                                         : successor_h(search, enode, &successor);
        if (!frontier_announce(frontier, packing, settings, &row, g, h)) {
            search->status = STATUS_memory_limit;
            return false;
        }
        *store_append(store, packing, successor.state) =
            (struct node){.parent = id,
                          .g = g,
                          .h = (uint16_t)h,
                          .blank = exit->from,
                          .move = (uint8_t)(exit->move & 15)};
        if (stored && !store_put(store, packing, store->count - 1, place)) {
            search->status = STATUS_memory_limit;
            return false;
        }
        frontier->live++;
        raise_to(&search->statistics.max_depth, g);
        if (settings->test_at_generation && packed_equal(packing, successor.state, goal)) {
            store_solution(store, store->count - 1, search);
            return false;
        }
    }
    frontier_count(frontier, settings);
    if (is_viewed && allowed == count)
        store_show_open(store, &frontier->open.heap, frontier->live, search);
    return allowed == count;
}

#endif
