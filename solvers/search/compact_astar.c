#include "search/compact_astar.h"
#include "search/bucket_open.h"
#include "search/compact_closed.h"

/* The ways from a cell, in operator order, without the one that undoes the last move. */
struct ways {
    uint8_t count;
    struct way way[MOVES];
};

enum { UNDOS = MOVES + 1, MAX_WAYS = COMPACT_CELLS * UNDOS };

/* A successor whose state has not been looked up yet. */
struct child {
    compact_board board;
    compact_key key;
    uint32_t node; /* if rise is 0: the node that was made of it */
    uint8_t rise;
    uint8_t undo;
};

/* A node of f = F, waiting to be expanded or expanded ahead. */
struct node {
    struct kept_board kept;
    uint16_t g;
    uint8_t ways;     /* an index of compact->ways */
    bool replaceable; /* it may have been replaced since it was generated */
    bool dead;        /* it is a duplicate, or descends from one */
};

/* A node that was expanded ahead. */
struct pending {
    _Alignas(ARENA_ALIGNMENT) uint32_t node;
    uint32_t count; /* of children */
    struct child child[MOVES];
};

struct compact {
    struct search *search;
    struct compact_closed closed; /* note: 2 bits of g, 2 bits: the move that leads back */
    struct bucket_open open;      /* live nodes; their 4 bits: 1: replaceable, 3: the undo */
    struct board_code code;
    compact_board goal;
    unsigned f;     /* F */
    unsigned ahead; /* how many nodes to expand ahead */
    struct compact_astar_pace pace;
    bool inconsistent; /* the heuristic is */
    struct node *nodes;
    uint64_t node_count;
    uint32_t *unused;    /* a stack of numbers of nodes that are free */
    uint32_t *deepening; /* a stack of the nodes of f = F that were generated since F rose */
    uint32_t unused_count;
    uint32_t deepening_count;
    uint64_t deepest;     /* row 0 of the open list is empty from this g on */
    uint32_t first, last; /* pending[first % .. last % - 1] */
    struct pending pending[COMPACT_ASTAR_MAX_AHEAD];
    struct enode enode; /* what an observer is shown */
    struct ways ways[MAX_WAYS];
};

/* How many nodes to expand ahead: one while the closed list fits into the processor's caches. */
static void set_ahead(struct compact *compact)
{
    enum { IN_CACHE = 1 << 13 }; /* lines: half a MiB */
    compact->ahead = compact->pace.ahead != 0            ? compact->pace.ahead
                     : compact->closed.lines <= IN_CACHE ? 1
                                                         : COMPACT_ASTAR_MAX_AHEAD;
}

/* What the closed list keeps of g: enough to tell three g apart that differ by 2. Never 0. */
KERNEL unsigned g_class(unsigned g)
{
    return g / 2 % 3 + 1;
}

/* The node is to be expanded before F rises. */
KERNEL void deepen(struct compact *compact, uint32_t id)
{
    compact->deepening[compact->deepening_count++] = id;
}

KERNEL uint32_t take_unused(struct compact *compact)
{
    return compact->unused[--compact->unused_count];
}

KERNEL void give_back(struct compact *compact, uint32_t id)
{
    compact->unused[compact->unused_count++] = id;
}

/* Takes the node that is next to be expanded, provided that all pending children are new. False if
 * no node of f = F is left. */
KERNEL bool take(struct compact *compact, uint32_t *id)
{
    while (compact->deepening_count > 0) {
        *id = compact->deepening[--compact->deepening_count];
        if (LIKELY(!compact->nodes[*id].dead))
            return true;
        give_back(compact, *id);
    }
    struct bucket_open *open = &compact->open;
    while (compact->deepest > 0 && open->row[0][compact->deepest - 1] == EMPTY_BUCKET)
        compact->deepest--;
    if (compact->deepest == 0)
        return false;
    const open_word live = bucket_open_pop(open, compact->deepest - 1);
    *id = take_unused(compact);
    struct node *node = &compact->nodes[*id];
    const unsigned blank = live_board(&compact->code, live, &node->kept);
    node->g = (uint16_t)(compact->deepest - 1);
    node->ways = (uint8_t)(blank * UNDOS + (live_rest(live) & 7));
    node->replaceable = live_rest(live) >> 3;
    node->dead = false;
    if (node->replaceable)
        closed_prefetch(&compact->closed, kept_key(&compact->code, &node->kept));
    return true;
}

/* f of a child - f of its parent, from the whole board. `from` is the tile's cell. */
static inline uint8_t rise_of(struct compact *compact, struct board *board, unsigned h,
                              unsigned tile, unsigned from)
{
    const struct heuristic *heuristic = compact->search->heuristic;
    const unsigned to = board->blank;
    board_slide(board, from);
    unsigned child_h = heuristic->kind->step(heuristic, board, h, tile, from, to);
    board_slide(board, to);
    if (child_h > h + 1 || child_h + 1 < h)
        compact->inconsistent = true;
    return (uint8_t)(1 + child_h - h);
}

/* The homes of the children of the node that was expanded AHEAD / 2 before the last have arrived:
 * those that are full need the line behind, too. */
KERNEL void prefetch_behind(const struct compact *compact)
{
    enum { BEFORE = COMPACT_ASTAR_MAX_AHEAD / 2 };
    if (compact->last - compact->first <= BEFORE)
        return;
    const struct pending *pending =
        &compact->pending[(compact->last - 1 - BEFORE) % COMPACT_ASTAR_MAX_AHEAD];
    for (unsigned i = 0; i < pending->count; i++)
        closed_prefetch_behind(&compact->closed, pending->child[i].key);
}

/* Makes the children of a node and prefetches their lines of the closed list. Children of f = F
 * are the next to be expanded. */
KERNEL void expand_ahead(struct compact *compact, uint32_t id, bool tabled)
{
    const struct node *node = &compact->nodes[id];
    const compact_board parent = node->kept.board;
    const struct ways *ways = &compact->ways[node->ways];
    struct pending *pending = &compact->pending[compact->last++ % COMPACT_ASTAR_MAX_AHEAD];
    struct board *board = &compact->enode.board;
    if (!tabled) {
        board->blank = node->ways / UNDOS;
        compact_unpack(parent, board);
    }
    pending->node = id;
    pending->count = ways->count;
    prefetch_behind(compact);
    for (unsigned i = 0; i < ways->count; i++) {
        const struct way *way = &ways->way[i];
        struct child *child = &pending->child[i];
        const unsigned tile = way_tile(way, parent);
        child->board = way_board(way, parent, tile);
        child->key = way_key(&compact->code, way, &node->kept, tile, child->board);
        child->undo = way->undo;
        closed_prefetch(&compact->closed, child->key);
        child->rise = tabled ? way->rise[tile]
                             : rise_of(compact, board, compact->f - node->g, tile, way_cell(way));
        if (child->rise == 0) {
            if (UNLIKELY(node->g == compact->f))
                compact->inconsistent = true; /* the child's h would be negative */
            child->node = take_unused(compact);
            struct node *deeper = &compact->nodes[child->node];
            deeper->kept = keep_board(child->board, child->key);
            deeper->g = (uint16_t)(node->g + 1);
            deeper->ways = way->next;
            deeper->replaceable = deeper->dead = false;
            deepen(compact, child->node);
        }
    }
}

/* The child is a duplicate: so is whatever was expanded ahead from it. */
KERNEL void drop(struct compact *compact, const struct child *child)
{
    if (child->rise == 0)
        compact->nodes[child->node].dead = true;
}

/* Writes the solution: from the goal back along the stored moves. */
static void walk_back(struct compact *compact, size_t length)
{
    struct search *search = compact->search;
    struct board board = search->task->goal;
    char *moves = search_solved(search, length);
    if (moves == NULL)
        return;
    for (size_t i = length; i-- > 0;) {
        const compact_key key = board_key(&compact->code, &board);
        const unsigned note = closed_note(closed_find(&compact->closed, key));
        const unsigned undo = note >> 2;
        assert((note & 3) == g_class((unsigned)i + 1));
        moves[i] = move_letters[move_undo(undo)];
        board_slide(&board, search->operators.target[board.blank][undo]);
    }
    assert(board_equal(&board, &search->task->start));
}

/* Sets what an observer is shown of a node. */
static void show(struct compact *compact, const struct node *node)
{
    struct enode *enode = &compact->enode;
    enode->board.blank = node->ways / UNDOS;
    compact_unpack(node->kept.board, &enode->board);
    enode->g = node->g;
    enode->h = compact->f - node->g;
}

/* Looks up one child. If its state is new or its path shorter than the stored one, it becomes a
 * live node. False when memory is spent. */
KERNEL bool settle_child(struct compact *compact, const struct child *child, unsigned g,
                         unsigned class)
{
    const unsigned note = (unsigned)child->undo << 2 | class;
    const struct closed_place place = closed_find(&compact->closed, child->key);
    if (LIKELY(!place.known)) {
        if (UNLIKELY(!closed_enter(&compact->closed, place, child->key, note)))
            return false;
    } else if ((closed_note(place) & 3) == class % 3 + 1) {
        assert(child->rise == 0); /* it replaces a live node of f = F + 2 */
        closed_set_note(place, note);
    } else {
        compact->search->statistics.duplicates++;
        drop(compact, child);
        return true;
    }
    if (child->rise > 0)
        bucket_open_push(
            &compact->open, child->rise, g,
            live_node(child->board, child->key, (unsigned)(child->rise == 2) << 3 | child->undo));
    return true;
}

/* Makes room for a node's children. False when the search must end. */
static bool make_room(struct compact *compact)
{
    if (!closed_grow(&compact->closed, compact->search))
        return false;
    set_ahead(compact);
    if (bucket_open_has_room(&compact->open) || bucket_open_grow(&compact->open))
        return true;
    compact->search->status = STATUS_memory_limit;
    return false;
}

/* Does with the oldest pending node what A* does with a node taken from the open list. False when
 * the search is over. */
KERNEL bool settle(struct compact *compact)
{
    struct search *search = compact->search;
    struct statistics *statistics = &search->statistics;
    struct compact_closed *closed = &compact->closed;
    const struct pending *pending = &compact->pending[compact->first++ % COMPACT_ASTAR_MAX_AHEAD];
    struct node *node = &compact->nodes[pending->node];
    give_back(compact, pending->node);
    if (node->replaceable)
        node->dead = (closed_note(closed_find(closed, kept_key(&compact->code, &node->kept))) &
                      3) != g_class(node->g);
    if (node->dead) {
        for (unsigned i = 0; i < pending->count; i++)
            drop(compact, &pending->child[i]);
        return true;
    }
    if (UNLIKELY(node->kept.board == compact->goal)) {
        walk_back(compact, node->g);
        return false;
    }
    if (UNLIKELY(!closed_has_room(closed) || !bucket_open_has_room(&compact->open)) &&
        !make_room(compact))
        return false;
    if (UNLIKELY(search->observer != NULL))
        show(compact, node);
    if (!search_expands(search, &compact->enode))
        return false;
    const uint64_t allowed = search->limits.nodes - statistics->generated;
    const unsigned count = pending->count <= allowed ? pending->count : (unsigned)allowed;
    const uint64_t duplicates = statistics->duplicates;
    const unsigned g = node->g + 1U;
    const unsigned class = g_class(g);
    unsigned settled = 0;
    while (settled < count && settle_child(compact, &pending->child[settled], g, class))
        settled++;
    statistics->generated += settled;
    if (statistics->duplicates < duplicates + settled)
        raise_to(&statistics->max_depth, g);
    raise_to(&statistics->max_open, closed->count - statistics->expanded);
    if (LIKELY(settled == pending->count))
        return true;
    search->status = settled < count ? STATUS_memory_limit : STATUS_node_limit;
    return false;
}

/* Makes the nodes needed until F rises again: a depth-first search to depth F has at most two nodes
 * waiting on each level. Called while no node is in use. False when memory is spent. */
static bool make_nodes(struct compact *compact)
{
    struct arena *arena = &compact->search->arena;
    const uint64_t needed = 2 * (compact->f + UINT64_C(2)) + COMPACT_ASTAR_MAX_AHEAD;
    if (needed <= compact->node_count)
        return true;
    const uint64_t count = needed + needed / 2;
    arena_release(arena, compact->nodes);
    arena_release(arena, compact->unused);
    compact->nodes = arena_take(arena, count * sizeof *compact->nodes);
    compact->unused = arena_take(arena, 2 * count * sizeof *compact->unused);
    if (compact->nodes == NULL || compact->unused == NULL)
        return false;
    compact->node_count = count;
    compact->deepening = compact->unused + count;
    compact->unused_count = 0;
    for (uint64_t i = count; i-- > 0;)
        give_back(compact, (uint32_t)i);
    return true;
}

/* All nodes of f = F are expanded: raises F. False when the search is over. */
static bool raise_f(struct compact *compact)
{
    struct search *search = compact->search;
    if (compact->closed.count == search->statistics.expanded) {
        search->status = STATUS_exhausted;
        return false;
    }
    compact->f++;
    compact->deepest = compact->f + UINT64_C(1);
    if (bucket_open_next_row(&compact->open, compact->f + UINT64_C(3)) && make_nodes(compact))
        return true;
    search->status = STATUS_memory_limit;
    return false;
}

/* Expands ahead until `ahead` nodes are pending and settles the older half of them, in turn. So
 * many lines are prefetched with little work between: a processor that waits for an address to be
 * translated looks no further ahead than some hundred instructions. */
KERNEL void astar_loop(struct compact *compact, bool tabled)
{
    for (;;) {
        uint32_t id;
        while (compact->last - compact->first < compact->ahead && take(compact, &id)) {
            expand_ahead(compact, id, tabled);
            if (UNLIKELY(compact->inconsistent))
                return;
        }
        if (compact->first == compact->last && !raise_f(compact))
            return;
        for (unsigned half = (compact->ahead + 1) / 2; half > 0 && compact->first != compact->last;
             half--)
            if (!settle(compact))
                return;
    }
}

static void loop_tabled(struct compact *compact)
{
    astar_loop(compact, true);
}

static void loop_stepped(struct compact *compact)
{
    astar_loop(compact, false);
}

/* Lists the ways from every cell, by the move that is not to be made; for an incremental heuristic
 * also what each adds to f. */
static void make_ways(struct compact *compact)
{
    const struct search *search = compact->search;
    const struct heuristic *heuristic = search->heuristic;
    const struct board *goal = &search->task->goal;
    const bool tabled = heuristic_properties(&heuristic->choice) & INCREMENTAL;
    for (unsigned blank = 0; blank < goal->shape.cells; blank++) {
        struct ways *all = &compact->ways[blank * UNDOS + MOVE_NONE];
        for (unsigned i = 0; i < MOVES; i++) {
            const unsigned move = search->operators.order[i];
            const unsigned from = search->operators.target[blank][move];
            if (from == NO_CELL)
                continue;
            struct way *way = &all->way[all->count++];
            *way = way_make(&compact->code, from, blank);
            way->undo = (uint8_t)move_undo(move);
            way->next = (uint8_t)(from * UNDOS + move_undo(move));
            for (unsigned tile = 1; tabled && tile < goal->shape.cells; tile++) {
                const unsigned h = 1000; /* any value */
                const unsigned rise =
                    1 + heuristic->kind->step(heuristic, goal, h, tile, from, blank) - h;
                way->rise[tile] = (uint8_t)rise;
                if (rise > 2)
                    compact->inconsistent = true;
            }
        }
        for (unsigned undo = 0; undo < MOVES; undo++) {
            struct ways *ways = &compact->ways[blank * UNDOS + undo];
            for (unsigned i = 0; i < all->count; i++)
                if (move_undo(all->way[i].undo) != undo)
                    ways->way[ways->count++] = all->way[i];
        }
    }
}

/* Makes the tables, and the root a live node. False when memory is spent. */
static bool start(struct compact *compact, const struct compact_astar_pace *pace)
{
    struct search *search = compact->search;
    struct statistics *statistics = &search->statistics;
    code_make(&compact->code, &search->task->start);
    compact->goal = compact_pack(&search->task->goal);
    compact->enode.board = search->task->start;
    compact->f = search_start_h(search);
    compact->pace = *pace;
    set_ahead(compact);
    make_ways(compact);
    if (!closed_start(&compact->closed, &search->arena, pace->lines) ||
        !bucket_open_start(&compact->open, &search->arena, compact->f + UINT64_C(16)) ||
        !bucket_open_grow(&compact->open) || !make_nodes(compact))
        return false;
    const compact_key key = board_key(&compact->code, &search->task->start);
    (void)closed_enter(&compact->closed, closed_find(&compact->closed, key), key, g_class(0));
    bucket_open_push(&compact->open, 0, 0,
                     live_node(compact_pack(&search->task->start), key, MOVE_NONE));
    compact->deepest = 1;
    statistics->max_open = 1;
    return true;
}

#ifndef COMPACT_128
bool compact_astar_fits(const struct search *search)
{
    return packing_of(search->task->start.shape) != PACK_BYTES &&
           (heuristic_properties(&search->heuristic->choice) & CONSISTENT) != 0;
}

bool compact_astar(struct search *search, const struct compact_astar_pace *pace)
{
    return (packing_of(search->task->start.shape) == PACK_64 ? compact_astar_64
                                                             : compact_astar_128)(search, pace);
}
#endif

bool compact_astar_run(struct search *search, const struct compact_astar_pace *pace)
{
    struct arena *arena = &search->arena;
    const struct statistics before = search->statistics;
    const bool tabled = (heuristic_properties(&search->heuristic->choice) & INCREMENTAL) != 0;
    struct compact *compact = arena_take(arena, sizeof *compact);
    search->status = STATUS_memory_limit;
    if (!search_generates(search) || compact == NULL) {
        arena_release(arena, compact);
        return true;
    }
    compact->search = search;
    if (start(compact, pace) && !compact->inconsistent)
        (tabled ? loop_tabled : loop_stepped)(compact);
    const bool decided = !compact->inconsistent;
    search->statistics.max_stored = compact->closed.count;
    search->statistics.open_at_end = compact->closed.count - search->statistics.expanded -
                                     (search->status == STATUS_solved); /* the goal was taken */
    if (!decided)
        search->statistics = before;
    closed_end(&compact->closed);
    bucket_open_end(&compact->open);
    arena_release(arena, compact->nodes);
    arena_release(arena, compact->unused);
    arena_release(arena, compact);
    return decided;
}
