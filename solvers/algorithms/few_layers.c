#include "algorithms/few_layers.h"
#include "search/store.h"
#include <limits.h>

/* A part of the path: its boards, how many moves lead to the first of them, and its own. */
struct piece {
    struct board from;
    struct board to;
    unsigned offset;
    unsigned length; /* UNKNOWN until the goal is found */
};

enum { UNKNOWN = INT32_MAX, MAX_PIECES = 40 };

struct layers {
    struct search *search;
    const struct few_layers *settings;
    struct store previous; /* empty with used operators */
    struct store current;
    struct store next;
    struct store relay; /* the relay layer once it is none of the others */
    unsigned depth;     /* of the current layer */
    unsigned relay_at;  /* the layer of this depth is to be the relay layer */
    unsigned relay_depth;
    unsigned limit; /* for g + h in this search */
    unsigned above; /* the smallest g + h that was dropped */
    struct enode enode;
    /* Of the goal: */
    unsigned length;
    struct board relay_board; /* its ancestor in the relay layer, if relay_depth is not UNKNOWN */
};

/* Nodes of the current layer that are behind number `id`, and the next layer. */
static uint64_t live_behind(const struct layers *layers, uint32_t id)
{
    return layers->current.count - id - UINT64_C(1) + layers->next.count;
}

static void count_nodes(const struct layers *layers, uint64_t live, unsigned depth)
{
    struct statistics *statistics = &layers->search->statistics;
    raise_to(&statistics->max_open, live);
    raise_to(&statistics->max_stored, (uint64_t)layers->previous.count + layers->current.count +
                                          layers->next.count + layers->relay.count);
    raise_to(&statistics->max_depth, depth);
}

/* Makes the current layer the relay layer. */
static void begin_relay(struct layers *layers)
{
    store_end(&layers->relay);
    layers->relay_depth = layers->depth;
    for (uint32_t id = 0; id < layers->current.count; id++)
        layers->current.nodes[id].ancestor = id;
}

/* Goes on to the next layer, and lets go of what is not needed any more. */
static void next_layer(struct layers *layers)
{
    const bool used_operators = layers->settings->used_operators;
    struct store *leaving = used_operators ? &layers->current : &layers->previous;
    const unsigned depth = used_operators ? layers->depth : layers->depth - 1;
    if (leaving->count > 0 && depth == layers->relay_depth) {
        arena_release(leaving->arena, leaving->slots);
        layers->relay = *leaving;
        layers->relay.slots = NULL;
        layers->relay.slot_count = 0;
    } else {
        store_end(leaving);
    }
    if (!used_operators)
        layers->previous = layers->current;
    layers->current = layers->next;
    store_start(&layers->next, &layers->search->arena);
    layers->depth++;
}

/* The goal is a child of node `id` of the current layer. */
static void note_goal(struct layers *layers, uint32_t id)
{
    const struct store *relay = layers->relay_depth == layers->depth ? &layers->current
                                : layers->relay.count > 0            ? &layers->relay
                                                                     : &layers->previous;
    layers->length = layers->depth + 1;
    layers->relay_board = layers->search->task->start;
    if (layers->relay_depth != UNKNOWN)
        store_seen(relay, layers->current.nodes[id].ancestor, &layers->relay_board);
}

/* Adds a child to the next layer, unless it is known. False when the budget is spent. */
KERNEL bool keep(struct layers *layers, enum packing packing, uint32_t parent,
                 const struct successor *successor, unsigned h)
{
    struct search *search = layers->search;
    struct store *next = &layers->next;
    const bool used_operators = layers->settings->used_operators;
    const struct node node = {.ancestor = layers->current.nodes[parent].ancestor,
                              .used_operators = 1U << move_undo(successor->move),
                              .h = (uint16_t)h,
                              .blank = (uint8_t)successor->from,
                              .move = (uint8_t)(successor->move & 15)};
    const uint32_t known = store_find(next, packing, successor->state);
    const bool before = !used_operators && known == NO_NODE &&
                        store_find(&layers->previous, packing, successor->state) != NO_NODE;
    search_shows_child(search, &layers->enode, successor, h,
                       known != NO_NODE || before ? FATE_DUPLICATE : FATE_KEPT,
                       before ? layers->depth - 1 : layers->depth + 1);
    if (known != NO_NODE || before) {
        search->statistics.duplicates++;
        if (used_operators)
            next->nodes[known].used_operators |= node.used_operators;
        return true;
    }
    const uint32_t id = store_add(next, packing, successor->state, node);
    if (id == NO_NODE || !store_enter(next, packing, id))
        return false;
    count_nodes(layers, live_behind(layers, parent), layers->depth + 1);
    return true;
}

/* Expands node `id` of the current layer; `target` is looked for if `tests` says so. */
KERNEL enum few_layers_outcome expand(struct layers *layers, enum packing packing, uint32_t id,
                                      union packed target, bool tests)
{
    struct search *search = layers->search;
    struct enode *enode = &layers->enode;
    const struct node *node = &layers->current.nodes[id];
    enode->state = store_state(&layers->current, packing, id);
    enode->board.blank = node->blank;
    unpack(packing, enode->state, &enode->board);
    enode->g = layers->depth;
    enode->h = node->h;
    enode->undo = MOVE_NONE;
    if (!search_expands(search, enode))
        return FEW_LAYERS_STOPPED;
    const struct exits *exits = enode_exits(search, enode);
    for (unsigned i = 0; i < exits->count; i++) {
        const struct successor successor = successor_by(packing, enode, exits->exit[i]);
        if ((node->used_operators >> successor.move & 1) != 0)
            continue;
        if (!search_generates(search))
            return FEW_LAYERS_STOPPED;
        const unsigned h = successor_h(search, enode, &successor);
        const unsigned f = layers->depth + 1 + h;
        if (f > layers->limit) {
            if (f < layers->above)
                layers->above = f;
            search_shows_child(search, enode, &successor, h, FATE_ABOVE, layers->limit);
            continue;
        }
        if (!keep(layers, packing, id, &successor, h)) {
            search->status = STATUS_memory_limit;
            return FEW_LAYERS_STOPPED;
        }
        if (tests && packed_equal(packing, successor.state, target)) {
            note_goal(layers, id);
            return FEW_LAYERS_SOLVED;
        }
    }
    search_expanded(search);
    return FEW_LAYERS_NONE;
}

/* Looks for the end of a piece from its beginning. A piece of
 * known length ends in the layer of that depth. *live becomes the number of live nodes. */
KERNEL enum few_layers_outcome look(struct layers *layers, enum packing packing,
                                    const struct piece *piece, unsigned h, uint64_t *live)
{
    const struct node root = {.h = (uint16_t)h, .blank = piece->from.blank, .move = MOVE_NONE};
    const union packed target = pack(packing, &piece->to);
    const uint32_t id = store_add(&layers->current, packing, pack(packing, &piece->from), root);
    if (id == NO_NODE || !store_enter(&layers->current, packing, id)) {
        layers->search->status = STATUS_memory_limit;
        return FEW_LAYERS_STOPPED;
    }
    count_nodes(layers, 1, 0);
    while (layers->current.count > 0 && layers->depth < piece->length) {
        const bool tests = piece->length == UNKNOWN || layers->depth + 1 == piece->length;
        if (layers->depth == layers->relay_at) {
            begin_relay(layers);
            if (piece->length == UNKNOWN && layers->limit == FEW_LAYERS_NO_LIMIT)
                layers->relay_at *= 2;
        }
        for (uint32_t i = 0; i < layers->current.count; i++) {
            const enum few_layers_outcome outcome = expand(layers, packing, i, target, tests);
            if (outcome == FEW_LAYERS_NONE)
                continue;
            *live = live_behind(layers, i);
            return outcome;
        }
        next_layer(layers);
    }
    *live = 0;
    return FEW_LAYERS_NONE;
}

/* The same for any packing. */
static enum few_layers_outcome look_packed(struct layers *layers, const struct piece *piece,
                                           unsigned h, uint64_t *live)
{
    switch (packing_of(piece->from.shape)) {
    case PACK_64:
        return look(layers, PACK_64, piece, h, live);
    case PACK_128:
        return look(layers, PACK_128, piece, h, live);
    default:
        return look(layers, PACK_BYTES, piece, h, live);
    }
}

/* Looks for a piece, and says in `layers` how long it is and where the relay layer splits it. */
static enum few_layers_outcome look_for(struct layers *layers, const struct piece *piece)
{
    struct search *search = layers->search;
    const bool goal = piece->length == UNKNOWN;
    const unsigned limit = layers->settings->limit;
    uint64_t live;
    unsigned h = 0;
    if (search->heuristic != NULL)
        h = search->heuristic->kind->evaluate(search->heuristic, &piece->from);
    if (!goal && !search_generates(search))
        return FEW_LAYERS_STOPPED;
    layers->depth = 0;
    if (!goal) {
        view_round(search, "piece", piece->length);
        view_root(search, &piece->from, h, START);
    }
    layers->relay_depth = UNKNOWN;
    layers->relay_at = (goal ? limit : piece->length) / 2;
    if (layers->relay_at == 0 || (goal && limit == FEW_LAYERS_NO_LIMIT))
        layers->relay_at = 1;
    layers->limit = limit == FEW_LAYERS_NO_LIMIT ? limit : limit - piece->offset;
    layers->above = UINT_MAX;
    layers->enode.board = search->task->start;
    store_start(&layers->previous, &search->arena);
    store_start(&layers->current, &search->arena);
    store_start(&layers->next, &search->arena);
    store_start(&layers->relay, &search->arena);
    const enum few_layers_outcome outcome = look_packed(layers, piece, h, &live);
    if (goal)
        search->statistics.open_at_end = live;
    store_end(&layers->previous);
    store_end(&layers->current);
    store_end(&layers->next);
    store_end(&layers->relay);
    return outcome;
}

/* Finds the moves of the path from start to goal, whose length is known and whose relay board is in
 * `layers`. */
static enum few_layers_outcome find_path(struct layers *layers, unsigned length, uint8_t *path)
{
    const struct search *search = layers->search;
    const struct task *task = search->task;
    struct piece pieces[MAX_PIECES];
    unsigned count = 0;
    struct piece piece = {task->start, task->goal, 0, length};
    bool is_split = layers->relay_depth != UNKNOWN;
    for (;;) {
        if (piece.length == 1) {
            for (unsigned move = 0; move < MOVES; move++)
                if (search->operators.target[piece.from.blank][move] == piece.to.blank)
                    path[piece.offset] = (uint8_t)move;
            if (count == 0)
                return FEW_LAYERS_SOLVED;
            piece = pieces[--count];
            continue;
        }
        if (!is_split) {
            const enum few_layers_outcome outcome = look_for(layers, &piece);
            if (outcome != FEW_LAYERS_SOLVED)
                return outcome;
        }
        is_split = false;
        const unsigned first = layers->relay_depth;
        assert(first > 0 && first < piece.length && count < MAX_PIECES);
        pieces[count++] = (struct piece){layers->relay_board, piece.to, piece.offset + first,
                                         piece.length - first};
        piece.to = layers->relay_board;
        piece.length = first;
    }
}

enum few_layers_outcome few_layers_search(struct search *search, const struct few_layers *settings,
                                          unsigned *above)
{
    const struct task *task = search->task;
    struct layers layers = {.search = search, .settings = settings};
    const struct piece whole = {task->start, task->goal, 0, UNKNOWN};
    raise_to(&search->statistics.max_open, 1);
    raise_to(&search->statistics.max_stored, 1);
    *above = search_start_h(search);
    if (*above > settings->limit)
        return FEW_LAYERS_NONE;
    if (board_equal(&task->start, &task->goal)) {
        search_solved(search, 0);
        return FEW_LAYERS_SOLVED;
    }
    enum few_layers_outcome outcome = look_for(&layers, &whole);
    *above = layers.above;
    if (outcome != FEW_LAYERS_SOLVED)
        return outcome;
    const unsigned length = layers.length;
    uint8_t *path = arena_take(&search->arena, length);
    if (path == NULL) {
        search->status = STATUS_memory_limit;
        return FEW_LAYERS_STOPPED;
    }
    outcome = find_path(&layers, length, path);
    if (outcome == FEW_LAYERS_NONE) { /* the heuristic says one thing now and another then */
        search->status = STATUS_stuck;
        outcome = FEW_LAYERS_STOPPED;
    }
    char *moves = outcome == FEW_LAYERS_SOLVED ? search_solved(search, length) : NULL;
    for (unsigned i = 0; moves != NULL && i < length; i++)
        moves[i] = move_letters[path[i]];
    arena_release(&search->arena, path);
    return outcome;
}
