/* Bidirectional breadth-first search (Pohl, "Bi-directional search", in Machine Intelligence 6,
 * 1971; Russell and Norvig, section 3.4.5): breadth first from the start and, since all moves can
 * be undone, from the goal, layer by layer, until one side generates a state of the other.
 *
 * Only whole layers are expanded, so the first such meeting lies on a shortest path. Suppose that
 * one side holds all states up to depth a from its root, the other all up to depth b from its own,
 * and no state is held by both. Then no path of a + b moves or fewer leads from root to root: both
 * sides would hold its state at depth a (or its end, if it is shorter). So if the first side
 * generates, at depth a + 1, a state that the second holds, at depth b at most, that state lies on
 * a path of at most a + 1 + b moves, and no path is shorter.
 *
 * side: whose layer is next. smaller (default): that of the side with fewer nodes in it, the
 * start's if they are equal; alternate: in turn, the start's first.
 *
 * Counters are of both sides together; both roots count as generated, since both are held. A state
 * is held once, by the side that met it first: so one look at the table recognises a duplicate and
 * a meeting. Each layer is a range of node numbers: the store is the queue of both sides. */
#include "search/algorithm.h"
#include "search/store.h"

DECLARE_ALGORITHM(bibfs);

enum { SIDE };
enum { SMALLER, ALTERNATE };

const struct option_row bibfs_options[] = {
    [SIDE] = {CHOICE_OPTION("side",
                            "whose layer is expanded next: the smaller one, or each in turn",
                            "smaller", "alternate")},
    {.kind = OPTION_END},
};

/* The deepest layer of a side: nodes first .. end - 1. */
struct layer {
    uint32_t first;
    uint32_t end;
};

static uint32_t layer_size(struct layer layer)
{
    return layer.end - layer.first;
}

struct meeting {
    struct search *search;
    struct store store;
    struct layer layers[2]; /* by side; never empty, as the goal can be reached */
    uint32_t head;          /* the node that was taken last */
};

/* The root of a side becomes its first layer. False when the search is over. */
KERNEL bool add_root(struct meeting *meeting, enum packing packing, unsigned side)
{
    struct search *search = meeting->search;
    struct store *store = &meeting->store;
    const struct board *board = side == START ? &search->task->start : &search->task->goal;
    const struct node root = {
        .parent = NO_NODE, .blank = board->blank, .move = MOVE_NONE, .side = side & 1};
    if (!search_generates(search))
        return false;
    search->sides[side].generated++;
    view_root(search, board, 0, side);
    uint32_t id = store_add(store, packing, pack(packing, board), root);
    if (id == NO_NODE || !store_enter(store, packing, id)) {
        search->status = STATUS_memory_limit;
        return false;
    }
    meeting->layers[side] = (struct layer){id, id + 1};
    return true;
}

/* Joins the paths of two neighbours, one of each side; `move` leads from the one to the other. */
static void join(const struct meeting *meeting, uint32_t id, unsigned move, uint32_t other)
{
    const struct node *nodes = meeting->store.nodes;
    const bool forward = nodes[id].side == START;
    uint32_t before = forward ? id : other;
    uint32_t behind = forward ? other : id;
    const size_t at = nodes[before].g;
    char *moves = search_solved(meeting->search, at + 1 + nodes[behind].g);
    if (moves == NULL)
        return;
    for (size_t i = at; i > 0; i--, before = nodes[before].parent)
        moves[i - 1] = move_letters[nodes[before].move];
    moves[at] = move_letters[forward ? move : move_undo(move)];
    for (size_t i = at + 1; nodes[behind].parent != NO_NODE; i++, behind = nodes[behind].parent)
        moves[i] = move_letters[move_undo(nodes[behind].move)];
}

/* The side whose layer is expanded after one of `side`. */
static unsigned next_side(const struct search *search, const struct layer *layers, unsigned side)
{
    return search->options[SIDE] == ALTERNATE
               ? !side
               : layer_size(layers[GOAL]) < layer_size(layers[START]);
}

/* Shows the live nodes after node `head`: the rest of this layer, then those of the two sides in
 * the order in which they would go if no more came. */
static SELDOM void show_live(const struct meeting *meeting, unsigned side, uint32_t head,
                             uint32_t next)
{
    const struct store *store = &meeting->store;
    struct search *search = meeting->search;
    struct board board = search->task->start;
    struct layer layers[] = {meeting->layers[START], meeting->layers[GOAL]};
    const uint32_t end = layers[side].end;
    layers[side] = (struct layer){next, store->count};
    const unsigned first = next_side(search, layers, side);
    const struct layer order[] = {{head + 1, end}, layers[first], layers[!first]};
    bool on = view_step(search, end - head - 1 + layer_size(layers[0]) + layer_size(layers[1]));
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t id = order[i].first; on && id < order[i].end; id++)
            on = view_live(search, store_seen(store, id, &board), 0, &board);
}

/* Expands a side's layer; what it generates becomes the next one. False when the search is over. */
KERNEL bool expand_layer(struct meeting *meeting, enum packing packing, unsigned side)
{
    struct search *search = meeting->search;
    struct statistics *statistics = &search->statistics;
    struct store *store = &meeting->store;
    const struct layer layer = meeting->layers[side];
    const struct layer others = meeting->layers[!side];
    const struct layer next = {store->count, store->count};
    struct enode enode = {.board = search->task->start, .side = side & 1};
    for (uint32_t head = layer.first; head < layer.end; head++) {
        meeting->head = head;
        store_unpack(store, packing, head, true, &enode);
        if (!search_expands(search, &enode))
            return false;
        search->sides[side].expanded++;
        const struct exits *exits = enode_exits(search, &enode);
        for (unsigned i = 0; i < exits->count; i++) {
            const struct successor successor = successor_by(packing, &enode, exits->exit[i]);
            if (!search_generates(search))
                return false;
            search->sides[side].generated++;
            const uint32_t known = store_find(store, packing, successor.state);
            if (known != NO_NODE && store->nodes[known].side != side) {
                assert(known >= others.first && known < others.end);
                search_shows_child(search, &enode, &successor, 0, FATE_MEETS, 0);
                join(meeting, head, successor.move, known);
                return false;
            }
            if (known != NO_NODE) {
                store_drop_child(store, search, &enode, &successor, known);
                continue;
            }
            const uint32_t id =
                store_keep_child(store, packing, search, head, &enode, &successor, 0);
            if (id == NO_NODE)
                return false;
            store->nodes[id].side = side & 1;
            raise_to(&statistics->max_open,
                     (layer.end - head - 1) + (store->count - next.first) + layer_size(others));
        }
        if (viewed(search))
            show_live(meeting, side, head, next.first);
    }
    meeting->layers[side] = (struct layer){next.first, store->count};
    return true;
}

KERNEL void bibfs_loop(struct meeting *meeting, enum packing packing)
{
    struct search *search = meeting->search;
    struct layer *layers = meeting->layers;
    unsigned side = GOAL; /* whose layer was expanded last */
    if (!add_root(meeting, packing, START))
        return;
    search->statistics.max_open = search->statistics.max_stored = 1;
    if (board_equal(&search->task->start, &search->task->goal)) {
        search_solved(search, 0);
        return;
    }
    if (!add_root(meeting, packing, GOAL))
        return;
    search->statistics.max_open = search->statistics.max_stored = 2;
    do
        side = next_side(search, layers, side);
    while (expand_layer(meeting, packing, side));
    const struct layer rest = layers[side], others = layers[!side];
    const uint32_t next = rest.end > others.end ? rest.end : others.end;
    search->statistics.open_at_end =
        (rest.end - meeting->head - 1) + (meeting->store.count - next) + layer_size(others);
}

KERNEL void bibfs_search(struct search *search, enum packing packing)
{
    struct meeting meeting = {.search = search};
    store_start(&meeting.store, &search->arena);
    bibfs_loop(&meeting, packing);
    store_end(&meeting.store);
}

STAMP_ALGORITHM(bibfs)
