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
    [WIDTH] = {.name = "width",
               .help = "the nodes of each layer that are kept",
               .kind = OPTION_NUMBER,
               .fallback = 100,
               .min = 1,
               .max = 100000000},
    {.kind = OPTION_END},
};

struct beam {
    struct search *search;
    struct store store;
    uint32_t head;   /* the node that was taken last */
    uint32_t *tally; /* how many nodes of the layer being generated have which h */
    unsigned tally_room;
    uint64_t *numbers; /* for an observer, by node: cut layers move up, so they differ */
    uint64_t numbers_room;
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

/* What is shown of a stored node. */
static struct node_seen seen_of(const struct beam *beam, uint32_t id, struct board *board)
{
    struct node_seen node = store_seen(&beam->store, id, board);
    node.number = beam->numbers[id];
    if (node.parent != 0)
        node.parent = beam->numbers[node.parent - 1];
    return node;
}

/* Notes a node's number. False when the budget is spent. */
static bool set_number(struct beam *beam, uint32_t id, uint64_t number)
{
    if (id >= beam->numbers_room) {
        const uint64_t room = beam->numbers_room == 0 ? 256 : 2 * beam->numbers_room;
        uint64_t *numbers =
            arena_resize(&beam->search->arena, beam->numbers, room * sizeof *numbers);
        if (numbers == NULL) {
            beam->search->status = STATUS_memory_limit;
            return false;
        }
        beam->numbers = numbers;
        beam->numbers_room = room;
    }
    beam->numbers[id] = number;
    return true;
}

static SELDOM void show_drop(const struct beam *beam, uint32_t id)
{
    struct board board = beam->search->task->start;
    const struct node_seen node = seen_of(beam, id, &board);
    view_node(beam->search, &board,
              (struct event){.kind = EVENT_DROPS, .node = node, .fate = FATE_WORSE});
}

/* Shows the nodes from `head` on in the order in which they will be expanded, unless cut. */
static SELDOM void show_live(const struct beam *beam, uint32_t head)
{
    struct board board = beam->search->task->start;
    bool on = view_step(beam->search, beam->store.count - head);
    for (; on && head < beam->store.count; head++) {
        const struct node_seen node = seen_of(beam, head, &board);
        on = view_live(beam->search, node, &board);
    }
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
            if (viewed(beam->search))
                show_drop(beam, id);
            store_leave(store, packing, id);
            continue;
        }
        room -= h == worst;
        if (viewed(beam->search))
            beam->numbers[kept] = beam->numbers[id];
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
        if (viewed(search)) {
            const struct node_seen node = seen_of(beam, head, &enode.board);
            view_expands(search, &enode, (struct event){.node = node});
        }
        const struct exits *exits = enode_exits(search, &enode);
        for (unsigned i = 0; i < exits->count; i++) {
            const struct successor successor = successor_by(packing, &enode, exits->exit[i]);
            if (!search_generates(search))
                return false;
            const uint32_t known = store_find(store, packing, successor.state);
            const unsigned h =
                known == NO_NODE || viewed(search) ? successor_h(search, &enode, &successor) : 0;
            if (viewed(search)) {
                const uint64_t number = view_successor(search, &enode, successor, h,
                                                       store_event(store, known, enode.g + 1));
                if (known == NO_NODE && !set_number(beam, store->count, number))
                    return false;
            }
            if (known != NO_NODE) {
                statistics->duplicates++;
                continue;
            }
            if (!count(beam, h)) {
                search->status = STATUS_memory_limit;
                return false;
            }
            const uint32_t id = store_keep_child(store, packing, search, &successor,
                                                 node_of_successor(head, &enode, &successor, h));
            if (id == NO_NODE)
                return false;
            raise_to(&statistics->max_open, store->count - head - 1);
            if (packed_equal(packing, successor.state, goal)) {
                store_solution(store, id, search);
                return false;
            }
        }
        if (viewed(search))
            show_live(beam, head + 1);
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
    if (viewed(search) && !set_number(beam, root, 1))
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
    if (viewed(search))
        view_costs(search, 0, 1);
    store_start(&beam.store, &search->arena);
    beam_loop(&beam, packing);
    if (beam.store.count > beam.head)
        search->statistics.open_at_end = beam.store.count - beam.head - 1;
    store_end(&beam.store);
    arena_release(&search->arena, beam.tally);
    arena_release(&search->arena, beam.numbers);
}

STAMP_ALGORITHM(beam)
