#include "search/lists.h"

/* ---- Orders ---- */

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

/* What lists_best_first orders nodes by. */
static uint128 cost_by_settings(const struct lists *lists, uint32_t id)
{
    const struct best_first *settings = &lists->settings;
    const struct label *label = &lists->labels[id];
    if (settings->h_weight == 0)
        return (settings->counts_g ? label->g : 0) + label->h;
    return (unsigned)settings->g_weight * (uint128)label->g +
           (unsigned)settings->h_weight * (uint128)label->h;
}

static uint64_t key_by_settings(const struct lists *lists, uint32_t id)
{
    const uint128 cost = cost_by_settings(lists, id);
    return cost < UINT64_MAX ? (uint64_t)cost : UINT64_MAX;
}

static bool by_settings(const struct lists *lists, uint32_t a, uint32_t b)
{
    const uint128 of_a = cost_by_settings(lists, a);
    const uint128 of_b = cost_by_settings(lists, b);
    return of_a != of_b ? of_a < of_b : lists_tie(lists, a, b);
}

bool lists_by_h(const struct lists *lists, uint32_t a, uint32_t b)
{
    const struct label *of_a = &lists->labels[a];
    const struct label *of_b = &lists->labels[b];
    if (of_a->h != of_b->h)
        return of_a->h < of_b->h;
    return of_a->g != of_b->g ? of_a->g < of_b->g : of_a->turn > of_b->turn;
}

bool lists_by_g(const struct lists *lists, uint32_t a, uint32_t b)
{
    const struct label *of_a = &lists->labels[a];
    const struct label *of_b = &lists->labels[b];
    if (of_a->g != of_b->g)
        return of_a->g < of_b->g;
    return of_a->h != of_b->h ? of_a->h < of_b->h : of_a->turn > of_b->turn;
}

bool lists_is_consistent(const struct search *search)
{
    return (heuristic_properties(&search->heuristic->choice) & CONSISTENT) != 0;
}

/* ---- Nodes ---- */

static void start(struct lists *lists, struct search *search, unsigned sides, unsigned count,
                  lists_order *const orders[])
{
    *lists = (struct lists){.search = search,
                            .column_count = count,
                            .count = count,
                            .sides = sides,
                            .guides = {search->heuristic, search->backward},
                            .best = NO_COST,
                            .packing = packing_of(search->task->start.shape),
                            .settings = {.counts_g = true, .duplicates = DUPLICATES_STORED},
                            .depth_limit = UINT64_MAX,
                            .bound = NO_COST,
                            .enode.board = search->task->start};
    for (unsigned i = 0; i < count * sides; i++)
        lists->of[i] = (struct open_list){.before = orders[i / sides], .column = i / sides};
    store_start(&lists->store, &search->arena);
    search_table_steps(search, &lists->steps);
}

void lists_start(struct lists *lists, struct search *search, unsigned count,
                 lists_order *const orders[])
{
    start(lists, search, 1, count, orders);
}

void lists_start_both(struct lists *lists, struct search *search, unsigned count,
                      lists_order *const orders[])
{
    start(lists, search, SIDES, count, orders);
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
    if (lists->others[START] != NULL) {
        uint64_t *values = arena_resize(arena, lists->values, room * sizeof *values);
        if (values == NULL)
            return false;
        lists->values = values;
    }
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

/* Puts a node on all lists of its side. False when memory is spent. */
static bool put_on_all(struct lists *lists, uint32_t id)
{
    const unsigned side = lists->store.nodes[id].side;
    for (unsigned i = 0; i < lists->count; i++)
        if (!lists_put(lists, list_of_side(lists, i, side), id))
            return false;
    return true;
}

/* Asks the other heuristic of a node's side. */
static void add_value(struct lists *lists, uint32_t id)
{
    const struct node *node = &lists->store.nodes[id];
    struct board board = lists->search->task->start;
    board.blank = node->blank;
    unpack(lists->packing, store_state(&lists->store, lists->packing, id), &board);
    lists->values[id] = heuristic_priced(lists->others[node->side], &board);
}

/* A node becomes live. False when memory is spent. */
static bool arrive(struct lists *lists, uint32_t id, uint64_t g, uint64_t h)
{
    lists->live[lists->store.nodes[id].side]++;
    lists->labels[id] = (struct label){g, h, ++lists->turns};
    if (lists->others[START] != NULL)
        add_value(lists, id);
    return lists->arrives != NULL ? lists->arrives(lists, id) : put_on_all(lists, id);
}

/* A node is live no more. */
static void leave(struct lists *lists, uint32_t id)
{
    const unsigned side = lists->store.nodes[id].side;
    lists->live[side]--;
    if (lists->leaves != NULL) {
        lists->leaves(lists, id);
        return;
    }
    for (unsigned i = 0; i < lists->count; i++)
        lists_remove(lists, list_of_side(lists, i, side), id);
}

/* Notes how many nodes are live. */
static void count_live(struct lists *lists)
{
    raise_to(&lists->search->statistics.max_open, lists->live[START] + lists->live[GOAL]);
}

/* From both ends: a node has a new path, and the other side's node of its state is `other`. */
static void join(struct lists *lists, uint32_t id, uint32_t other)
{
    const unsigned side = lists->store.nodes[id].side;
    if (other == NO_NODE || lists->labels[id].g + lists->labels[other].g >= lists->best)
        return;
    lists->best = lists->labels[id].g + lists->labels[other].g;
    lists->joined[side] = id;
    lists->joined[!side] = other;
    if (lists->screens)
        lists->bound = lists->best;
}

uint32_t lists_twin(const struct lists *lists, uint32_t id)
{
    const union packed state = store_state(&lists->store, lists->packing, id);
    const unsigned side = lists->store.nodes[id].side;
    uint32_t found[SIDES];
    store_look_sides(&lists->store, lists->packing, state, side, found);
    return found[!side];
}

/* Whether states met before are recognised. */
static bool is_stored(const struct lists *lists)
{
    return lists->settings.duplicates == DUPLICATES_STORED;
}

/* Makes the root of a side live. False when the search must end; its status is set. */
static bool add_root(struct lists *lists, unsigned side)
{
    struct search *search = lists->search;
    struct store *store = &lists->store;
    const struct board *board = side == START ? &search->task->start : &search->task->goal;
    const struct heuristic *guide = lists->guides[side];
    const uint64_t h = guide == NULL ? 0 : heuristic_priced(guide, board);
    const struct node node = {.parent = NO_NODE,
                              .h = (uint16_t)h,
                              .blank = board->blank,
                              .move = MOVE_NONE,
                              .side = side & 1};
    if (!search_generates(search))
        return false;
    search->sides[side].generated += lists->sides == SIDES;
    view_root(search, board, node.h, side);
    const uint32_t root = store_add(store, lists->packing, pack(lists->packing, board), node);
    if (root == NO_NODE || (is_stored(lists) && !store_enter(store, lists->packing, root)) ||
        !reserve(lists) || !arrive(lists, root, 0, h)) {
        search->status = STATUS_memory_limit;
        return false;
    }
    count_live(lists);
    return true;
}

/* What becomes of a child of the E-node with this g, of whose state the stored node is `known`. */
static enum fate fate_of(const struct lists *lists, uint32_t known, uint64_t g, uint64_t h)
{
    const bool met = known != NO_NODE && lists->labels[known].turn > lists->since;
    const bool closed = met && lists->store.nodes[known].closed;
    if (met && (!lists->settings.counts_g || g >= lists->labels[known].g ||
                (closed && lists->settings.keeps_closed)))
        return FATE_DUPLICATE;
    if (g + h >= lists->bound)
        return FATE_BOUNDED;
    return !met ? FATE_KEPT : closed ? FATE_REOPENED : FATE_SHORTER;
}

/* Makes a live node of a child: of the stored node of its state, or a new one. False when memory is
 * spent. */
KERNEL bool keep(struct lists *lists, struct search *search, enum packing packing, uint32_t parent,
                 const struct successor *successor, const uint32_t found[SIDES], uint64_t g,
                 uint64_t h)
{
    struct store *store = &lists->store;
    const unsigned side = store->nodes[parent].side;
    uint32_t known = found[side];
    struct node node = node_of_successor(parent, &lists->enode, successor, (unsigned)h);
    node.side = side & 1;
    if (known != NO_NODE) {
        if (store->nodes[known].closed)
            search->statistics.reopened += lists->labels[known].turn > lists->since;
        else
            leave(lists, known);
        store->nodes[known] = node;
    } else {
        known = store_add(store, packing, successor->state, node);
        if (known == NO_NODE || !reserve(lists) ||
            (is_stored(lists) && !store_enter(store, packing, known)))
            return false;
        raise_to(&search->statistics.max_stored, store->count);
    }
    raise_to(&search->statistics.max_depth, node.g);
    const bool arrived = arrive(lists, known, g, h);
    if (lists->sides == SIDES) {
        count_live(lists);
        join(lists, known, found[!side]);
    }
    return arrived;
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
    const struct heuristic *guide = lists->guides[lists->store.nodes[parent].side];
    return guide == NULL ? 0
                         : priced_value(guide, &lists->enode, lists->labels[parent].h, successor);
}

uint64_t lists_last_cost(const struct lists *lists, uint32_t id)
{
    const struct node *nodes = lists->store.nodes;
    const unsigned to = nodes[nodes[id].parent].blank;
    const union packed state = store_state(&lists->store, lists->packing, id);
    return move_cost(lists->search, packed_tile(lists->packing, state, to));
}

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
        moves[--length] = move_letters[nodes[id].move];
        cost += lists_last_cost(lists, id);
    }
    return cost;
}

/* Shows a child of the E-node. */
static SELDOM void show(struct lists *lists, struct successor successor, unsigned h, enum fate fate,
                        const uint32_t found[SIDES])
{
    const struct node *nodes = lists->store.nodes;
    struct enode *enode = &lists->enode;
    const uint32_t known = found[enode->side], other = found[!enode->side];
    struct event event = {
        .fate = fate, .known_g = known == NO_NODE ? 0 : nodes[known].g, .limit = lists->bound};
    if (fate <= FATE_REOPENED && other != NO_NODE)
        event.joins = enode->g + UINT64_C(1) + nodes[other].g;
    view_successor(lists->search, enode, successor, h, event);
}

/* Expands a node that was taken. False when the search is over. */
KERNEL bool expand(struct lists *lists, struct search *search, enum packing packing, uint32_t id,
                   union packed goal)
{
    struct enode *enode = &lists->enode;
    const unsigned side = lists->store.nodes[id].side;
    const bool both = lists->sides == SIDES;
    store_unpack(&lists->store, packing, id, lists->settings.duplicates != DUPLICATES_NONE, enode);
    enode->side = side & 1;
    if (!search_expands(search, enode))
        return false;
    search->sides[side].expanded += both;
    const struct exits *exits = enode_exits(search, enode);
    for (unsigned i = 0; i < exits->count && search->status == STATUS_exhausted; i++) {
        const struct successor successor = successor_by(packing, enode, exits->exit[i]);
        if (!search_generates(search))
            break;
        search->sides[side].generated += both;
        uint32_t found[SIDES] = {NO_NODE, NO_NODE};
        if (both)
            store_look_sides(&lists->store, packing, successor.state, side, found);
        else if (is_stored(lists))
            found[START] = store_find(&lists->store, packing, successor.state);
        const uint64_t g = lists->labels[id].g + move_cost(search, successor.tile);
        const uint64_t h = h_of(lists, id, &successor, found[side]);
        const enum fate fate = fate_of(lists, found[side], g, h);
        if (viewed(search))
            show(lists, successor, (unsigned)h, fate, found);
        if (fate == FATE_DUPLICATE)
            search->statistics.duplicates++;
        else if (fate == FATE_BOUNDED && lists->bounded != NULL)
            lists->bounded(lists, g + h);
        else if (fate <= FATE_REOPENED &&
                 !keep(lists, search, packing, id, &successor, found, g, h))
            search->status = STATUS_memory_limit;
        else if (lists->settings.test_at_generation && fate == FATE_KEPT &&
                 packed_equal(packing, successor.state, goal))
            solution(lists, lists->store.count - 1);
    }
    count_live(lists);
    return search->status == STATUS_exhausted;
}

static bool expand_packed(struct lists *lists, uint32_t id, union packed goal)
{
    struct search *search = lists->search;
    return lists->packing == PACK_64    ? expand(lists, search, PACK_64, id, goal)
           : lists->packing == PACK_128 ? expand(lists, search, PACK_128, id, goal)
                                        : expand(lists, search, PACK_BYTES, id, goal);
}

/* ---- Solutions ---- */

bool lists_improves(struct lists *lists, uint64_t cost)
{
    struct search *search = lists->search;
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
    if (lists->of[BY_F].before == lists_by_f) /* no node is half expanded: all others are live */
        raise_to(&lists->proved, lists_least_f(lists));
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
    return arrive(lists, 0, 0, h);
}

void lists_drop(struct lists *lists, uint32_t id, enum fate fate)
{
    leave(lists, id);
    store_drop(&lists->store, id, lists->search, fate, lists->bound);
    lists->store.nodes[id].closed = 1;
}

/* The path through the nodes where both sides meet is the solution. */
static void solution_joined(struct lists *lists)
{
    const struct node *nodes = lists->store.nodes;
    const uint32_t meeting = lists->joined[GOAL];
    size_t before = 0, behind = 0;
    for (uint32_t at = lists->joined[START]; nodes[at].parent != NO_NODE; at = nodes[at].parent)
        before++;
    for (uint32_t at = meeting; nodes[at].parent != NO_NODE; at = nodes[at].parent)
        behind++;
    char *moves = search_solved(lists->search, before + behind);
    if (moves == NULL)
        return;
    char *next = moves + before;
    for (uint32_t at = meeting; nodes[at].parent != NO_NODE; at = nodes[at].parent)
        *next++ = move_letters[move_undo(nodes[at].move)];
    for (uint32_t at = lists->joined[START]; nodes[at].parent != NO_NODE; at = nodes[at].parent)
        moves[--before] = move_letters[nodes[at].move];
}

static void search_on(struct lists *lists, uint32_t (*choose)(struct lists *))
{
    const union packed goal = pack(lists->packing, &lists->search->task->goal);
    uint32_t id;
    if (lists->settings.test_at_generation &&
        packed_equal(lists->packing, store_state(&lists->store, lists->packing, 0), goal)) {
        solution(lists, 0);
        return;
    }
    while ((id = choose(lists)) != NO_NODE) {
        const union packed state = store_state(&lists->store, lists->packing, id);
        const bool is_goal = lists->sides == 1 && packed_equal(lists->packing, state, goal);
        const bool bounded = lists_f(lists, id) >= lists->bound;
        if (bounded || (is_goal && lists->improves)) {
            lists_drop(lists, id, FATE_BOUNDED);
        } else {
            leave(lists, id);
            lists->store.nodes[id].closed = 1;
        }
        if (bounded || (!is_goal && lists->store.nodes[id].g >= lists->depth_limit))
            continue;
        if (is_goal ? !arrive_at_goal(lists, id) : !expand_packed(lists, id, goal))
            return;
    }
}

static void end(struct lists *lists)
{
    struct search *search = lists->search;
    struct arena *arena = lists->store.arena;
    raise_to(&search->statistics.max_stored,
             is_stored(lists) ? lists->store.entries : lists->store.count);
    search->statistics.open_at_end = lists->live[START] + lists->live[GOAL];
    search->steps = NULL;
    for (unsigned i = 0; i < lists->count * lists->sides; i++)
        arena_release(arena, lists->of[i].entries);
    arena_release(arena, lists->keys);
    for (unsigned i = 0; i < lists->column_count; i++)
        arena_release(arena, lists->columns[i]);
    arena_release(arena, lists->labels);
    arena_release(arena, lists->values);
    store_end(&lists->store);
}

void lists_run(struct lists *lists, uint32_t (*choose)(struct lists *))
{
    struct search *search = lists->search;
    const bool both = lists->sides == SIDES;
    bool goes_on = add_root(lists, START);
    if (goes_on && both && board_equal(&search->task->start, &search->task->goal)) {
        search_solved(search, 0);
        goes_on = false;
    }
    if (goes_on && (!both || add_root(lists, GOAL))) {
        search->status = STATUS_exhausted;
        search_on(lists, choose);
        if (search->status == STATUS_memory_limit && lists->spent != NULL)
            lists->spent(lists);
        if (search->status == STATUS_exhausted && lists->best != NO_COST)
            solution_joined(lists);
        if (search->status == STATUS_exhausted && search->moves != NULL)
            search->status = STATUS_solved;
    }
    end(lists);
}

static uint32_t choose_first(struct lists *lists)
{
    return list_first(&lists->of[0]);
}

void lists_best_first(struct search *search, const struct best_first *settings,
                      uint64_t depth_limit)
{
    struct lists lists;
    lists_start(&lists, search, 1, (lists_order *const[]){by_settings});
    lists.key = key_by_settings;
    lists.settings = *settings;
    lists.depth_limit = depth_limit;
    lists_run(&lists, choose_first);
}
