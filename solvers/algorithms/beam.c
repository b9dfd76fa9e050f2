/* Beam search (Lowerre, "The HARPY speech recognition system", dissertation, Carnegie Mellon
 * University, 1976; Bisiani, "Beam search", in Encyclopedia of Artificial Intelligence, 1987):
 * breadth first, but of each layer only the `width` nodes with the smallest h are kept; of equal h,
 * those generated first.
 *
 * All nodes of a layer are expanded, in the order in which they were generated, before the next
 * layer is cut to its width. The goal test is made when a node is generated. A state that is
 * stored, in this layer or an earlier one, is not added again; one that was cut may come back. The
 * nodes of all layers are held anyway, for the path, so it costs little to recognise them. Each
 * layer consists of new states, so the search ends: when a layer is empty it gives up (`stuck`). It
 * promises neither a shortest path nor any path.
 *
 * A layer is cut by counting how many nodes have which h, without sorting. */
#include "search/algorithm.h"
#include "search/store.h"

DECLARE_ALGORITHM(beam);

enum { WIDTH };

const struct option_row beam_options[] = {
    [WIDTH] = {NUMBER_OPTION("width", "the nodes of each layer that are kept", 100, 1, 100000000)},
    {.kind = OPTION_END},
};

struct beam {
    struct search *search;
    struct store store;
    uint32_t head;   /* the node that was taken last */
    uint32_t *tally; /* how many nodes of the layer being generated have which h */
    unsigned tally_room;
};

/* Counts a node of the layer being generated. False when the budget is spent. */
static bool count(struct beam *beam, unsigned h)
{
    if (h >= beam->tally_room) {
        unsigned room = 64;
        while (room <= h)
            room *= 2;
        uint32_t *tally = arena_resize(&beam->search->arena, beam->tally, room * sizeof *tally);
        if (tally == NULL)
            return false;
        memset(tally + beam->tally_room, 0, (room - beam->tally_room) * sizeof *tally);
        beam->tally = tally;
        beam->tally_room = room;
    }
    beam->tally[h]++;
    return true;
}

/* Removes all but the best `width` nodes from the layer that begins with node `first`, which has
 * more. False when the search is over. */
KERNEL bool cut(struct beam *beam, enum packing packing, uint32_t first, uint32_t width)
{
    enum { NODES_PER_LOOK = 4096 };
    struct store *store = &beam->store;
    unsigned worst =
        0; /* nodes of this h are kept while there is room, those of a smaller h always */
    uint32_t room = width;
    while (beam->tally[worst] <= room)
        room -= beam->tally[worst++];
    uint32_t kept = first;
    for (uint32_t id = first; id < store->count; id++) {
        if (id % NODES_PER_LOOK == 0 && !search_may_go_on(beam->search))
            return false;
        const unsigned h = store->nodes[id].h;
        if (h > worst || (h == worst && room == 0)) {
            store_drop(store, id, beam->search, FATE_WORSE, 0);
            store_leave(store, packing, id);
            continue;
        }
        room -= h == worst;
        if (kept != id)
            store_move(store, packing, id, kept);
        kept++;
    }
    store->count = kept;
    assert(store->entries == kept); /* every state kept is known, and none that was cut */
    return true;
}

/* Expands the layer of nodes first .. end - 1. False when the search is over. */
KERNEL bool expand_layer(struct beam *beam, enum packing packing, uint32_t first, uint32_t end,
                         union packed goal)
{
    struct search *search = beam->search;
    struct statistics *statistics = &search->statistics;
    struct store *store = &beam->store;
    struct enode enode = {.board = search->task->start};
    for (uint32_t head = first; head < end; head++) {
        beam->head = head;
        store_unpack(store, packing, head, true, &enode);
        if (!search_expands(search, &enode))
            return false;
        const struct exits *exits = enode_exits(search, &enode);
        for (unsigned i = 0; i < exits->count; i++) {
            const struct successor successor = successor_by(packing, &enode, exits->exit[i]);
            if (!search_generates(search))
                return false;
            const uint32_t known = store_find(store, packing, successor.state);
            if (known != NO_NODE) {
                store_drop_child(store, search, &enode, &successor, known);
                continue;
            }
            const unsigned h = successor_h(search, &enode, &successor);
            if (!count(beam, h)) {
                search->status = STATUS_memory_limit;
                return false;
            }
            const uint32_t id =
                store_keep_child(store, packing, search, head, &enode, &successor, h);
            if (id == NO_NODE)
                return false;
            raise_to(&statistics->max_open, store->count - head - 1);
            if (packed_equal(packing, successor.state, goal)) {
                store_solution(store, id, search);
                return false;
            }
        }
        search_expanded(search);
    }
    return true;
}

KERNEL void beam_loop(struct beam *beam, enum packing packing)
{
    struct search *search = beam->search;
    struct store *store = &beam->store;
    const union packed goal = pack(packing, &search->task->goal);
    const uint32_t width = (uint32_t)search->options[WIDTH];
    uint32_t first = 0;
    const uint32_t root = store_add_root(store, packing, search);
    if (root == NO_NODE)
        return;
    if (!store_enter(store, packing, root)) {
        search->status = STATUS_memory_limit;
        return;
    }
    search->statistics.max_open = search->statistics.max_stored = 1;
    if (packed_equal(packing, store_state(store, packing, root), goal)) {
        store_solution(store, root, search);
        return;
    }
    while (first < store->count) {
        const uint32_t end = store->count;
        if (beam->tally_room > 0)
            memset(beam->tally, 0, beam->tally_room * sizeof *beam->tally);
        if (!expand_layer(beam, packing, first, end, goal))
            return;
        if (store->count - end > width && !cut(beam, packing, end, width))
            return;
        first = end;
    }
    search->status = STATUS_stuck;
}

KERNEL void beam_search(struct search *search, enum packing packing)
{
    struct beam beam = {.search = search};
    view_costs(search, 0, 1);
    store_start(&beam.store, &search->arena);
    beam_loop(&beam, packing);
    if (beam.store.count > beam.head)
        search->statistics.open_at_end = beam.store.count - beam.head - 1;
    store_end(&beam.store);
    arena_release(&search->arena, beam.tally);
}

STAMP_ALGORITHM(beam)
