#include "bidirectional/both_ends.h"

bool tally_add(struct arena *arena, struct tally *tally, unsigned value)
{
    enum { FIRST = 64 };
    if (value >= tally->values) {
        unsigned values = tally->values == 0 ? FIRST : 2 * tally->values;
        while (value >= values)
            values *= 2;
        uint64_t *count = arena_resize(arena, tally->count, values * sizeof *count);
        if (count == NULL)
            return false;
        memset(count + tally->values, 0, (values - tally->values) * sizeof *count);
        tally->count = count;
        tally->values = values;
    }
    tally->count[value]++;
    if (value < tally->minimum)
        tally->minimum = value;
    return true;
}

void tally_remove(struct tally *tally, unsigned value)
{
    assert(value < tally->values && tally->count[value] > 0);
    tally->count[value]--;
}

unsigned tally_min(struct tally *tally)
{
    while (tally->minimum < tally->values && tally->count[tally->minimum] == 0)
        tally->minimum++;
    return tally->minimum < tally->values ? tally->minimum : UINT_MAX;
}

void both_ends_start(struct both_ends *ends, struct search *search,
                     const enum ties ties[BOTH_ENDS_LISTS])
{
    *ends = (struct both_ends){.search = search,
                               .heuristic = {search->heuristic, search->backward},
                               .best = NO_LENGTH,
                               .joined = {NO_NODE, NO_NODE}};
    store_start(&ends->store, &search->arena);
    for (unsigned side = START; side < SIDES; side++)
        for (unsigned list = 0; list < BOTH_ENDS_LISTS; list++)
            node_heap_start(&ends->open[side][list], &search->arena, ties[list]);
}

void both_ends_end(struct both_ends *ends)
{
    ends->search->statistics.open_at_end = ends->live[START] + ends->live[GOAL];
    for (unsigned side = START; side < SIDES; side++)
        for (unsigned list = 0; list < BOTH_ENDS_LISTS; list++)
            node_heap_end(&ends->open[side][list]);
    store_end(&ends->store);
}

uint32_t both_ends_first(struct both_ends *ends, unsigned side, unsigned list)
{
    struct node_heap *open = &ends->open[side][list];
    while (open->count > 0) {
        const uint32_t id = node_heap_id(open, open->entries[0]);
        if (!ends->store.nodes[id].closed)
            return id;
        node_heap_pop(open, false);
    }
    return NO_NODE;
}

unsigned both_ends_first_f(struct both_ends *ends, unsigned side, unsigned list)
{
    const uint32_t id = both_ends_first(ends, side, list);
    return id == NO_NODE ? UINT_MAX : ends->store.nodes[id].g + ends->store.nodes[id].h;
}

bool both_ends_push(struct both_ends *ends, unsigned list, uint32_t id, unsigned cost, unsigned tie)
{
    struct node_heap *open = &ends->open[ends->store.nodes[id].side][list];
    if (node_heap_push(open, false, node_heap_entry(open, id, cost, tie)))
        return true;
    ends->search->status = STATUS_memory_limit;
    return false;
}

/* A node was added, and the other side's node of its state is `other`. */
bool both_ends_keep(struct both_ends *ends, const struct both_ends_rules *rules, uint32_t id,
                    uint32_t other, unsigned behind)
{
    struct statistics *statistics = &ends->search->statistics;
    const struct node *nodes = ends->store.nodes;
    const unsigned side = nodes[id].side;
    ends->live[side]++;
    raise_to(&statistics->max_open, ends->live[START] + ends->live[GOAL]);
    raise_to(&statistics->max_stored, ends->store.entries);
    raise_to(&statistics->max_depth, nodes[id].g);
    if (other != NO_NODE && nodes[id].g + nodes[other].g < ends->best) {
        ends->best = nodes[id].g + nodes[other].g;
        ends->joined[side] = id;
        ends->joined[!side] = other;
    }
    return rules->enter(ends, id, behind);
}

/* A live node leaves the open list: it is expanded or replaced. */
void both_ends_close(struct both_ends *ends, const struct both_ends_rules *rules, uint32_t id)
{
    struct node *node = &ends->store.nodes[id];
    assert(!node->closed);
    node->closed = 1;
    ends->live[node->side]--;
    if (rules->leave != NULL)
        rules->leave(ends, id);
}

uint32_t both_ends_twin(const struct both_ends *ends, uint32_t id)
{
    const enum packing packing = packing_of(ends->search->task->start.shape);
    const unsigned side = ends->store.nodes[id].side;
    uint32_t found[SIDES];
    store_look_sides(&ends->store, packing, store_state(&ends->store, packing, id), side, found);
    return found[!side];
}

void both_ends_drop(struct both_ends *ends, const struct both_ends_rules *rules, uint32_t id,
                    enum fate fate)
{
    store_drop(&ends->store, id, ends->search, fate, ends->best);
    both_ends_close(ends, rules, id);
}

void both_ends_solution(const struct both_ends *ends)
{
    const struct node *nodes = ends->store.nodes;
    char *moves = search_solved(ends->search, ends->best);
    if (moves == NULL)
        return;
    uint32_t before = ends->joined[START], behind = ends->joined[GOAL];
    const size_t at = nodes[before].g;
    for (size_t i = at; i > 0; i--, before = nodes[before].parent)
        moves[i - 1] = move_letters[nodes[before].move];
    for (size_t i = at; nodes[behind].parent != NO_NODE; i++, behind = nodes[behind].parent)
        moves[i] = move_letters[move_undo(nodes[behind].move)];
}

void both_ends_show_child(struct both_ends *ends, const struct both_ends_rules *rules,
                          struct enode *enode, struct successor successor,
                          const uint32_t found[SIDES], unsigned side)
{
    const uint32_t g = enode->g + 1;
    const unsigned h = successor_value(ends->heuristic[side], enode, enode->h, &successor);
    struct event event = store_event(&ends->store, found[side], g);
    if (event.fate != FATE_DUPLICATE && rules->screens && g + h >= ends->best) {
        event.fate = FATE_BOUNDED;
        event.limit = ends->best;
    } else if (event.fate != FATE_DUPLICATE && found[!side] != NO_NODE) {
        event.joins = g + UINT64_C(0) + ends->store.nodes[found[!side]].g;
    }
    view_successor(ends->search, enode, successor, h, event);
}

/* The next node comes first, then the start's and the goal's, each list in its order. */
void both_ends_show_live(struct both_ends *ends, uint32_t next)
{
    struct search *search = ends->search;
    struct board board = search->task->start;
    bool on = view_step(search, ends->live[START] + ends->live[GOAL]);
    if (on && next != NO_NODE)
        on = view_live(search, store_seen(&ends->store, next, &board), 0, &board);
    for (unsigned i = 0; on && i < SIDES * BOTH_ENDS_LISTS; i++)
        on = store_show_heap(&ends->store, &ends->open[i / BOTH_ENDS_LISTS][i % BOTH_ENDS_LISTS],
                             next, search);
}
