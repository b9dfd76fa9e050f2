#include "search/store.h"

/* Takes a bit of the hash from each slot for the numbers. */
static void widen_numbers(struct store *store)
{
    const uint32_t bit = store->tags & -store->tags;
    for (uint64_t slot = 0; slot < store->slot_count; slot++)
        store->slots[slot] &= ~bit;
    store->tags &= ~bit;
}

/* Grows as arena_more says, or by as much as the budget still allows. */
CALLED bool store_grow(struct store *store, size_t state_bytes)
{
    enum { FIRST = 256, MIN = 16 };
    size_t node_bytes = state_bytes + sizeof(struct node);
    uint64_t left = (store->arena->budget - store->arena->used) / node_bytes;
    uint64_t more = store->capacity == 0 ? FIRST : arena_more(store->capacity);
    if (more > left)
        more = left;
    if (more > NO_NODE - 1 - store->capacity)
        more = NO_NODE - 1 - store->capacity;
    if (more < MIN)
        return false;
    uint64_t capacity = store->capacity + more;
    unsigned char *states = arena_resize(store->arena, store->states, capacity * state_bytes);
    if (states == NULL)
        return false;
    store->states = states;
    struct node *nodes = arena_resize(store->arena, store->nodes, capacity * sizeof *nodes);
    if (nodes == NULL)
        return false;
    store->nodes = nodes;
    store->capacity = (uint32_t)capacity;
    while (~store->tags < capacity)
        widen_numbers(store);
    return true;
}

/* Makes twice as many slots, or, of MIDDLING, four times as many if the budget allows: one step in
 * which states are entered again is left out, as long as the table is small beside the nodes. */
KERNEL bool grow_table(struct store *store, enum packing packing)
{
    enum { FIRST_BITS = 8, MIDDLING = 1 << 16 };
    const uint32_t *const old = store->slots;
    const uint64_t old_count = store->slot_count;
    unsigned bits = old_count == 0 ? FIRST_BITS : old_count == MIDDLING ? 2 : 1;
    uint64_t count = (old_count == 0 ? 1 : old_count) << bits;
    uint32_t *slots = arena_take(store->arena, count * sizeof *slots);
    if (slots == NULL && bits == 2) {
        bits = 1;
        count = 2 * old_count;
        slots = arena_take(store->arena, count * sizeof *slots);
    }
    if (slots == NULL)
        return store->entries < old_count / 16 * 15;
    const uint32_t numbers = ~store->tags;
    while (~store->tags < count) /* a step ahead of widen_numbers, which then need not be called */
        store->tags <<= 1;
    const uint32_t kept = store->tags | numbers;
    const unsigned shift = (old_count == 0 ? 64 : store->home_shift) - bits;
    const unsigned char *const states = store->states;
    for (uint64_t i = 0; i < old_count; i++) {
        const uint32_t held = old[i];
        if (held == 0)
            continue;
        const union packed state = packed_load(packing, states, (held & numbers) - 1);
        uint64_t slot = packed_hash(packing, state) >> shift;
        while (slots[slot] != 0)
            slot = (slot + 1) & (count - 1);
        slots[slot] = held & kept;
    }
    arena_release(store->arena, store->slots);
    store->slots = slots;
    store->slot_count = count;
    store->last_slot = count - 1;
    store->home_shift = shift;
    store->room = count / 4 * 3;
    return true;
}

CALLED bool store_grow_table(struct store *store, enum packing packing)
{
    return packing == PACK_64    ? grow_table(store, PACK_64)
           : packing == PACK_128 ? grow_table(store, PACK_128)
                                 : grow_table(store, PACK_BYTES);
}

struct node_seen store_seen(const struct store *store, uint32_t id, struct board *board)
{
    const struct node *node = &store->nodes[id];
    const enum packing packing = packing_of(board->shape);
    board->blank = node->blank;
    unpack(packing, store_state(store, packing, id), board);
    return (struct node_seen){.number = id + UINT64_C(1),
                              .parent = node->parent == NO_NODE ? 0 : node->parent + UINT64_C(1),
                              .move = node->move,
                              .side = node->side,
                              .g = node->g,
                              .h = node->h};
}

struct event store_event(const struct store *store, uint32_t known, uint32_t g)
{
    if (known == NO_NODE)
        return (struct event){.fate = FATE_KEPT};
    const struct node *node = &store->nodes[known];
    const enum fate shorter = node->closed ? FATE_REOPENED : FATE_SHORTER;
    return (struct event){.fate = node->g > g ? shorter : FATE_DUPLICATE, .known_g = node->g};
}

void store_show_known(const struct store *store, struct search *search, struct enode *enode,
                      struct successor successor, uint32_t known)
{
    view_successor(search, enode, successor, successor_h(search, enode, &successor),
                   (struct event){.fate = FATE_DUPLICATE, .known_g = store->nodes[known].g});
}

/* The entries are taken out, wait in the places that become free at the heap's end, and are put
 * back. As no two are equal, that changes no order. */
bool store_show_heap(const struct store *store, struct node_heap *open, uint32_t except,
                     struct search *search)
{
    const bool weighted = open->h_weight != 0;
    const uint64_t count = open->count;
    struct board board = search->task->start;
    bool on = true;
    while (on && open->count > 0) {
        const uint64_t entry = node_heap_pop(open, weighted);
        const uint32_t id = node_heap_id(open, entry);
        open->entries[open->count] = entry;
        if (!store->nodes[id].closed && id != except)
            on = view_live(search, store_seen(store, id, &board),
                           weighted ? 0 : node_heap_cost(entry), &board);
    }
    while (open->count < count)
        (void)node_heap_push(open, weighted, open->entries[open->count]); /* there is room */
    return on;
}

void store_show_open(const struct store *store, struct node_heap *open, uint64_t live,
                     struct search *search)
{
    if (view_step(search, live))
        store_show_heap(store, open, NO_NODE, search);
}

void store_show_drop(const struct store *store, uint32_t id, struct search *search, enum fate fate,
                     uint64_t limit)
{
    struct board board = search->task->start;
    const struct node_seen node = store_seen(store, id, &board);
    view_expects(search, node.number);
    view_drops(search, &board, node.g, node.side, (struct event){.fate = fate, .limit = limit});
}

void store_solution(const struct store *store, uint32_t id, struct search *search)
{
    size_t length = store->nodes[id].g;
    char *moves = search_solved(search, length);
    if (moves == NULL)
        return;
    for (size_t i = length; i > 0; i--) {
        moves[i - 1] = move_letters[store->nodes[id].move];
        id = store->nodes[id].parent;
    }
    assert(store->nodes[id].parent == NO_NODE);
}
