/* A* (Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost
 * paths", IEEE Transactions on Systems Science and Cybernetics 4, 1968).
 *
 * The open list holds the live nodes, the smallest f = g + h first. A node taken from it becomes
 * closed and is expanded. Each state is stored once, open or closed: a shorter path to it makes a
 * new node that takes the place of the old one, and reopens the state if it was closed. So
 * heuristics need not be consistent. The goal test is made when a node is taken from the open list.
 *
 * ties: which of two live nodes of equal f goes first. high_g (default) takes the one of larger g,
 * and of equal g the newer one. depth_limit: nodes of that depth are not expanded.
 *
 * On boards of up to 25 cells, with a heuristic that is consistent and the default options, the
 * same search is made by search/compact_astar.h in less memory and time, unless an observer wants
 * to see it all. */
#include "algorithms/algorithm.h"
#include "search/bucket_queue.h"
#include "search/compact_astar.h"
#include "search/store.h"

enum { DEPTH_LIMIT, TIES };

const struct option_row astar_options[] = {
    [DEPTH_LIMIT] = {.name = "depth_limit",
                     .help = "nodes of this depth are not expanded",
                     .kind = OPTION_NUMBER,
                     .fallback = OPTION_UNSET,
                     .max = 1000000,
                     .forfeits = COMPLETE},
    [TIES] = {.name = "ties",
              .help = "which of two open nodes of equal f goes first",
              .kind = OPTION_CHOICE,
              .fallback = TIES_HIGH_G,
              .choices = {"high_g", "low_g", "fifo", "lifo"}},
    {.kind = OPTION_END},
};

struct astar {
    struct search *search;
    struct store nodes;       /* open and closed; finds the current node of a state */
    struct bucket_queue open; /* may hold nodes that were replaced: they are closed, passed over */
    uint64_t live;            /* nodes on the open list, those passed over left out */
};

/* Puts a node on the open list. False when memory is spent. */
KERNEL bool push(struct astar *astar, uint32_t id, unsigned g, unsigned h)
{
    struct statistics *statistics = &astar->search->statistics;
    if (!bucket_queue_push(&astar->open, id, g + h, g))
        return false;
    raise_to(&statistics->max_open, ++astar->live);
    raise_to(&statistics->max_stored, astar->nodes.entries);
    raise_to(&statistics->max_depth, g);
    return true;
}

/* Takes the live node of minimum f from the open list; NO_NODE if there is none. */
KERNEL uint32_t pop(struct astar *astar)
{
    uint32_t id;
    while (bucket_queue_pop(&astar->open, &id))
        if (!astar->nodes.nodes[id].closed) {
            astar->live--;
            return id;
        }
    return NO_NODE;
}

/* Shows a child of whose state the stored node is `known`. */
static SELDOM void show_child(struct astar *astar, struct enode *enode, struct successor successor,
                              uint32_t known)
{
    view_successor(astar->search, enode, successor, successor_h(astar->search, enode, &successor),
                   store_event(&astar->nodes, known, enode->g + 1));
}

/* A shorter path to a stored node's state was found. */
static void replace(struct astar *astar, struct node *node)
{
    if (node->closed)
        astar->search->statistics.reopened++;
    else
        astar->live--;
    node->closed = 1;
}

/* Makes a live node of a successor whose state is new or was reached by a longer path. False when
 * memory is spent. */
KERNEL bool relax(struct astar *astar, enum packing packing, bool is_viewed, uint32_t parent,
                  struct enode *enode, const struct successor *successor)
{
    struct store *nodes = &astar->nodes;
    const uint32_t g = enode->g + 1;
    const struct place place = store_look(nodes, packing, successor->state);
    if (is_viewed)
        show_child(astar, enode, *successor, place.id);
    unsigned h;
    if (place.id == NO_NODE) {
        h = successor_h(astar->search, enode, successor);
    } else if (nodes->nodes[place.id].g <= g) {
        astar->search->statistics.duplicates++;
        return true;
    } else {
        h = nodes->nodes[place.id].h;
        replace(astar, &nodes->nodes[place.id]);
    }
    const uint32_t id = store_add(nodes, packing, successor->state,
                                  (struct node){.parent = parent,
                                                .g = g,
                                                .h = (uint16_t)h,
                                                .blank = (uint8_t)successor->from,
                                                .move = (uint8_t)(successor->move & 15)});
    return id != NO_NODE && store_put(nodes, packing, id, place) && push(astar, id, g, h);
}

KERNEL void astar_loop(struct astar *astar, enum packing packing, bool is_viewed)
{
    struct search *search = astar->search;
    struct store *nodes = &astar->nodes;
    const int64_t depth_limit = search->options[DEPTH_LIMIT];
    const bool needs_board = search_needs_board(search);
    const union packed goal = pack(packing, &search->task->goal);
    struct enode enode = {.board = search->task->start};
    uint32_t id = store_add_root(nodes, packing, search);
    if (id == NO_NODE)
        return;
    search->status = STATUS_memory_limit;
    if (!store_enter(nodes, packing, id) || !push(astar, id, 0, nodes->nodes[id].h))
        return;
    while ((id = pop(astar)) != NO_NODE) {
        if (packed_equal(packing, store_state(nodes, packing, id), goal)) {
            store_solution(nodes, id, search);
            return;
        }
        nodes->nodes[id].closed = 1;
        if (depth_limit != OPTION_UNSET && nodes->nodes[id].g >= depth_limit) {
            if (is_viewed)
                store_show_drop(nodes, id, search, FATE_DEPTH, (uint64_t)depth_limit);
            continue;
        }
        store_load(nodes, packing, id, true, &enode);
        if (needs_board)
            unpack(packing, enode.state, &enode.board);
        if (!search_expands(search, &enode))
            return;
        if (is_viewed)
            store_show_expansion(nodes, id, search, &enode);
        const struct exits *exits = enode_exits(search, &enode);
        for (unsigned i = 0; i < exits->count; i++) {
            const struct successor successor = successor_by(packing, &enode, exits->exit[i]);
            if (!search_generates(search) ||
                !relax(astar, packing, is_viewed, id, &enode, &successor))
                return;
        }
        if (is_viewed)
            store_show_open(nodes, &astar->open.heap, astar->live, search);
    }
    search->status = STATUS_exhausted;
}

/* The loop for an observer: one for all, as it need not be fast. */
static SELDOM void loop_viewed(struct astar *astar)
{
    astar_loop(astar, packing_of(astar->search->task->start.shape), true);
}

KERNEL void astar_search(struct search *search, enum packing packing)
{
    struct astar astar = {.search = search};
    struct step_table steps;
    const bool defaults =
        search->options[TIES] == TIES_HIGH_G && search->options[DEPTH_LIMIT] == OPTION_UNSET;
    if (packing != PACK_BYTES && defaults && !viewed(search) && compact_astar_fits(search) &&
        compact_astar(search, &(struct compact_astar_pace){.lines = 256}))
        return;
    if (viewed(search))
        view_costs(search, 1, 1);
    search_table_steps(search, &steps);
    store_start(&astar.nodes, &search->arena);
    bucket_queue_start(&astar.open, &search->arena, (enum ties)search->options[TIES],
                       viewed(search));
    if (viewed(search))
        loop_viewed(&astar);
    else
        astar_loop(&astar, packing, false);
    search->statistics.open_at_end = astar.live;
    bucket_queue_end(&astar.open);
    search->steps = NULL;
    store_end(&astar.nodes);
}

STAMP_ALGORITHM(astar)
