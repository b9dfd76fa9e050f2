/* The nodes of a search, and the table that finds them by state (open and closed list in one).
 *
 * Nodes are numbered in the order in which they are added. Their packed boards lie in one array (8,
 * 16 or 36 bytes each), the rest of each node (12 bytes) in another, so that a probe of the table
 * touches boards only. The table has open addressing and linear probing, and is at most three
 * quarters full while it can grow. Algorithms that look nothing up do not enter their nodes, and
 * pay nothing for the table.
 *
 * The highest bits of a state's hash say where its probe begins, so that the table grows in order
 * of its slots. A slot is 4 bytes: a node's number + 1 in as many bits as the numbers have so far,
 * and above them bits from the middle of the hash. So a probe reads few boards but the one that is
 * looked for. Numbers that grow take bits from the hash. */
#pragma once

#include "puzzle/hash.h"
#include "search/node_heap.h"
#include "search/view.h"

#define NO_NODE UINT32_MAX

struct node {
    union {
        uint32_t parent;   /* NO_NODE for the root */
        uint32_t ancestor; /* in layers: the one in the relay layer */
    };
    union {
        uint32_t g;
        uint32_t used_operators; /* in layers, of one g each: a bit for each that is not applied */
    };
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
    uint32_t *slots;     /* see above; 0 is empty */
    uint64_t slot_count; /* a power of two, or 0 before the first entry */
    uint64_t last_slot;  /* slot_count - 1 */
    uint64_t entries;
    uint64_t room;       /* entries from which on the table is to grow */
    unsigned home_shift; /* the slot where the probe for a hash begins is hash >> this */
    uint32_t tags;       /* a mask: the bits of a slot that are the hash's */
};

static inline void store_start(struct store *store, struct arena *arena)
{
    *store = (struct store){.arena = arena, .tags = UINT32_MAX};
}

/* Makes room for more nodes. False when the budget is spent. */
CALLED bool store_grow(struct store *store, size_t state_bytes);

/* Makes room for one more if there is none. False when the budget is spent. */
KERNEL bool store_reserve(struct store *store, enum packing packing)
{
    return LIKELY(store->count < store->capacity) || store_grow(store, packed_bytes(packing));
}

/* Adds node `id`, the next one, for which there is room, and returns it; the caller fills it in. */
KERNEL struct node *store_append(struct store *store, enum packing packing, uint32_t id,
                                 union packed state)
{
    store->count = id + 1;
    packed_store(packing, store->states, id, state);
    return &store->nodes[id];
}

/* Adds a node. Returns its number, or NO_NODE when the budget is spent. */
KERNEL uint32_t store_add(struct store *store, enum packing packing, union packed state,
                          struct node node)
{
    const uint32_t id = store->count;
    if (!store_reserve(store, packing))
        return NO_NODE;
    *store_append(store, packing, id, state) = node;
    return id;
}

KERNEL union packed store_state(const struct store *store, enum packing packing, uint32_t id)
{
    return packed_load(packing, store->states, id);
}

KERNEL uint64_t store_home(const struct store *store, uint64_t hash)
{
    return hash >> store->home_shift;
}

KERNEL uint64_t store_next(const struct store *store, uint64_t slot)
{
    return (slot + 1) & store->last_slot;
}

/* The bits of a hash that a slot holds with a number. */
KERNEL uint32_t store_tag(const struct store *store, uint64_t hash)
{
    return (uint32_t)hash & store->tags;
}

/* The number of the node in a slot that is not empty. */
KERNEL uint32_t store_in(const struct store *store, uint32_t slot)
{
    return (slot & ~store->tags) - 1;
}

/* Whether a slot that is not empty holds the state that has the tag. */
KERNEL bool store_holds(const struct store *store, enum packing packing, uint32_t slot,
                        uint32_t tag, union packed state)
{
    const uint32_t number = slot ^ tag; /* if the tags are equal; if not, it has bits of tags */
    return (number & store->tags) == 0 &&
           packed_equal(packing, store_state(store, packing, number - 1), state);
}

/* Where a state is in the table or, if it is not there, belongs; valid until the table changes. */
struct place {
    uint64_t slot;
    uint32_t tag;
    uint32_t id; /* the entered node with the state, or NO_NODE */
};

/* Asks memory for the slot where the probe for a hash begins. */
KERNEL void store_prefetch(const struct store *store, uint64_t hash)
{
    __builtin_prefetch(&store->slots[store_home(store, hash)]);
}

/* Looks up a state with this hash. At least one node must have been entered. */
KERNEL struct place store_look_hashed(const struct store *store, enum packing packing,
                                      union packed state, uint64_t hash)
{
    const uint32_t tag = store_tag(store, hash);
    uint64_t slot = store_home(store, hash);
    uint32_t held;
    while ((held = store->slots[slot]) != 0) {
        if (store_holds(store, packing, held, tag, state))
            return (struct place){slot, tag, (held ^ tag) - 1};
        slot = store_next(store, slot);
    }
    return (struct place){slot, tag, NO_NODE};
}

KERNEL struct place store_look(const struct store *store, enum packing packing, union packed state)
{
    return store_look_hashed(store, packing, state, packed_hash(packing, state));
}

/* The entered node with this state, or NO_NODE. */
KERNEL uint32_t store_find(const struct store *store, enum packing packing, union packed state)
{
    return store->slot_count == 0 ? NO_NODE : store_look(store, packing, state).id;
}

/* The same where each side of a bidirectional search enters a state once: found[side] is the node
 * of each, or NO_NODE. One look at the table: nodes with equal states have the same first slot. The
 * place is that of the node of `side`. */
KERNEL struct place store_look_sides(const struct store *store, enum packing packing,
                                     union packed state, unsigned side, uint32_t found[2])
{
    const uint64_t hash = packed_hash(packing, state);
    const uint32_t tag = store_tag(store, hash);
    uint64_t slot = store_home(store, hash);
    uint64_t own = 0;
    uint32_t held;
    found[0] = found[1] = NO_NODE;
    while ((held = store->slots[slot]) != 0) {
        if (store_holds(store, packing, held, tag, state)) {
            const uint32_t id = (held ^ tag) - 1;
            found[store->nodes[id].side] = id;
            if (store->nodes[id].side == side)
                own = slot;
        }
        slot = store_next(store, slot);
    }
    return (struct place){found[side] == NO_NODE ? slot : own, tag, found[side]};
}

/* Enlarges the table. False when the budget is spent and the table is all but full. */
CALLED bool store_grow_table(struct store *store, enum packing packing);

/* Enters a node whose state is not in the table. False when the budget is spent. */
KERNEL bool store_enter(struct store *store, enum packing packing, uint32_t id)
{
    if (UNLIKELY(store->entries >= store->room) && !store_grow_table(store, packing))
        return false;
    const uint64_t hash = packed_hash(packing, store_state(store, packing, id));
    uint64_t slot = store_home(store, hash);
    while (store->slots[slot] != 0)
        slot = store_next(store, slot);
    store->slots[slot] = store_tag(store, hash) | (id + 1);
    store->entries++;
    return true;
}

/* Enters a node of the state of `place`, in the place of the node that is there, if one is; if none
 * is, the table has room. */
KERNEL void store_settle(struct store *store, uint32_t id, struct place place)
{
    if (place.id == NO_NODE)
        store->entries++;
    store->slots[place.slot] = (place.tag & store->tags) | (id + 1);
}

/* The same, where the table may be full. False when the budget is spent. */
KERNEL bool store_put(struct store *store, enum packing packing, uint32_t id, struct place place)
{
    if (place.id == NO_NODE && UNLIKELY(store->entries >= store->room))
        return store_enter(store, packing, id);
    store_settle(store, id, place);
    return true;
}

/* The slot of an entered node. */
KERNEL uint64_t store_slot(const struct store *store, enum packing packing, uint32_t id)
{
    const uint64_t hash = packed_hash(packing, store_state(store, packing, id));
    uint64_t slot = store_home(store, hash);
    while (store_in(store, store->slots[slot]) != id)
        slot = store_next(store, slot);
    return slot;
}

/* Removes a node from the table. The entries after it move up if a probe for them would otherwise
 * stop early (Knuth, The Art of Computer Programming 3, section 6.4, algorithm R). */
KERNEL void store_leave(struct store *store, enum packing packing, uint32_t id)
{
    uint64_t hole = store_slot(store, packing, id);
    for (uint64_t slot = store_next(store, hole); store->slots[slot] != 0;
         slot = store_next(store, slot)) {
        const uint32_t other = store_in(store, store->slots[slot]);
        const uint64_t home =
            store_home(store, packed_hash(packing, store_state(store, packing, other)));
        if (((slot - home) & store->last_slot) >= ((slot - hole) & store->last_slot)) {
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
    const uint64_t slot = store_slot(store, packing, id);
    store->slots[slot] = (store->slots[slot] & store->tags) | (to + 1);
    packed_store(packing, store->states, to, store_state(store, packing, id));
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
    view_root(search, start, root.h, START);
    uint32_t id = store_add(store, packing, pack(packing, start), root);
    if (id == NO_NODE)
        search->status = STATUS_memory_limit;
    return id;
}

/* The move that would undo a node's last one. */
KERNEL unsigned node_undo(const struct node *node)
{
    return node->move == MOVE_NONE ? MOVE_NONE : move_undo(node->move);
}

/* Makes a node the E-node. prune_undo: the move that would undo the last one is left out. */
KERNEL void store_unpack(const struct store *store, enum packing packing, uint32_t id,
                         bool prune_undo, struct enode *enode)
{
    const struct node *node = &store->nodes[id];
    enode->state = store_state(store, packing, id);
    enode->board.blank = node->blank;
    enode->g = node->g;
    enode->h = node->h;
    enode->undo = prune_undo ? node_undo(node) : MOVE_NONE;
    unpack(packing, enode->state, &enode->board);
}

/* The node of a successor of the E-node, whose own is `parent`. */
KERNEL struct node node_of_successor(uint32_t parent, const struct enode *enode,
                                     const struct successor *successor, unsigned h)
{
    return (struct node){.parent = parent,
                         .g = enode->g + 1,
                         .h = (uint16_t)h,
                         .blank = (uint8_t)successor->from,
                         .move = (uint8_t)(successor->move & 15)};
}

/* Keeps a successor of the E-node, whose own node is `parent` and whose state is new: adds and
 * enters it, and notes how many nodes are held and how deep they lie. Returns its number, or
 * NO_NODE when the budget is spent; search->status then says so. */
KERNEL uint32_t store_keep_child(struct store *store, enum packing packing, struct search *search,
                                 uint32_t parent, const struct enode *enode,
                                 const struct successor *successor, unsigned h)
{
    search_shows_child(search, enode, successor, h, FATE_KEPT, 0);
    const struct node node = node_of_successor(parent, enode, successor, h);
    const uint32_t id = store_add(store, packing, successor->state, node);
    if (id == NO_NODE || !store_enter(store, packing, id)) {
        search->status = STATUS_memory_limit;
        return NO_NODE;
    }
    raise_to(&search->statistics.max_stored, store->count);
    raise_to(&search->statistics.max_depth, node.g);
    return id;
}

SELDOM void store_show_known(const struct store *store, struct search *search, struct enode *enode,
                             struct successor successor, uint32_t known);

/* Drops a successor of the E-node: `known` is a stored node of its state. */
KERNEL void store_drop_child(const struct store *store, struct search *search, struct enode *enode,
                             const struct successor *successor, uint32_t known)
{
    if (viewed(search))
        store_show_known(store, search, enode, *successor, known);
    search->statistics.duplicates++;
}

/* A node as an observer sees it, if nodes are numbered as they are generated. Its board is put into
 * `board`, which has the shape. */
SELDOM struct node_seen store_seen(const struct store *store, uint32_t id, struct board *board);

/* What becomes of a child of depth `g` of whose state the stored node is `known` (or NO_NODE),
 * where a shorter path replaces a longer one. */
SELDOM struct event store_event(const struct store *store, uint32_t known, uint32_t g);

/* Shows an observer the nodes of an open list but one, `except`, in the order in which they will be
 * taken, after view_step. Closed ones were replaced, and are passed over. False when he has seen
 * enough. */
SELDOM bool store_show_heap(const struct store *store, struct node_heap *open, uint32_t except,
                            struct search *search);

/* The same of the only open list; `live` is the number of the nodes. */
SELDOM void store_show_open(const struct store *store, struct node_heap *open, uint64_t live,
                            struct search *search);

SELDOM void store_show_drop(const struct store *store, uint32_t id, struct search *search,
                            enum fate fate, uint64_t limit);

/* A live node will not be expanded. */
KERNEL void store_drop(const struct store *store, uint32_t id, struct search *search,
                       enum fate fate, uint64_t limit)
{
    if (viewed(search))
        store_show_drop(store, id, search, fate, limit);
}

/* Makes the path from the root to a node the search's solution; replaces an earlier one. */
void store_solution(const struct store *store, uint32_t id, struct search *search);

static inline void store_end(struct store *store)
{
    arena_release(store->arena, store->states);
    arena_release(store->arena, store->nodes);
    arena_release(store->arena, store->slots);
    *store = (struct store){.arena = store->arena};
}
