#include "algorithms/partial_expansion.h"
#include "search/store.h"
#include <limits.h>

/* A share is at least LITTLE_SHARE percent of LITTLE bytes, or of the budget if that is less: the
 * first nodes of any shape take less. */
enum { LITTLE = 24 << 10, LITTLE_SHARE = 75 };

struct expansion {
    struct search *search;
    const struct partial_expansion *settings;
    struct store nodes;    /* open and closed; finds the current node of a state */
    struct node_heap open; /* by stored cost; may hold nodes that were replaced: they are closed */
    uint64_t live;         /* nodes on the open list, those passed over left out */
    bool is_spent;         /* the share of memory: settings->go_on is next */
    struct enode enode;
    uint32_t id;   /* of the E-node */
    unsigned cost; /* its stored cost */
    unsigned next; /* the minimum f of its children that are not kept; UINT_MAX: there are none */
};

static bool push(struct expansion *expansion, uint32_t id, unsigned cost)
{
    struct statistics *statistics = &expansion->search->statistics;
    const struct node *node = &expansion->nodes.nodes[id];
    if (!node_heap_push(&expansion->open, false,
                        node_heap_entry(&expansion->open, id, cost, node->g)))
        return false;
    raise_to(&statistics->max_open, ++expansion->live);
    raise_to(&statistics->max_stored, expansion->nodes.entries);
    raise_to(&statistics->max_depth, node->g);
    return true;
}

/* Takes the live node of minimum stored cost from the open list. False if there is none. */
static bool pop(struct expansion *expansion)
{
    while (expansion->open.count > 0) {
        const uint64_t entry = node_heap_pop(&expansion->open, false);
        expansion->id = node_heap_id(&expansion->open, entry);
        expansion->cost = node_heap_cost(entry);
        if (!expansion->nodes.nodes[expansion->id].closed) {
            expansion->live--;
            return true;
        }
    }
    return false;
}

static SELDOM void show_expansion(struct expansion *expansion)
{
    struct enode *enode = &expansion->enode;
    const struct node_seen node = store_seen(&expansion->nodes, expansion->id, &enode->board);
    view_expands(expansion->search, enode, (struct event){.node = node, .stored = expansion->cost});
}

static SELDOM void show_child(struct expansion *expansion, struct successor successor, unsigned h,
                              struct event event)
{
    event.stored = expansion->enode.g + 1 + h;
    view_successor(expansion->search, &expansion->enode, successor, h, event);
}

/* The E-node is live again. */
static SELDOM void show_return(struct expansion *expansion)
{
    struct board board = expansion->enode.board;
    const struct node_seen node = store_seen(&expansion->nodes, expansion->id, &board);
    view_node(expansion->search, &board,
              (struct event){.kind = EVENT_RETURNS, .node = node, .stored = expansion->next});
}

/* Makes a live node of a child that is kept, if its state is new or was reached by a longer path.
 * False when memory is spent. */
KERNEL bool relax(struct expansion *expansion, enum packing packing,
                  const struct successor *successor, unsigned h)
{
    struct statistics *statistics = &expansion->search->statistics;
    struct store *nodes = &expansion->nodes;
    const struct node node = {.parent = expansion->id,
                              .g = expansion->enode.g + 1,
                              .h = (uint16_t)h,
                              .blank = (uint8_t)successor->from,
                              .move = (uint8_t)(successor->move & 15)};
    const struct place place = store_look(nodes, packing, successor->state);
    const uint32_t known = place.id;
    if (viewed(expansion->search))
        show_child(expansion, *successor, h, store_event(nodes, known, node.g));
    if (known != NO_NODE && nodes->nodes[known].g <= node.g) {
        statistics->duplicates++;
        return true;
    }
    if (known != NO_NODE) {
        if (nodes->nodes[known].closed)
            statistics->reopened++;
        else
            expansion->live--;
        nodes->nodes[known].closed = 1;
    }
    const uint32_t id = store_add(nodes, packing, successor->state, node);
    return id != NO_NODE && store_put(nodes, packing, id, place) && push(expansion, id, node.g + h);
}

/* Makes the successor by one of the exits, if it is wanted. False when the search is over;
 * memory_limit is its status unless another is set. */
KERNEL bool make_child(struct expansion *expansion, enum packing packing, struct exit exit)
{
    struct search *search = expansion->search;
    struct enode *enode = &expansion->enode;
    const bool selects = expansion->settings->selects;
    const unsigned limit = expansion->cost + expansion->settings->cutoff;
    const struct successor successor = successor_by(packing, enode, exit);
    if (!selects && !search_generates(search))
        return false;
    const unsigned h = successor_h(search, enode, &successor);
    const unsigned f = enode->g + 1 + h;
    if (f > limit) {
        if (f < expansion->next)
            expansion->next = f;
        if (viewed(search) && !selects)
            show_child(expansion, successor, h, (struct event){.fate = FATE_ABOVE, .limit = limit});
        return true;
    }
    /* What an earlier expansion kept is not wanted: its f is below the stored cost, which is the
     * node's own only the first time. */
    if (selects && f < expansion->cost && expansion->cost > enode->g + enode->h)
        return true;
    return (!selects || search_generates(search)) && relax(expansion, packing, &successor, h);
}

/* Whether there is room for all that the next expansion may add. */
KERNEL bool has_room(struct expansion *expansion, enum packing packing)
{
    struct store *nodes = &expansion->nodes;
    struct node_heap *open = &expansion->open;
    return (nodes->count + MOVES <= nodes->capacity || store_grow(nodes, packed_bytes(packing))) &&
           (nodes->entries + MOVES <= nodes->room ||
            (store_grow_table(nodes, packing) &&
             nodes->entries + MOVES <= nodes->slot_count / 16 * 15)) &&
           (open->count + MOVES <= open->capacity || node_heap_grow(open));
}

KERNEL void expand_all(struct expansion *expansion, enum packing packing)
{
    struct search *search = expansion->search;
    struct store *nodes = &expansion->nodes;
    const union packed goal = pack(packing, &search->task->goal);
    const uint32_t root = store_add_root(nodes, packing, search);
    if (root == NO_NODE)
        return;
    search->status = STATUS_memory_limit;
    if (!store_enter(nodes, packing, root) || !push(expansion, root, nodes->nodes[root].h))
        return;
    for (;;) {
        if (expansion->settings->go_on != NULL && !has_room(expansion, packing)) {
            expansion->is_spent = true;
            return;
        }
        if (!pop(expansion))
            break;
        if (packed_equal(packing, store_state(nodes, packing, expansion->id), goal)) {
            store_solution(nodes, expansion->id, search);
            return;
        }
        store_unpack(nodes, packing, expansion->id, true, &expansion->enode);
        if (!search_expands(search, &expansion->enode))
            return;
        if (viewed(search))
            show_expansion(expansion);
        expansion->next = UINT_MAX;
        const struct exits *exits = enode_exits(search, &expansion->enode);
        for (unsigned i = 0; i < exits->count; i++)
            if (!make_child(expansion, packing, exits->exit[i]))
                return;
        if (expansion->next == UINT_MAX)
            nodes->nodes[expansion->id].closed = 1;
        else if (!push(expansion, expansion->id, expansion->next))
            return;
        if (viewed(search)) {
            if (expansion->next != UINT_MAX)
                show_return(expansion);
            store_show_open(nodes, &expansion->open, expansion->live, search);
        }
    }
    search->status = STATUS_exhausted;
}

static void expand_64(struct expansion *expansion)
{
    expand_all(expansion, PACK_64);
}

static void expand_128(struct expansion *expansion)
{
    expand_all(expansion, PACK_128);
}

static void expand_bytes(struct expansion *expansion)
{
    expand_all(expansion, PACK_BYTES);
}

void partial_expansion(struct search *search, const struct partial_expansion *settings)
{
    void (*const stamped[])(struct expansion *) = {expand_64, expand_128, expand_bytes};
    struct expansion expansion = {
        .search = search, .settings = settings, .enode = {.board = search->task->start}};
    if (viewed(search))
        view_costs(search, 1, 1);
    const uint64_t budget = search->arena.budget;
    if (settings->go_on != NULL) {
        /* What an observer needs for most depths is not part of the share: the search is to be the
         * same without him. */
        if (viewed(search) && (!view_reserve(search, 0) || !view_reserve(search, 64)))
            return;
        const uint64_t least = (budget < LITTLE ? budget : LITTLE) / 100 * LITTLE_SHARE;
        const uint64_t part = budget / 100 * settings->share;
        const uint64_t share = search->arena.used + (part < least ? least : part);
        search->arena.budget = share < budget ? share : budget;
    }
    store_start(&expansion.nodes, &search->arena);
    node_heap_start(&expansion.open, &search->arena, TIES_HIGH_G);
    stamped[packing_of(search->task->start.shape)](&expansion);
    search->arena.budget = budget;
    if (expansion.is_spent)
        settings->go_on(search, &expansion.nodes, &expansion.open);
    search->statistics.open_at_end = expansion.live;
    node_heap_end(&expansion.open);
    store_end(&expansion.nodes);
}
