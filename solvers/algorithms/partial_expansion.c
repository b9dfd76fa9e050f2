#include "algorithms/partial_expansion.h"
#include "search/store.h"
#include <limits.h>

/* A share is at least LITTLE_SHARE percent of LITTLE bytes, or of the budget if that is less: the
 * first nodes of any shape take less. */
enum { LITTLE = 32 << 10, LITTLE_SHARE = 75 };

struct partial {
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

static bool push(struct partial *partial, uint32_t id, unsigned cost)
{
    struct statistics *statistics = &partial->search->statistics;
    const struct node *node = &partial->nodes.nodes[id];
    if (!node_heap_push(&partial->open, false, node_heap_entry(&partial->open, id, cost, node->g)))
        return false;
    raise_to(&statistics->max_open, ++partial->live);
    raise_to(&statistics->max_stored, partial->nodes.entries);
    raise_to(&statistics->max_depth, node->g);
    return true;
}

/* Takes the live node of minimum stored cost from the open list. False if there is none. */
static bool pop(struct partial *partial)
{
    while (partial->open.count > 0) {
        const uint64_t entry = node_heap_pop(&partial->open, false);
        partial->id = node_heap_id(&partial->open, entry);
        partial->cost = node_heap_cost(entry);
        if (!partial->nodes.nodes[partial->id].closed) {
            partial->live--;
            return true;
        }
    }
    return false;
}

static SELDOM void show_child(struct partial *partial, struct successor successor, unsigned h,
                              struct event event)
{
    event.stored = partial->enode.g + 1 + h;
    view_successor(partial->search, &partial->enode, successor, h, event);
}

/* Makes a live node of a child that is kept, if its state is new or was reached by a longer path.
 * False when memory is spent. */
KERNEL bool relax(struct partial *partial, enum packing packing, const struct successor *successor,
                  unsigned h)
{
    struct statistics *statistics = &partial->search->statistics;
    struct store *nodes = &partial->nodes;
    const struct node node = node_of_successor(partial->id, &partial->enode, successor, h);
    const struct place place = store_look(nodes, packing, successor->state);
    const uint32_t known = place.id;
    if (viewed(partial->search))
        show_child(partial, *successor, h, store_event(nodes, known, node.g));
    if (known != NO_NODE && nodes->nodes[known].g <= node.g) {
        statistics->duplicates++;
        return true;
    }
    if (known != NO_NODE) {
        if (nodes->nodes[known].closed)
            statistics->reopened++;
        else
            partial->live--;
        nodes->nodes[known].closed = 1;
    }
    const uint32_t id = store_add(nodes, packing, successor->state, node);
    return id != NO_NODE && store_put(nodes, packing, id, place) && push(partial, id, node.g + h);
}

/* Makes the successor by one of the exits, if it is wanted. False when the search is over;
 * memory_limit is its status unless another is set. */
KERNEL bool make_child(struct partial *partial, enum packing packing, struct exit exit)
{
    struct search *search = partial->search;
    struct enode *enode = &partial->enode;
    const bool selects = partial->settings->selects;
    const unsigned limit = partial->cost + partial->settings->cutoff;
    const struct successor successor = successor_by(packing, enode, exit);
    if (!selects && !search_generates(search))
        return false;
    const unsigned h = successor_h(search, enode, &successor);
    const unsigned f = enode->g + 1 + h;
    if (f > limit) {
        if (f < partial->next)
            partial->next = f;
        if (viewed(search) && !selects)
            show_child(partial, successor, h, (struct event){.fate = FATE_ABOVE, .limit = limit});
        return true;
    }
    /* What an earlier partial kept is not wanted: its f is below the stored cost, which is the
     * node's own only the first time. */
    if (selects && f < partial->cost && partial->cost > enode->g + enode->h)
        return true;
    return (!selects || search_generates(search)) && relax(partial, packing, &successor, h);
}

/* Whether there is room for all that the next partial may add. */
KERNEL bool has_room(struct partial *partial, enum packing packing)
{
    struct store *nodes = &partial->nodes;
    struct node_heap *open = &partial->open;
    return (nodes->count + MOVES <= nodes->capacity || store_grow(nodes, packed_bytes(packing))) &&
           (nodes->entries + MOVES <= nodes->room ||
            (store_grow_table(nodes, packing) &&
             nodes->entries + MOVES <= nodes->slot_count / 16 * 15)) &&
           (open->count + MOVES <= open->capacity || node_heap_grow(open));
}

KERNEL void expand_all(struct partial *partial, enum packing packing)
{
    struct search *search = partial->search;
    struct store *nodes = &partial->nodes;
    const union packed goal = pack(packing, &search->task->goal);
    const uint32_t root = store_add_root(nodes, packing, search);
    if (root == NO_NODE)
        return;
    search->status = STATUS_memory_limit;
    if (!store_enter(nodes, packing, root) || !push(partial, root, nodes->nodes[root].h))
        return;
    for (;;) {
        if (partial->settings->go_on != NULL && !has_room(partial, packing)) {
            partial->is_spent = true;
            return;
        }
        if (!pop(partial))
            break;
        if (packed_equal(packing, store_state(nodes, packing, partial->id), goal)) {
            store_solution(nodes, partial->id, search);
            return;
        }
        store_unpack(nodes, packing, partial->id, true, &partial->enode);
        if (!search_expands(search, &partial->enode))
            return;
        partial->next = UINT_MAX;
        const struct exits *exits = enode_exits(search, &partial->enode);
        for (unsigned i = 0; i < exits->count; i++)
            if (!make_child(partial, packing, exits->exit[i]))
                return;
        if (partial->next == UINT_MAX)
            nodes->nodes[partial->id].closed = 1;
        else if (!push(partial, partial->id, partial->next))
            return;
        if (viewed(search)) {
            if (partial->next != UINT_MAX)
                view_returns(search, &partial->enode, EVENT_RETURNS, partial->next);
            store_show_open(nodes, &partial->open, partial->live, search);
        }
    }
    search->status = STATUS_exhausted;
}

static void expand_packed(struct partial *partial)
{
    switch (packing_of(partial->search->task->start.shape)) {
    case PACK_64:
        expand_all(partial, PACK_64);
        break;
    case PACK_128:
        expand_all(partial, PACK_128);
        break;
    default:
        expand_all(partial, PACK_BYTES);
    }
}

uint64_t partial_expansion_share(const struct search *search, unsigned percent)
{
    const uint64_t budget = search->arena.budget;
    const uint64_t least = (budget < LITTLE ? budget : LITTLE) / 100 * LITTLE_SHARE;
    const uint64_t part = budget / 100 * percent;
    const uint64_t share = search->arena.used + (part < least ? least : part);
    return share < budget ? share : budget;
}

void partial_expansion(struct search *search, const struct partial_expansion *settings)
{
    struct partial partial = {
        .search = search, .settings = settings, .enode = {.board = search->task->start}};
    const uint64_t budget = search->arena.budget;
    if (settings->go_on != NULL)
        search->arena.budget = partial_expansion_share(search, settings->share);
    store_start(&partial.nodes, &search->arena);
    node_heap_start(&partial.open, &search->arena, TIES_HIGH_G);
    expand_packed(&partial);
    search->arena.budget = budget;
    if (partial.is_spent)
        settings->go_on(search, &partial.nodes, &partial.open);
    search->statistics.open_at_end = partial.live;
    node_heap_end(&partial.open);
    store_end(&partial.nodes);
}
