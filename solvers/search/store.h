/* The nodes of a search, and the table that finds them by state (open and closed list in one).
 *
 * Nodes are numbered in the order in which they are added. Their packed boards lie in one array (8,
 * 16 or 36 bytes each), the rest of each node (12 bytes) in another, so that a probe of the table
 * touches boards only. The table holds node numbers, 4 bytes a slot, with open addressing and
 * linear probing; it is at most three quarters full while it can grow. Algorithms that look nothing
 * up do not enter their nodes, and pay nothing for the table. */
#ifndef SEARCH_STORE_H
#define SEARCH_STORE_H

#include "search/open.h"
#include "search/view.h"

#define NO_NODE UINT32_MAX

struct node {
    uint32_t parent; /* NO_NODE for the root */
    uint32_t g;
    uint16_t h;
    uint8_t blank;
    uint8_t move : 4; /* the move that led here; MOVE_NONE for the root */
    uint8_t closed : 3;
    uint8_t side : 1; /* bidirectional searches: the root it comes from */
};

struct store {
    struct arena *arena;
    unsigned char *states;
    struct node *nodes;
    uint32_t count;
    uint32_t capacity;
    uint32_t *slots;     /* node number + 1; 0 is empty */
    uint64_t slot_count; /* a power of two, or 0 before the first entry */
    uint64_t entries;
};

static inline void store_start(struct store *store, struct arena *arena)
{
    *store = (struct store){.arena = arena};
}

/* Makes room for more nodes. False when the budget is spent. */
bool store_grow(struct store *store, size_t state_bytes);

/* Adds a node. Returns its number, or NO_NODE when the budget is spent. */
KERNEL uint32_t store_add(struct store *store, enum packing packing, union packed state,
                          struct node node)
{
    if (UNLIKELY(store->count == store->capacity) && !store_grow(store, packed_bytes(packing)))
        return NO_NODE;
    packed_store(packing, store->states, store->count, state);
    store->nodes[store->count] = node;
    return store->count++;
}

KERNEL union packed store_state(const struct store *store, enum packing packing, uint32_t id)
{
    return packed_load(packing, store->states, id);
}

/* The entered node with this state, or NO_NODE. */
KERNEL uint32_t store_find(const struct store *store, enum packing packing, union packed state)
{
    if (store->slot_count == 0)
        return NO_NODE;
    uint64_t mask = store->slot_count - 1;
    for (uint64_t slot = packed_hash(packing, state) & mask; store->slots[slot] != 0;
         slot = (slot + 1) & mask)
        if (packed_equal(packing, store_state(store, packing, store->slots[slot] - 1), state))
            return store->slots[slot] - 1;
    return NO_NODE;
}

/* What store_find finds, and the slot where it is or, if it is not there, belongs; valid until the
 * table changes. At least one node must have been entered. */
struct place {
    uint64_t slot;
    uint32_t id;
};

KERNEL struct place store_look(const struct store *store, enum packing packing, union packed state)
{
    const uint64_t mask = store->slot_count - 1;
    uint64_t slot = packed_hash(packing, state) & mask;
    uint32_t number;
    while ((number = store->slots[slot]) != 0 &&
           !packed_equal(packing, store_state(store, packing, number - 1), state))
        slot = (slot + 1) & mask;
    return (struct place){slot, number - 1};
}

/* The same where each side of a bidirectional search enters a state once: found[side] is the node
 * of each, or NO_NODE. One look at the table: nodes with equal states have the same first slot. */
KERNEL void store_find_sides(const struct store *store, enum packing packing, union packed state,
                             uint32_t found[2])
{
    found[0] = found[1] = NO_NODE;
    if (store->slot_count == 0)
        return;
    uint64_t mask = store->slot_count - 1;
    for (uint64_t slot = packed_hash(packing, state) & mask; store->slots[slot] != 0;
         slot = (slot + 1) & mask) {
        const uint32_t id = store->slots[slot] - 1;
        if (packed_equal(packing, store_state(store, packing, id), state))
            found[store->nodes[id].side] = id;
    }
}

KERNEL uint64_t store_empty_slot(const struct store *store, enum packing packing,
                                 union packed state)
{
    uint64_t mask = store->slot_count - 1;
    uint64_t slot = packed_hash(packing, state) & mask;
    while (store->slots[slot] != 0)
        slot = (slot + 1) & mask;
    return slot;
}

/* Enlarges the table. False when the budget is spent and the table is all but full. */
bool store_grow_table(struct store *store, enum packing packing);

/* Enters a node whose state is not in the table. False when the budget is spent. */
KERNEL bool store_enter(struct store *store, enum packing packing, uint32_t id)
{
    if (UNLIKELY(store->entries >= store->slot_count / 4 * 3) && !store_grow_table(store, packing))
        return false;
    store->slots[store_empty_slot(store, packing, store_state(store, packing, id))] = id + 1;
    store->entries++;
    return true;
}

/* Enters a node of the state of `place`, in the place of the node that is there, if one is. False
 * when the budget is spent. */
KERNEL bool store_put(struct store *store, enum packing packing, uint32_t id, struct place place)
{
    if (place.id == NO_NODE && UNLIKELY(store->entries >= store->slot_count / 4 * 3))
        return store_enter(store, packing, id);
    store->slots[place.slot] = id + 1;
    store->entries += place.id == NO_NODE;
    return true;
}

/* Replaces an entered node by another with the same state. */
KERNEL void store_replace(struct store *store, enum packing packing, uint32_t old, uint32_t id)
{
    uint64_t mask = store->slot_count - 1;
    uint64_t slot = packed_hash(packing, store_state(store, packing, old)) & mask;
    while (store->slots[slot] != old + 1)
        slot = (slot + 1) & mask;
    store->slots[slot] = id + 1;
}

/* Removes a node from the table. The entries after it move up if a probe for them would otherwise
 * stop early (Knuth, The Art of Computer Programming 3, section 6.4, algorithm R). */
KERNEL void store_leave(struct store *store, enum packing packing, uint32_t id)
{
    uint64_t mask = store->slot_count - 1;
    uint64_t hole = packed_hash(packing, store_state(store, packing, id)) & mask;
    while (store->slots[hole] != id + 1)
        hole = (hole + 1) & mask;
    for (uint64_t slot = (hole + 1) & mask; store->slots[slot] != 0; slot = (slot + 1) & mask) {
        uint64_t home =
            packed_hash(packing, store_state(store, packing, store->slots[slot] - 1)) & mask;
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            store->slots[hole] = store->slots[slot];
            hole = slot;
        }
    }
    store->slots[hole] = 0;
    store->entries--;
}

/* Moves an entered node to a smaller number, whose own node is not in the table. */
KERNEL void store_move(struct store *store, enum packing packing, uint32_t id, uint32_t to)
{
    const union packed state = store_state(store, packing, id);
    uint64_t mask = store->slot_count - 1;
    uint64_t slot = packed_hash(packing, state) & mask;
    while (store->slots[slot] != id + 1)
        slot = (slot + 1) & mask;
    store->slots[slot] = to + 1;
    packed_store(packing, store->states, to, state);
    store->nodes[to] = store->nodes[id];
}

/* Adds the root of the search and counts it as generated. NO_NODE when the search must end; its
 * status is set. */
KERNEL uint32_t store_add_root(struct store *store, enum packing packing, struct search *search)
{
    const struct board *start = &search->task->start;
    if (!search_generates(search))
        return NO_NODE;
    struct node root = {.parent = NO_NODE,
                        .h = (uint16_t)search_start_h(search),
                        .blank = start->blank,
                        .move = MOVE_NONE};
    if (viewed(search))
        view_root(search, start, root.h, 0);
    uint32_t id = store_add(store, packing, pack(packing, start), root);
    if (id == NO_NODE)
        search->status = STATUS_memory_limit;
    return id;
}

/* Makes a node the E-node, but for the cells of its board. prune_undo: the move that would undo the
 * last one is left out. */
KERNEL void store_load(const struct store *store, enum packing packing, uint32_t id,
                       bool prune_undo, struct enode *enode)
{
    const struct node *node = &store->nodes[id];
    enode->state = store_state(store, packing, id);
    enode->board.blank = node->blank;
    enode->g = node->g;
    enode->h = node->h;
    enode->undo = prune_undo && node->move != MOVE_NONE ? move_undo(node->move) : MOVE_NONE;
}

/* The same with the cells. */
KERNEL void store_unpack(const struct store *store, enum packing packing, uint32_t id,
                         bool prune_undo, struct enode *enode)
{
    store_load(store, packing, id, prune_undo, enode);
    unpack(packing, enode->state, &enode->board);
}

/* A node as an observer sees it, if nodes are numbered as they are generated. Its board is put into
 * `board`, which has the shape. */
SELDOM struct node_seen store_seen(const struct store *store, uint32_t id, struct board *board);

/* What becomes of a child of depth `g` of whose state the stored node is `known` (or NO_NODE),
 * where a shorter path replaces a longer one. */
SELDOM struct event store_event(const struct store *store, uint32_t known, uint32_t g);

/* Shows an observer that a stored node is expanded. */
SELDOM void store_show_expansion(const struct store *store, uint32_t id, struct search *search,
                                 struct enode *enode);

/* Shows an observer the nodes of an open list in the order in which they will be taken. Closed ones
 * were replaced, and are passed over; `live` is the number of the others. */
SELDOM void store_show_open(const struct store *store, struct open *open, uint64_t live,
                            struct search *search);

/* Tells an observer that a live node will not be expanded. */
SELDOM void store_show_drop(const struct store *store, uint32_t id, struct search *search,
                            enum fate fate, uint64_t limit);

/* Makes the path from the root to a node the search's solution; replaces an earlier one. */
void store_solution(const struct store *store, uint32_t id, struct search *search);

static inline void store_end(struct store *store)
{
    arena_release(store->arena, store->states);
    arena_release(store->arena, store->nodes);
    arena_release(store->arena, store->slots);
    *store = (struct store){.arena = store->arena};
}

#endif
