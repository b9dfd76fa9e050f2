#include "algorithms/lists.h"

/* ---- Open lists ---- */

static void settle(struct lists *lists, struct open_list *list, uint32_t at, uint32_t id)
{
    list->entries[at] = id;
    lists->columns[list->column][id] = at + 1;
}

/* Puts a node at a place that is empty, or above it. */
static void rise(struct lists *lists, struct open_list *list, uint32_t at, uint32_t id)
{
    while (at > 0 && list->before(lists, id, list->entries[(at - 1) / HEAP_CHILDREN])) {
        settle(lists, list, at, list->entries[(at - 1) / HEAP_CHILDREN]);
        at = (at - 1) / HEAP_CHILDREN;
    }
    settle(lists, list, at, id);
}

/* Puts a node at a place that is empty, or below it. */
static void sink(struct lists *lists, struct open_list *list, uint32_t at, uint32_t id)
{
    for (uint64_t child; (child = HEAP_CHILDREN * (uint64_t)at + 1) < list->count;) {
        uint64_t first = child;
        while (++child < list->count && child <= HEAP_CHILDREN * (uint64_t)at + HEAP_CHILDREN)
            if (list->before(lists, list->entries[child], list->entries[first]))
                first = child;
        if (!list->before(lists, list->entries[first], id))
            break;
        settle(lists, list, at, list->entries[first]);
        at = (uint32_t)first;
    }
    settle(lists, list, at, id);
}

bool lists_put(struct lists *lists, struct open_list *list, uint32_t id)
{
    if (lists->columns[list->column][id] != 0)
        return true;
    if (list->count == list->capacity) {
        const uint64_t more = list->capacity == 0 ? 64 : arena_more(list->capacity);
        uint32_t *entries = arena_resize(lists->store.arena, list->entries,
                                         (list->capacity + more) * sizeof *entries);
        if (entries == NULL)
            return false;
        list->entries = entries;
        list->capacity += (uint32_t)more;
    }
    rise(lists, list, list->count++, id);
    return true;
}

void lists_remove(struct lists *lists, struct open_list *list, uint32_t id)
{
    uint32_t *const place = &lists->columns[list->column][id];
    if (*place == 0)
        return;
    const uint32_t at = *place - 1;
    const uint32_t last = list->entries[--list->count];
    *place = 0;
    if (last == id)
        return;
    if (at > 0 && list->before(lists, last, list->entries[(at - 1) / HEAP_CHILDREN]))
        rise(lists, list, at, last);
    else
        sink(lists, list, at, last);
}

void lists_remake(struct lists *lists, struct open_list *list)
{
    if (list->count < 2)
        return;
    for (uint32_t at = (list->count - 2) / HEAP_CHILDREN + 1; at-- > 0;)
        sink(lists, list, at, list->entries[at]);
}

uint32_t lists_first_inside(struct lists *lists, struct open_list *inside,
                            struct open_list *outside,
                            bool (*is_in)(const struct lists *, uint32_t id))
{
    uint32_t id;
    while ((id = list_first(outside)) != NO_NODE && is_in(lists, id)) {
        lists_remove(lists, outside, id);
        if (!lists_put(lists, inside, id)) {
            lists->search->status = STATUS_memory_limit;
            return NO_NODE;
        }
    }
    while ((id = list_first(inside)) != NO_NODE && !is_in(lists, id)) {
        lists_remove(lists, inside, id);
        if (!lists_put(lists, outside, id)) {
            lists->search->status = STATUS_memory_limit;
            return NO_NODE;
        }
    }
    return id;
}

bool lists_by_f(const struct lists *lists, uint32_t a, uint32_t b)
{
    const uint64_t f_a = lists_f(lists, a);
    const uint64_t f_b = lists_f(lists, b);
    return f_a != f_b ? f_a < f_b : lists_tie(lists, a, b);
}

bool lists_by_weighted_f(const struct lists *lists, uint32_t a, uint32_t b)
{
    const uint128 f_a = lists_weighted(lists, a);
    const uint128 f_b = lists_weighted(lists, b);
    return f_a != f_b ? f_a < f_b : lists_tie(lists, a, b);
}

bool lists_by_h(const struct lists *lists, uint32_t a, uint32_t b)
{
    const struct label *of_a = &lists->labels[a];
    const struct label *of_b = &lists->labels[b];
    if (of_a->h != of_b->h)
        return of_a->h < of_b->h;
    return of_a->g != of_b->g ? of_a->g < of_b->g : of_a->turn > of_b->turn;
}

bool lists_is_consistent(const struct search *search)
{
    return (heuristic_properties(&search->heuristic->choice) & CONSISTENT) != 0;
}

/* ---- Nodes ---- */

void lists_start(struct lists *lists, struct search *search, unsigned count,
                 lists_order *const orders[])
{
    *lists = (struct lists){.search = search,
                            .column_count = count,
                            .count = count,
                            .packing = packing_of(search->task->start.shape),
                            .bound = NO_COST,
                            .enode.board = search->task->start};
    for (unsigned i = 0; i < count; i++)
        lists->of[i] = (struct open_list){.before = orders[i], .column = i};
    store_start(&lists->store, &search->arena);
    search_table_steps(search, &lists->steps);
}

/* Gives each node for which the store has room its label and its columns. */
static bool reserve(struct lists *lists)
{
    struct arena *arena = lists->store.arena;
    const uint32_t room = lists->store.capacity;
    if (lists->capacity == room)
        return true;
    struct label *labels = arena_resize(arena, lists->labels, room * sizeof *labels);
    if (labels == NULL)
        return false;
    lists->labels = labels;
    for (unsigned i = 0; i < lists->column_count; i++) {
        uint32_t *column = arena_resize(arena, lists->columns[i], room * sizeof *column);
        if (column == NULL)
            return false;
        memset(column + lists->capacity, 0, (room - lists->capacity) * sizeof *column);
        lists->columns[i] = column;
    }
    lists->capacity = room;
    return true;
}

/* A node becomes live. False when memory is spent. */
static bool arrive(struct lists *lists, uint32_t id, uint64_t g, uint64_t h)
{
    lists->labels[id] = (struct label){g, h, ++lists->turns};
    if (lists->arrives != NULL)
        return lists->arrives(lists, id);
    for (unsigned i = 0; i < lists->count; i++)
        if (!lists_put(lists, &lists->of[i], id))
            return false;
    return true;
}

static void leave(struct lists *lists, uint32_t id)
{
    if (lists->leaves != NULL) {
        lists->leaves(lists, id);
        return;
    }
    for (unsigned i = 0; i < lists->count; i++)
        lists_remove(lists, &lists->of[i], id);
}

static bool add_root(struct lists *lists)
{
    struct search *search = lists->search;
    struct store *store = &lists->store;
    const uint32_t root = store_add_root(store, lists->packing, search);
    if (root == NO_NODE)
        return false;
    if (!store_enter(store, lists->packing, root) || !reserve(lists) ||
        !arrive(lists, root, 0, priced_start_h(search))) {
        search->status = STATUS_memory_limit;
        return false;
    }
    lists->live = 1;
    raise_to(&search->statistics.max_open, lists->live);
    return true;
}

/* What becomes of a child of the E-node with this g, of whose state the stored node is `known`. */
static enum fate fate_of(const struct lists *lists, uint32_t known, uint64_t g, uint64_t h)
{
    const bool closed = known != NO_NODE && lists->store.nodes[known].closed;
    if (known != NO_NODE && lists->labels[known].turn > lists->since &&
        (g >= lists->labels[known].g || (closed && lists->keeps_closed)))
        return FATE_DUPLICATE;
    if (g + h >= lists->bound)
        return FATE_BOUNDED;
    return known == NO_NODE ? FATE_KEPT : closed ? FATE_REOPENED : FATE_SHORTER;
}

/* Makes a live node of a child: of the stored node of its state, or a new one. False when memory is
 * spent. */
KERNEL bool keep(struct lists *lists, struct search *search, enum packing packing, uint32_t parent,
                 const struct successor *successor, uint32_t known, uint64_t g, uint64_t h)
{
    struct store *store = &lists->store;
    const struct node node = node_of_successor(parent, &lists->enode, successor, (unsigned)h);
    if (known != NO_NODE) {
        if (store->nodes[known].closed) {
            search->statistics.reopened++;
        } else {
            lists->live--;
            leave(lists, known);
        }
        store->nodes[known] = node;
    } else {
        known = store_add(store, packing, successor->state, node);
        if (known == NO_NODE || !reserve(lists) || !store_enter(store, packing, known))
            return false;
        raise_to(&search->statistics.max_stored, store->count);
    }
    lists->live++;
    raise_to(&search->statistics.max_depth, node.g);
    return arrive(lists, known, g, h);
}

/* h of a child of node `parent`, of whose state the stored node is `known`. */
static uint64_t h_of(struct lists *lists, uint32_t parent, const struct successor *successor,
                     uint32_t known)
{
    struct search *search = lists->search;
    if (known != NO_NODE)
        return lists->labels[known].h;
    if (search->costs == NULL)
        return successor_h(search, &lists->enode, successor); /* by a table of steps */
    return priced_successor_h(search, &lists->enode, lists->labels[parent].h, successor);
}

/* Expands a node that was taken. False when the search is over. */
KERNEL bool expand(struct lists *lists, struct search *search, enum packing packing, uint32_t id)
{
    struct enode *enode = &lists->enode;
    store_unpack(&lists->store, packing, id, true, enode);
    if (!search_expands(search, enode))
        return false;
    const struct exits *exits = enode_exits(search, enode);
    for (unsigned i = 0; i < exits->count && search->status == STATUS_exhausted; i++) {
        const struct successor successor = successor_by(packing, enode, exits->exit[i]);
        if (!search_generates(search))
            break;
        const uint32_t known = store_find(&lists->store, packing, successor.state);
        const uint64_t g = lists->labels[id].g + move_cost(search, successor.tile);
        const uint64_t h = h_of(lists, id, &successor, known);
        const enum fate fate = fate_of(lists, known, g, h);
        if (viewed(search))
            view_successor(
                search, enode, successor, (unsigned)h,
                (struct event){.fate = fate,
                               .known_g = known == NO_NODE ? 0 : lists->store.nodes[known].g,
                               .limit = lists->bound});
        if (fate == FATE_DUPLICATE)
            search->statistics.duplicates++;
        else if (fate <= FATE_REOPENED &&
                 !keep(lists, search, packing, id, &successor, known, g, h))
            search->status = STATUS_memory_limit;
    }
    raise_to(&search->statistics.max_open, lists->live);
    return search->status == STATUS_exhausted;
}

static bool expand_packed(struct lists *lists, uint32_t id)
{
    struct search *search = lists->search;
    return lists->packing == PACK_64    ? expand(lists, search, PACK_64, id)
           : lists->packing == PACK_128 ? expand(lists, search, PACK_128, id)
                                        : expand(lists, search, PACK_BYTES, id);
}

/* ---- Solutions ---- */

/* Makes the path to a node the search's solution. Returns what it costs, or NO_COST if the search
 * is over, as the system has no memory. */
static uint64_t solution(struct lists *lists, uint32_t id)
{
    const struct store *store = &lists->store;
    const struct node *nodes = store->nodes;
    size_t length = 0;
    uint64_t cost = 0;
    for (uint32_t at = id; nodes[at].parent != NO_NODE; at = nodes[at].parent)
        length++;
    char *moves = search_solved(lists->search, length);
    if (moves == NULL)
        return NO_COST;
    for (; nodes[id].parent != NO_NODE; id = nodes[id].parent) {
        const unsigned to = nodes[nodes[id].parent].blank;
        const union packed state = store_state(store, lists->packing, id);
        moves[--length] = move_letters[nodes[id].move];
        cost += move_cost(lists->search, packed_tile(lists->packing, state, to));
    }
    return cost;
}

bool lists_improves(struct lists *lists, uint64_t cost)
{
    struct search *search = lists->search;
    if (lists->of[BY_F].before == lists_by_f)
        raise_to(&lists->proved, lists_least_f(lists));
    lists->bound = cost;
    search->status = STATUS_exhausted; /* not over yet */
    if (!search_improves(search))
        return false;
    search->incumbents[search->incumbent_count - 1].bound =
        lists->proved < cost ? lists->proved : cost;
    return true;
}

/* A goal was taken. False when the search must end. */
static bool arrive_at_goal(struct lists *lists, uint32_t goal)
{
    const uint64_t cost = solution(lists, goal);
    if (cost == NO_COST || !lists->improves || !lists_improves(lists, cost))
        return false;
    if (lists->improved == NULL || lists->improved(lists, goal))
        return true;
    lists->search->status = STATUS_memory_limit;
    return false;
}

bool lists_restart(struct lists *lists)
{
    const struct open_list *list = &lists->of[0];
    const uint64_t h = lists->labels[0].h;
    for (uint32_t at = 0; at < list->count; at++)
        lists->store.nodes[list->entries[at]].closed = 1;
    while (list->count > 0)
        leave(lists, list->entries[list->count - 1]);
    lists->since = lists->turns;
    lists->store.nodes[0].closed = 0;
    lists->live = 1;
    view_round(lists->search, "proof", 0);
    return arrive(lists, 0, 0, h);
}

/* Takes a node, which is live, off its lists. `dropped`: it will not be expanded. */
static void take(struct lists *lists, uint32_t id, bool dropped)
{
    leave(lists, id);
    lists->live--;
    if (dropped)
        store_drop(&lists->store, id, lists->search, FATE_BOUNDED, lists->bound);
    lists->store.nodes[id].closed = 1;
}

static void search_on(struct lists *lists, uint32_t (*choose)(struct lists *))
{
    const union packed goal = pack(lists->packing, &lists->search->task->goal);
    uint32_t id;
    while ((id = choose(lists)) != NO_NODE) {
        const union packed state = store_state(&lists->store, lists->packing, id);
        const bool is_goal = packed_equal(lists->packing, state, goal);
        const bool bounded = lists_f(lists, id) >= lists->bound;
        take(lists, id, bounded || (is_goal && lists->improves));
        if (bounded)
            continue;
        if (is_goal ? !arrive_at_goal(lists, id) : !expand_packed(lists, id))
            return;
    }
}

void lists_run(struct lists *lists, uint32_t (*choose)(struct lists *))
{
    struct search *search = lists->search;
    struct arena *arena = lists->store.arena;
    if (add_root(lists)) {
        search->status = STATUS_exhausted;
        search_on(lists, choose);
        if (search->status == STATUS_exhausted && search->moves != NULL)
            search->status = STATUS_solved;
    }
    search->statistics.max_stored = lists->store.entries;
    search->statistics.open_at_end = lists->live;
    search->steps = NULL;
    for (unsigned i = 0; i < lists->count; i++)
        arena_release(arena, lists->of[i].entries);
    for (unsigned i = 0; i < lists->column_count; i++)
        arena_release(arena, lists->columns[i]);
    arena_release(arena, lists->labels);
    store_end(&lists->store);
}
