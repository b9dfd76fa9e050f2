#include "algorithms/batch.h"

/* The h of a node that is not valued yet. */
#define NO_H UINT16_MAX

struct batch {
    struct expansion expansion;
    struct best_first settings;
    uint32_t *taken; /* the nodes of the round */
    uint32_t count;
    uint32_t size;
    struct board *boards; /* to be valued, ... */
    unsigned *values;
    uint32_t *asked; /* ... and whose they are */
    int64_t bound;   /* the cost of the solution so far: no node of that cost is expanded */
};

static int64_t cost_of(const struct best_first *settings, int64_t g, int64_t h)
{
    return settings->h_weight == 0 ? g + h : settings->g_weight * g + settings->h_weight * h;
}

/* Keeps a solution that is shorter than those before. False when the search must end. */
static bool improve(struct batch *batch, struct search *search, uint32_t goal)
{
    const struct store *store = &batch->expansion.store;
    batch->bound = cost_of(&batch->settings, store->nodes[goal].g, 0);
    store_drop(store, goal, search, FATE_BOUNDED, store->nodes[goal].g);
    store_solution(store, goal, search);
    if (search->status != STATUS_solved || !search_improves(search))
        return false;
    search->status = STATUS_exhausted; /* not over yet */
    return true;
}

/* Takes the nodes of a round; none if the search is over. False when it must end. */
KERNEL bool take(struct batch *batch, struct search *search, enum packing packing,
                 union packed goal)
{
    struct expansion *expansion = &batch->expansion;
    struct store *store = &expansion->store;
    uint32_t id;
    batch->count = 0;
    while (batch->count < batch->size && expansion_take(expansion, &batch->settings, &id)) {
        struct node *node = &store->nodes[id];
        if (cost_of(&batch->settings, node->g, node->h) >= batch->bound) {
            if (batch->count == 0)
                expansion->live++; /* it is over, and this one is still live */
            else
                store_drop(store, id, search, FATE_BOUNDED, search->length);
            return true;
        }
        node->closed = 1;
        if (!packed_equal(packing, store_state(store, packing, id), goal))
            batch->taken[batch->count++] = id;
        else if (!improve(batch, search, id))
            return false;
    }
    return true;
}

/* Adds a node that is to be pushed at the end of the round. False when memory is spent. */
KERNEL bool add_child(struct batch *batch, struct search *search, enum packing packing,
                      uint32_t parent, struct exit exit, const struct successor *successor,
                      struct place place, unsigned h)
{
    struct expansion *expansion = &batch->expansion;
    struct store *store = &expansion->store;
    const uint32_t g = store->nodes[parent].g + 1;
    if (store->count == expansion->full) {
        place.slot = expansion_make_room(expansion, parent, exit);
        if (place.slot == NO_SLOT)
            return false;
    }
    const uint32_t id = store->count;
    *store_append(store, packing, id, successor->state) =
        node_of_successor(parent, &(struct enode){.g = g - 1}, successor, h);
    store_settle(store, id, place);
    expansion->live++;
    raise_to(&search->statistics.max_depth, g);
    return true;
}

/* Expands a node of the round. False when the search is over. */
KERNEL bool expand(struct batch *batch, struct search *search, enum packing packing, uint32_t id)
{
    struct expansion *expansion = &batch->expansion;
    struct store *store = &expansion->store;
    struct statistics *statistics = &search->statistics;
    const struct node node = store->nodes[id];
    const union packed state = store_state(store, packing, id);
    const struct exits *exits = &search->operators.exits[node.blank][node_undo(&node)];
    if (!search_goes_on(search) ||
        (search->observer != NULL && !expansion_unpack(expansion, true, id)))
        return false;
    statistics->expanded++;
    const unsigned allowed = search_may_generate(search, exits->count);
    for (unsigned i = 0; i < allowed; i++) {
        const struct exit exit = exits->exit[i];
        const struct successor successor = successor_of(packing, state, node.blank, exit);
        const struct place place = store_look(store, packing, successor.state);
        unsigned h = NO_H;
        statistics->generated++;
        if (viewed(search))
            expansion_show_child(expansion, successor, place.id);
        if (place.id != NO_NODE) {
            struct node *known = &store->nodes[place.id];
            if (node.g + 1 >= known->g) {
                statistics->duplicates++;
                continue;
            }
            if (known->closed) {
                statistics->reopened++;
            } else {
                raise_to(&statistics->max_open, expansion->live);
                expansion->live--;
            }
            known->closed = 1; /* it is passed over */
            h = known->h;
        } else if (!expansion->calls_h) {
            h = node.h + (unsigned)expansion->steps.of[node.blank][exit.move][successor.tile];
        }
        if (!add_child(batch, search, packing, id, exit, &successor, place, h))
            return false;
    }
    return search->status == STATUS_exhausted;
}

/* Has the nodes from `first` on valued that are not, and makes all of them live. False when memory
 * is spent. */
KERNEL bool make_live(struct batch *batch, struct search *search, enum packing packing,
                      uint32_t first)
{
    struct expansion *expansion = &batch->expansion;
    struct store *store = &expansion->store;
    unsigned count = 0;
    for (uint32_t id = first; id < store->count; id++) {
        if (store->nodes[id].closed || store->nodes[id].h != NO_H)
            continue;
        struct board *board = &batch->boards[count];
        *board = search->task->start;
        board->blank = store->nodes[id].blank;
        unpack(packing, store_state(store, packing, id), board);
        batch->asked[count++] = id;
    }
    if (count > 0)
        heuristic_evaluate_batch(search->heuristic, batch->boards, count, batch->values);
    for (unsigned i = 0; i < count; i++)
        store->nodes[batch->asked[i]].h = (uint16_t)batch->values[i];
    for (uint32_t id = first; id < store->count; id++) {
        const struct node node = store->nodes[id];
        if (node.closed)
            continue;
        if (batch->settings.h_weight == 0)
            node_buckets_at(&expansion->open, node.g);
        if (!expansion_push(expansion, &batch->settings, id, node.g, node.h)) {
            search->status = STATUS_memory_limit;
            return false;
        }
    }
    if (viewed(search))
        store_show_open(store, &expansion->open.heap, expansion->live, search);
    return true;
}

/* The rounds. */
KERNEL void run_rounds(struct batch *batch, struct search *search, enum packing packing)
{
    struct expansion *expansion = &batch->expansion;
    const union packed goal = pack(packing, &search->task->goal);
    bool on = true;
    search->status = STATUS_exhausted;
    while (on && take(batch, search, packing, goal) && batch->count > 0) {
        const uint32_t first = expansion->store.count;
        for (uint32_t i = 0; i < batch->count && on; i++) {
            on = expand(batch, search, packing, batch->taken[i]);
            if (!on)
                expansion->live += batch->count - i - 1; /* those were not expanded */
        }
        raise_to(&search->statistics.max_open, expansion->live);
        on = on && make_live(batch, search, packing, first);
    }
    if (search->status == STATUS_exhausted && search->moves != NULL)
        search->status = STATUS_solved;
}

/* The rounds, for each packing. */
static void rounds_64(struct batch *batch, struct search *search)
{
    run_rounds(batch, search, PACK_64);
}

static void rounds_128(struct batch *batch, struct search *search)
{
    run_rounds(batch, search, PACK_128);
}

static void rounds_bytes(struct batch *batch, struct search *search)
{
    run_rounds(batch, search, PACK_BYTES);
}

void batch_best_first(struct search *search, const struct best_first *settings, uint32_t size)
{
    void (*const rounds[])(struct batch *, struct search *) = {rounds_64, rounds_128, rounds_bytes};
    struct arena *arena = &search->arena;
    struct batch batch = {.settings = *settings, .size = size, .bound = INT64_MAX};
    const size_t children = (size_t)MOVES * size;
    batch.taken = arena_take(arena, size * sizeof *batch.taken);
    expansion_start(&batch.expansion, search, &batch.settings);
    if (batch.expansion.calls_h) {
        batch.boards = arena_take(arena, children * sizeof *batch.boards);
        batch.values = arena_take(arena, children * sizeof *batch.values);
        batch.asked = arena_take(arena, children * sizeof *batch.asked);
    }
    if (batch.taken == NULL ||
        (batch.expansion.calls_h &&
         (batch.boards == NULL || batch.values == NULL || batch.asked == NULL)))
        search->status = STATUS_memory_limit;
    else if (expansion_root(&batch.expansion))
        rounds[packing_of(search->task->start.shape)](&batch, search);
    expansion_end(&batch.expansion);
    arena_release(arena, batch.taken);
    arena_release(arena, batch.boards);
    arena_release(arena, batch.values);
    arena_release(arena, batch.asked);
}
