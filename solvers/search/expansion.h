/* What A* and the best-first loop share: the nodes of a search, those of them that are live, and
 * how a node is expanded.
 *
 * Settings that are constants in the caller cost nothing, as what is done for every node is
 * inlined. Most children reach a new state; what is done for the others is called.
 *
 * One test per expansion replaces several per child. Whether there is room in the arrays and in the
 * table is one number, `full`: each node takes at most one place in each, so neither can be full
 * before the node of that number. All children of a node have one depth, so max_depth rises
 * if the last node of all has the depth of the children; max_stored never falls and is noted at the
 * end. While the slot of one child is examined, that of the next is prefetched. */
#pragma once

#include "search/node_buckets.h"
#include "search/store.h"

/* Settings of a best-first search. */
enum duplicates {
    DUPLICATES_NONE,   /* every successor becomes a live node, the way back to the parent too */
    DUPLICATES_PARENT, /* all but the way back */
    DUPLICATES_STORED  /* a state is stored once; a shorter path to it replaces the longer one */
};

struct best_first {
    bool counts_g; /* cost is g + h; if not, h alone, and a stored state is never replaced */
    int g_weight;  /* cost is g_weight * g + h_weight * h; both 0: g + h */
    int h_weight;
    bool keeps_closed; /* a shorter path to a closed node is dropped: nothing is reopened */
    enum duplicates duplicates;
    bool test_at_generation; /* the goal test; if not, when a node is taken from the open list */
    enum ties ties;
};

struct expansion {
    struct search *search;
    const struct best_first *settings; /* for what is called */
    struct store store;                /* all nodes; finds the current node of a state */
    struct node_buckets open; /* may hold nodes that were replaced: they are closed, passed over;
                                 weighted costs are on its heap */
    uint64_t live;            /* nodes on the open list, replaced ones not counted */
    uint32_t full;            /* room has to be made for the node of this number */
    bool needs_board;         /* search_needs_board */
    bool calls_h;             /* the heuristic has no table of steps, and is called */
    struct enode enode;       /* filled in if needs_board */
    struct step_table steps;  /* zeros without a heuristic */
};

/* Starts an empty one. */
void expansion_start(struct expansion *expansion, struct search *search,
                     const struct best_first *settings);

/* Notes the last counts, and gives back the memory. */
void expansion_end(struct expansion *expansion);

/* Makes the root a live node. False when the search must end; its status is set. */
bool expansion_root(struct expansion *expansion);

/* Shows a child of whose state the stored node is `known`. */
SELDOM void expansion_show_child(struct expansion *expansion, struct successor successor,
                                 uint32_t known);

/* Puts a node of depth g, which node_buckets_at was told, on the open list. False when memory is
 * spent. */
KERNEL bool expansion_push(struct expansion *expansion, const struct best_first *settings,
                           uint32_t id, unsigned g, unsigned h)
{
    struct node_heap *heap = &expansion->open.heap;
    if (settings->h_weight != 0)
        return node_heap_push(heap, true, node_heap_weighted_entry(heap, id, g, h));
    return node_buckets_push(&expansion->open, id, (settings->counts_g ? g : 0) + h);
}

/* Takes the live node of minimum cost from the open list; false if there is none. */
KERNEL bool expansion_take(struct expansion *expansion, const struct best_first *settings,
                           uint32_t *id)
{
    struct node_heap *heap = &expansion->open.heap;
    do {
        if (settings->h_weight == 0) {
            if (!node_buckets_pop(&expansion->open, id))
                return false;
        } else if (heap->count == 0) {
            return false;
        } else {
            *id = node_heap_id(heap, node_heap_pop(heap, true));
        }
    } while (expansion->store.nodes[*id].closed);
    expansion->live--;
    return true;
}

/* A child of depth g of node `parent`, by one of its exits, has the state of the stored node at
 * `place`: it is dropped, or takes the place of that. False when memory is spent; search->status
 * says so. */
bool expansion_meet(struct expansion *expansion, uint32_t parent, unsigned g, struct exit exit,
                    struct place place);

/* Makes room for the next node, a child of node `parent` by one of its exits. Returns the slot
 * where its state, which is new, is to be entered, as the table may have grown, or NO_SLOT when
 * memory is spent; search->status then says so. */
#define NO_SLOT UINT64_MAX
SELDOM uint64_t expansion_make_room(struct expansion *expansion, uint32_t parent, struct exit exit);

/* Makes a node the E-node, and shows it to the observer. False when the search is over; its status
 * is set. */
CALLED bool expansion_unpack(struct expansion *expansion, bool prune_undo, uint32_t id);

/* The heuristic's value of a child of the E-node. */
KERNEL unsigned expansion_h(struct expansion *expansion, struct exit exit)
{
    struct enode *enode = &expansion->enode;
    const struct successor successor = {.move = exit.move,
                                        .tile = enode->board.cell[exit.from],
                                        .from = exit.from,
                                        .to = enode->board.blank};
    return successor_value(expansion->search->heuristic, enode, enode->h, &successor);
}

/* Expands node `id`, which is closed then: makes live nodes of its children, but those that the
 * settings drop for a node of the same state. False when the search is over; its status, which is
 * `exhausted` up to then, says why. */
KERNEL bool expand_node(struct expansion *expansion, struct search *search, enum packing packing,
                        const struct best_first *settings, bool is_viewed, uint32_t id,
                        union packed goal)
{
    struct store *const store = &expansion->store;
    struct statistics *const statistics = &search->statistics;
    struct node *const node = &store->nodes[id];
    const bool stored = settings->duplicates == DUPLICATES_STORED;
    const bool prune_undo = settings->duplicates != DUPLICATES_NONE;
    const union packed state = store_state(store, packing, id);
    const size_t blank = node->blank;
    const uint32_t g = node->g + 1;
    const unsigned parent_h = node->h;
    const struct exits *const exits =
        &search->operators.exits[blank][prune_undo ? (size_t)move_undo(node->move) : MOVE_NONE];
    node->closed |= 1;
    if (!search_goes_on(search) ||
        (UNLIKELY(expansion->needs_board) && !expansion_unpack(expansion, prune_undo, id)))
        return false;
    statistics->expanded++;
    int16_t(*const steps)[MAX_CELLS] = expansion->steps.of[blank];
    const unsigned allowed = search_may_generate(search, exits->count);
    const struct exit *exit = exits->exit;
    const struct exit *const end = exit + allowed;
    statistics->generated += allowed;
    if (settings->h_weight == 0)
        node_buckets_at(&expansion->open, g);
    struct successor next = successor_of(packing, state, (unsigned)blank, *exit);
    uint64_t next_hash = packed_hash(packing, next.state);
    for (; exit < end; exit++) {
        const struct successor successor = next;
        const uint64_t hash = next_hash;
        struct place place = {.id = NO_NODE};
        if (exit + 1 < end) {
            next = successor_of(packing, state, (unsigned)blank, exit[1]);
            if (stored) {
                next_hash = packed_hash(packing, next.state);
                store_prefetch(store, next_hash);
            }
        }
        if (stored)
            place = store_look_hashed(store, packing, successor.state, hash);
        if (is_viewed)
            expansion_show_child(expansion, successor, place.id);
        if (UNLIKELY(place.id != NO_NODE)) {
            if (!expansion_meet(expansion, id, g, *exit, place))
                break;
            continue;
        }
        const unsigned h = UNLIKELY(expansion->calls_h)
                               ? expansion_h(expansion, *exit)
                               : parent_h + (unsigned)steps[exit->move][successor.tile];
        const uint32_t child = store->count;
        if (UNLIKELY(child == expansion->full)) {
            place.slot = expansion_make_room(expansion, id, *exit);
            if (place.slot == NO_SLOT)
                break;
        }
        if (!expansion_push(expansion, settings, child, g, h)) {
            search->status = STATUS_memory_limit;
            break;
        }
        *store_append(store, packing, child, successor.state) =
            (struct node){.parent = id,
                          .g = g,
                          .h = (uint16_t)h,
                          .blank = exit->from,
                          .move = (uint8_t)(exit->move & 15)};
        if (stored)
            store_settle(store, child, place);
        expansion->live++;
        if (settings->test_at_generation && packed_equal(packing, successor.state, goal)) {
            store_solution(store, child, search);
            break;
        }
    }
    if (UNLIKELY(g > statistics->max_depth) && store->nodes[store->count - 1].g == g)
        statistics->max_depth = g; /* a child was added */
    raise_to(&statistics->max_open, expansion->live);
    if (UNLIKELY(search->status != STATUS_exhausted)) {
        if (exit < end) /* with this child: those after it are not counted */
            statistics->generated -= (uint64_t)(end - exit) - 1;
        return false;
    }
    if (is_viewed)
        store_show_open(store, &expansion->open.heap, expansion->live, search);
    return true;
}
