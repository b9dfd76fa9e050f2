/* A* for boards of up to 25 cells and consistent heuristics: up to 16 cells in 9 bytes for up to 4
 * states and 8 for all live children of a node, above in 14 for up to 5 and 12.
 *
 * The search is that of astar/compact.h.
 *
 * Why so little is enough: moves cost 1 and can be taken back, and a consistent h differs by at
 * most 1 between neighbours. Let F be the f of the node that is being expanded.
 *  1. The f of a child is F, F + 1 or F + 2: its g is larger by one, its h differs by at most one.
 *  2. So F never falls, and the f of every live node lies between F and F + 2. It is not below F,
 *     the minimum, and when the node was generated it was at most 2 above the F of that time.
 *  3. The g of a closed node is its distance from the start, as is known of consistent heuristics.
 *     Nothing is reopened.
 *  4. When the state of a child is stored already, the two g differ by -2, 0 or 2. They differ by
 *     an even number, since every move takes the blank to a cell of the other colour. If the stored
 *     node is live, both f lie between F and F + 2, and h is the same. If the stored node s is
 *     closed, each of its neighbours is its parent or was generated from it with g(s) + 1; so a
 *     neighbour that is expanded later has at most that g, and its child s at most g(s) + 2. By 3
 *     it is not less than g(s). The rest of g / 2, divided by 3, says which of the three it is.
 *  5. A live node is replaced by one whose g is smaller by 2 only if its f is F + 2 at that time,
 *     and only once. What the open list still holds of it is recognised by that rest when it is
 *     taken. A node whose f was F or F + 1 when it was generated is never replaced.
 *  6. While F stays, nodes of f = F are generated only by nodes of f = F, one deeper. So when the
 *     newest node of the largest g is taken from the open list, no deeper one is on it. Until all
 *     its descendants of f = F are expanded, the next node is simply the last one generated:
 *     "deepest first" is a depth-first search from each node that was on the list when F rose.
 *     While F stays, none is added to those; they are taken from the list some at a time.
 *  7. Live nodes of one f that one node generates lie next to each other in their bucket of the
 *     open list, and are taken from it one after the other. So the list holds them as one word:
 *     their parent, and a mask of those that were not taken yet.
 *  8. The stored move that led to a state leads back along the path, since the nodes on a path to a
 *     node are closed and so never replaced.
 *
 * The order of 6 depends on whether each child's state is new, before it is known which node comes
 * next: every expansion would wait for memory. So nodes are expanded ahead, as if all children were
 * new, and the lines of the closed list that they need are prefetched. Each child is looked up a
 * few expansions later, in order, and only then is anything counted or stored. What was expanded
 * ahead from a child that is not new after all is dropped: the nodes of f = F lie on a stack, and
 * those that follow the child and lay no lower descend from it. No counter depends on how many
 * nodes are expanded ahead. */
#pragma once

#include "astar/compact.h"

#include "astar/compact_body.h"
#include "heuristics/pdb_trail.h"

/* The ways from a cell, in operator order, without the one that undoes the last move. */
struct ways {
    struct way way[MOVES];
    uint8_t count;
};

enum { UNDOS = MOVES + 1, MAX_WAYS = COMPACT_CELLS * UNDOS };

/* Nodes taken from the open list together. */
enum { REFILL = 32 };

/* A child's bits: masks of a node's children, four bits for each rise of f. A rise of more than 2
 * ends the search. */
KERNEL uint16_t bits_of(const struct way *way, unsigned rise)
{
    return (uint16_t)(way->bit << 4 * (rise % 4));
}

/* Whether the child's f is F. */
KERNEL bool is_deeper(unsigned bits)
{
    return bits < 16;
}

/* A node of f = F, waiting to be expanded ahead. */
struct node {
    struct kept_board kept;
    uint16_t g;
    uint8_t ways; /* an index of compact->ways */
    bool dead;    /* it is a duplicate */
};

/* A node that was expanded ahead: none of its children has been looked up. */
struct pending {
    _Alignas(ARENA_ALIGNMENT) struct node node; /* dead: or descends from a duplicate */
    int64_t level; /* where it lay on the stack: levels under it are lower */
    compact_key key[MOVES];
    struct closed_line *home[MOVES]; /* of the key */
    uint16_t bits[MOVES];
};

struct consistent {
    struct compact shared;
    unsigned f;     /* F */
    unsigned ahead; /* how many nodes to expand ahead */
    struct compact_pace pace;
    bool inconsistent;  /* the heuristic is */
    struct node *stack; /* nodes of f = F */
    uint64_t capacity;
    uint64_t count;
    int64_t floor;        /* the level of the stack's first node */
    uint64_t deepest;     /* row 0 of the open list is empty from this g on */
    uint32_t first, last; /* pending[first % .. last % - 1] */
    struct pending pending[COMPACT_MAX_AHEAD];
    struct enode enode; /* what an observer is shown */
    struct ways ways[MAX_WAYS];
};

/* How many nodes to expand ahead: one while the closed list fits into the processor's caches. */
static void set_ahead(struct consistent *compact)
{
    enum { IN_CACHE = 1 << 13 }; /* lines: half a MiB */
    compact->ahead = compact->pace.ahead != 0                   ? compact->pace.ahead
                     : compact->shared.closed.lines <= IN_CACHE ? 1
                                                                : COMPACT_MAX_AHEAD;
}

KERNEL compact_key node_key(const struct consistent *compact, const struct node *node)
{
    return kept_key(&compact->shared.code, &node->kept, node->ways / UNDOS);
}

KERNEL struct pending *pending_at(struct consistent *compact, uint32_t number)
{
    return &compact->pending[number % COMPACT_MAX_AHEAD];
}

/* Takes the newest of the deepest nodes of f = F from the open list. False if there is none. */
static bool pop(struct consistent *compact, struct node *node)
{
    struct word_buckets *open = &compact->shared.open;
    while (compact->deepest > 0 &&
           compact->shared.open.row[0][compact->deepest - 1] == EMPTY_BUCKET)
        compact->deepest--;
    if (compact->deepest == 0)
        return false;
    const uint64_t g = compact->deepest - 1;
    open_word *word = &open->words[compact->shared.open.row[0][g]];
    struct kept_board parent;
    const unsigned blank = word_board(&compact->shared.code, *word, &parent);
    const unsigned newest = 31U - (unsigned)__builtin_clz(word_bits(*word));
    const struct way *way = &compact->ways[blank * UNDOS + MOVE_NONE].way[newest];
    *word = word_without(*word, 1U << newest);
    if (word_bits(*word) == 0)
        bucket_pop(open, &compact->shared.open.row[0][g]);
    const unsigned tile = way_tile(way, parent.board);
    const compact_board child = way_board(way, parent.board, tile);
    *node = (struct node){
        .kept = keep_board(child, way_key(&compact->shared.code, way, &parent, tile, child)),
        .g = (uint16_t)g,
        .ways = way->next};
    return true;
}

/* Moves nodes of f = F from the open list to the empty stack, those that were replaced left out.
 * Until F rises no node of f = F is added to that list, so that the order stays as it is. False if
 * none is left. */
static CALLED bool refill(struct consistent *compact)
{
    const struct compact_closed *closed = &compact->shared.closed;
    struct node node[REFILL];
    compact->floor -= INT64_C(1) << 32; /* nothing before lay above these */
    while (compact->count == 0) {
        unsigned count = 0;
        for (; count < REFILL && pop(compact, &node[count]); count++)
            closed_prefetch(closed, node_key(compact, &node[count]));
        if (count == 0)
            return false;
        while (count-- > 0) {
            const struct closed_place place = closed_find(closed, node_key(compact, &node[count]));
            const unsigned note =
                closed_note(place, closed_shift(&compact->shared.code, node[count].ways / UNDOS));
            if (note_class(note) == g_class(node[count].g))
                compact->stack[compact->count++] = node[count];
        }
    }
    return true;
}

/* Takes the node that is next to be expanded, provided that all pending children are new. False if
 * no node of f = F is left. */
KERNEL bool take(struct consistent *compact, struct node *node)
{
    do {
        if (UNLIKELY(compact->count == 0) && !refill(compact))
            return false;
        *node = compact->stack[--compact->count];
    } while (UNLIKELY(node->dead));
    return true;
}

/* h of a child, from the whole board. `from` is the tile's cell. */
static inline unsigned child_h(const struct consistent *compact, struct board *board, unsigned h,
                               unsigned from)
{
    const struct heuristic *heuristic = compact->shared.search->heuristic;
    const unsigned to = board->blank;
    const unsigned tile = board->cell[from];
    board_slide(board, from);
    const unsigned value = heuristic->kind->step(heuristic, board, h, tile, from, to);
    board_slide(board, to);
    return value;
}

/* f of each child - f of its parent, from the whole board. `pdb`: as pdb_with_children(). */
KERNEL void find_rises(struct consistent *compact, struct board *board, const struct ways *ways,
                       unsigned h, const struct pdb *pdb, uint8_t rise[MOVES])
{
    uint8_t move[MOVES];
    unsigned value[MOVES];
    if (pdb != NULL) {
        for (unsigned i = 0; i < ways->count; i++)
            move[i] = (uint8_t)move_undo(ways->way[i].undo);
        pdb_children(pdb, board, move, ways->count, value);
    }
    for (unsigned i = 0; i < ways->count; i++) {
        if (pdb == NULL)
            value[i] = child_h(compact, board, h, way_cell(&ways->way[i]));
        if (value[i] > h + 1 || value[i] + 1 < h)
            compact->inconsistent = true;
        rise[i] = (uint8_t)(1 + value[i] - h);
    }
}

/* The homes of the children of a node that was expanded AHEAD / 2 before this one have arrived:
 * those that are full also need the lines after them. */
KERNEL void prefetch_behind(struct consistent *compact, uint32_t number)
{
    const struct pending *before = pending_at(compact, number - COMPACT_MAX_AHEAD / 2);
    const unsigned count = compact->ways[before->node.ways].count;
    for (unsigned i = 0; i < count; i++)
        closed_prefetch_behind(before->home[i]);
}

/* Makes the children of a node and prefetches their lines of the closed list. Children of f = F
 * are the next to be expanded: which are, is told without a branch, as half of them are. */
KERNEL void expand_ahead(struct consistent *compact, struct node node, bool tabled,
                         const struct pdb *pdb)
{
    const struct ways *ways = &compact->ways[node.ways];
    const uint32_t number = compact->last++;
    struct pending *pending = pending_at(compact, number);
    struct board *board = &compact->enode.board;
    uint8_t rise[MOVES];
    if (!tabled) {
        board->blank = node.ways / UNDOS;
        compact_unpack(node.kept.board, board);
        find_rises(compact, board, ways, compact->f - node.g, pdb, rise);
    }
    pending->node = node;
    pending->level = compact->floor + (int64_t)compact->count;
    prefetch_behind(compact, number);
    struct node *const before = compact->stack + compact->count;
    struct node *top = before;
    for (unsigned i = 0; i < ways->count; i++) {
        const struct way *way = &ways->way[i];
        const unsigned tile = way_tile(way, node.kept.board);
        const compact_board child = way_board(way, node.kept.board, tile);
        const compact_key key = way_key(&compact->shared.code, way, &node.kept, tile, child);
        struct closed_line *home = closed_home(&compact->shared.closed, key);
        closed_prefetch_home(home);
        pending->key[i] = key;
        pending->home[i] = home;
        pending->bits[i] = tabled ? way->bits[tile] : bits_of(way, rise[i]);
        *top = (struct node){
            .kept = keep_board(child, key), .g = (uint16_t)(node.g + 1), .ways = way->next};
        top += is_deeper(pending->bits[i]);
    }
    compact->count += (uint64_t)(top - before);
    if (UNLIKELY(node.g == compact->f) && top > before)
        compact->inconsistent = true; /* a child's h would be negative */
}

/* A child of the node that is being settled is a duplicate: so is whatever was expanded ahead from
 * it. If it was, it is the first pending node that lay no higher on the stack than where the child
 * was put, and the nodes that follow it descend from it until one lay lower. */
static void drop(struct consistent *compact, const struct pending *pending, unsigned child)
{
    int64_t level = pending->level; /* where the child was put */
    if (!is_deeper(pending->bits[child]))
        return;
    for (unsigned i = 0; i < child; i++)
        level += is_deeper(pending->bits[i]);
    uint32_t number = compact->first;
    while (number != compact->last && pending_at(compact, number)->level > level)
        number++;
    if (number == compact->last) {
        compact->stack[level - compact->floor].dead = true;
        return;
    }
    do
        pending_at(compact, number++)->node.dead = true;
    while (number != compact->last && pending_at(compact, number)->level >= level);
    if (number == compact->last && level - compact->floor < (int64_t)compact->count)
        compact->count = (uint64_t)(level - compact->floor); /* the rest descends from it, too */
}

/* Sets what an observer is shown of a node. */
static void show(struct consistent *compact, const struct node *node)
{
    struct enode *enode = &compact->enode;
    enode->board.blank = node->ways / UNDOS;
    compact_unpack(node->kept.board, &enode->board);
    enode->g = node->g;
    enode->h = compact->f - node->g;
}

/* Sets where the homes of the pending children are. */
static void set_homes(struct consistent *compact)
{
    for (uint32_t i = 0; i < COMPACT_MAX_AHEAD; i++)
        for (unsigned child = 0; child < MOVES; child++)
            compact->pending[i].home[child] =
                closed_home(&compact->shared.closed, compact->pending[i].key[child]);
}

/* Makes room for a node's children. False when the search must end. */
static bool make_room(struct consistent *compact)
{
    const bool fine =
        lists_make_room(&compact->shared.closed, &compact->shared.open, compact->shared.search);
    set_ahead(compact);
    set_homes(compact);
    return fine;
}

/* What a look-up says of a child. */
enum finding { FOUND_NEW, FOUND_SHORTER, FOUND_DUPLICATE };

/* Looks up a child that may be known, or whose strip may not lie at its home. */
static CALLED enum finding settle_child(struct consistent *compact, const struct pending *pending,
                                        unsigned child, unsigned shift, unsigned note)
{
    struct compact_closed *closed = &compact->shared.closed;
    const compact_key key = pending->key[child];
    const struct closed_place place = closed_find_from(pending->home[child], key);
    if (!place.known) {
        closed_enter(closed, place, key, shift, note);
        return FOUND_NEW;
    }
    const unsigned known = closed_note(place, shift);
    if (known != 0 && note_class(known) != (note_class(note) + 1) % 3) {
        drop(compact, pending, child);
        return FOUND_DUPLICATE;
    }
    closed_set_note(place, shift, note);
    closed->states += known == 0;
    /* If it is known, it replaces a live node of f = F + 2. */
    assert(known == 0 || is_deeper(pending->bits[child]));
    return known == 0 ? FOUND_NEW : FOUND_SHORTER;
}

/* Does with the oldest pending node what A* does with a node taken from the open list. False when
 * the search is over. */
KERNEL bool settle(struct consistent *compact)
{
    struct search *search = compact->shared.search;
    struct statistics *statistics = &search->statistics;
    struct compact_closed *closed = &compact->shared.closed;
    const struct pending *pending = pending_at(compact, compact->first++);
    const struct node node = pending->node;
    if (UNLIKELY(node.dead))
        return true;
    if (UNLIKELY(node.kept.board == compact->shared.goal)) {
        compact_solve(&compact->shared, node.g);
        return false;
    }
    if (UNLIKELY(!compact_has_room(&compact->shared)) && !make_room(compact)) {
        compact->first--; /* it is pending again */
        return false;
    }
    if (UNLIKELY(search->observer != NULL))
        show(compact, &node);
    if (!search_expands(search, &compact->enode))
        return false;
    const struct ways *ways = &compact->ways[node.ways];
    const uint64_t allowed = search->limits.nodes - statistics->generated;
    const unsigned count = ways->count <= allowed ? ways->count : (unsigned)allowed;
    const unsigned g = node.g + 1U;
    const unsigned class = g_class(g);
    unsigned settled = 0;
    unsigned duplicates = 0;
    unsigned live = 0; /* bits of the children that are */
    for (; settled < count; settled++) {
        const unsigned note = note_of(class, ways->way[settled].undo);
        const unsigned shift = ways->way[settled].shift;
        enum finding finding = FOUND_NEW;
        if (UNLIKELY(!closed_store_at_home(closed, pending->home[settled], pending->key[settled],
                                           shift, note)))
            finding = settle_child(compact, pending, settled, shift, note);
        duplicates += finding == FOUND_DUPLICATE;
        live |= finding == FOUND_NEW ? pending->bits[settled] : 0;
    }
    for (unsigned row = 1; row < BUCKET_ROWS; row++)
        if ((live >> 4 * row) % 16 != 0)
            bucket_push(&compact->shared.open, &compact->shared.open.row[row][g],
                        word_of(&compact->shared.code, &node.kept, node.ways / UNDOS,
                                (live >> 4 * row) % 16));
    statistics->generated += settled;
    statistics->duplicates += duplicates;
    if (duplicates < settled)
        raise_to(&statistics->max_depth, g);
    raise_to(&statistics->max_open, closed->states - statistics->expanded);
    if (LIKELY(settled == ways->count))
        return true;
    search->status = STATUS_node_limit;
    return false;
}

/* Makes the stack as large as it needs to be until F rises again: a depth-first search to depth F
 * has at most two nodes waiting on each level. Called while it is empty. False when memory is
 * spent. */
static bool make_stack(struct consistent *compact)
{
    struct arena *arena = &compact->shared.search->arena;
    const uint64_t needed = 2 * (compact->f + UINT64_C(2)) + REFILL;
    if (needed <= compact->capacity)
        return true;
    arena_release(arena, compact->stack);
    compact->capacity = needed + needed / 2;
    compact->stack = arena_take(arena, compact->capacity * sizeof *compact->stack);
    return compact->stack != NULL;
}

/* All nodes of f = F are expanded: raises F. False when the search is over. */
static bool raise_f(struct consistent *compact)
{
    struct search *search = compact->shared.search;
    if (compact->shared.closed.states == search->statistics.expanded) {
        search->status = STATUS_exhausted;
        return false;
    }
    compact->f++;
    compact->deepest = compact->f + UINT64_C(1);
    if (word_buckets_next_row(&compact->shared.open, compact->f + UINT64_C(3)) &&
        make_stack(compact))
        return true;
    search->status = STATUS_memory_limit;
    return false;
}

/* Expands ahead until `ahead` nodes are pending and settles the older half of them, in turn. So
 * many lines are prefetched with little work between: a processor that waits for an address to be
 * translated looks no further ahead than some hundred instructions. */
KERNEL void astar_loop(struct consistent *compact, bool tabled, const struct pdb *pdb)
{
    for (;;) {
        struct node node;
        while (compact->last - compact->first < compact->ahead && take(compact, &node)) {
            expand_ahead(compact, node, tabled, pdb);
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

static void loop_tabled(struct consistent *compact)
{
    astar_loop(compact, true, NULL);
}

static void loop_stepped(struct consistent *compact)
{
    astar_loop(compact, false, pdb_with_children(compact->shared.search->heuristic));
}

/* Lists the ways from every cell, by the move that is not to be made; for an incremental heuristic
 * also what each adds to f. */
static void make_ways(struct consistent *compact)
{
    const struct search *search = compact->shared.search;
    const struct heuristic *heuristic = search->heuristic;
    const struct board *goal = &search->task->goal;
    const bool tabled = heuristic_properties(&heuristic->choice) & INCREMENTAL;
    for (unsigned blank = 0; blank < goal->shape.cells; blank++) {
        struct ways *all = &compact->ways[blank * UNDOS + MOVE_NONE];
        for (unsigned i = 0; i < MOVES; i++) {
            const unsigned move = search->operators.order[i];
            struct way *way = &all->way[all->count];
            if (!compact_way(search, &compact->shared.code, blank, move, way))
                continue;
            const unsigned from = way_cell(way);
            way->bit = (uint8_t)(1U << all->count++);
            way->next = (uint8_t)(from * UNDOS + move_undo(move));
            for (unsigned tile = 1; tabled && tile < goal->shape.cells; tile++) {
                const unsigned rise = 1U + (unsigned)heuristic_rise(heuristic, tile, from, blank);
                way->bits[tile] = bits_of(way, rise);
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
static bool start(struct consistent *compact, const struct compact_pace *pace)
{
    struct search *search = compact->shared.search;
    struct statistics *statistics = &search->statistics;
    compact->enode.board = search->task->start;
    compact->f = search_start_h(search);
    compact->pace = *pace;
    set_ahead(compact);
    compact_code(&compact->shared);
    make_ways(compact);
    if (!compact_start(&compact->shared, pace->lines) ||
        !word_buckets_set_depth(&compact->shared.open, compact->f + UINT64_C(16)) ||
        !make_stack(compact))
        return false;
    set_homes(compact);
    const compact_key key = compact_enter_start(&compact->shared, note_of(g_class(0), 0));
    compact->stack[compact->count++] =
        (struct node){.kept = keep_board(compact_pack(&search->task->start), key),
                      .ways = (uint8_t)(search->task->start.blank * UNDOS + MOVE_NONE)};
    statistics->max_open = 1;
    return true;
}

/* The open list, for astar/live_body.h. */
typedef struct consistent form;

enum { LIVE_ROWS = BUCKET_ROWS };

static const uint64_t *live_row(const form *compact, unsigned row)
{
    return compact->shared.open.row[row];
}

static uint64_t live_depth(const form *compact)
{
    return compact->shared.open.depth;
}

static unsigned live_f(const form *compact, unsigned row)
{
    return compact->f + row;
}

static const struct way *live_way(const form *compact, unsigned blank, unsigned bit)
{
    return &compact->ways[blank * UNDOS + MOVE_NONE].way[bit];
}

#include "astar/live_body.h"

static struct live_node live_of(const struct consistent *compact, const struct node *node)
{
    return (struct live_node){.kept = node->kept,
                              .g = node->g,
                              .f = compact->f,
                              .blank = (uint8_t)(node->ways / UNDOS),
                              .undo = (uint8_t)(node->ways % UNDOS)};
}

/* Has the search go on below what is live. Pending nodes and the stack have what was made ahead
 * from other pending nodes: that lies no lower on the stack than they lay. */
static void go_on(struct consistent *compact, const struct compact_pace *pace)
{
    struct arena *arena = &compact->shared.search->arena;
    int64_t lowest = INT64_MAX; /* of the levels of pending nodes so far */
    uint64_t count = 0;
    arena->budget = pace->budget;
    struct live_node *spare =
        arena_take(arena, (compact->count + COMPACT_MAX_AHEAD + 1) * sizeof *spare);
    if (spare == NULL)
        return;
    for (uint32_t i = compact->first; i != compact->last; i++) {
        const struct pending *pending = pending_at(compact, i);
        if (pending->node.dead || pending->level >= lowest)
            continue;
        lowest = pending->level;
        spare[count++] = live_of(compact, &pending->node);
    }
    for (uint64_t i = compact->count; i-- > 0;)
        if (compact->floor + (int64_t)i < lowest && !compact->stack[i].dead)
            spare[count++] = live_of(compact, &compact->stack[i]);
    go_on_below(compact, pace, spare, count);
    arena_release(arena, spare);
}

bool STAMP(struct search *search, const struct compact_pace *pace)
{
    struct arena *arena = &search->arena;
    const struct statistics before = search->statistics;
    const bool tabled = (heuristic_properties(&search->heuristic->choice) & INCREMENTAL) != 0;
    struct consistent *compact = arena_take(arena, sizeof *compact);
    search->status = STATUS_memory_limit;
    if (!search_generates(search) || compact == NULL) {
        arena_release(arena, compact);
        return true;
    }
    compact->shared.search = search;
    if (start(compact, pace) && !compact->inconsistent)
        (tabled ? loop_tabled : loop_stepped)(compact);
    const bool decided = !compact->inconsistent;
    search->statistics.max_stored = compact->shared.closed.states;
    search->statistics.open_at_end = compact->shared.closed.states - search->statistics.expanded -
                                     (search->status == STATUS_solved); /* the goal was taken */
    if (!decided)
        search->statistics = before;
    else if (search->status == STATUS_memory_limit && pace->go_on != NULL)
        go_on(compact, pace);
    compact_end(&compact->shared);
    arena_release(arena, compact->stack);
    arena_release(arena, compact);
    return decided;
}
