#include "astar/compact_astar.h"
#include "astar/compact_closed.h"
#include "astar/word_buckets.h"

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

struct compact {
    struct search *search;
    struct compact_closed closed; /* notes: note_of */
    struct word_buckets open;     /* a word: a node, a mask of live children */
    struct board_code code;
    compact_board goal;
    unsigned f;     /* F */
    unsigned ahead; /* how many nodes to expand ahead */
    struct compact_astar_pace pace;
    bool inconsistent;  /* the heuristic is */
    struct node *stack; /* nodes of f = F */
    uint64_t capacity;
    uint64_t count;
    int64_t floor;        /* the level of the stack's first node */
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

/* What the closed list keeps of g: enough to tell three g apart that differ by 2. */
KERNEL unsigned g_class(unsigned g)
{
    return g / 2 % 3;
}

/* A state's note, 1 to 12: its class of g, and the move that leads back. */
KERNEL unsigned note_of(unsigned class, unsigned undo)
{
    return 1 + 4 * class + undo;
}

KERNEL unsigned note_class(unsigned note)
{
    return (note - 1) / 4;
}

KERNEL unsigned note_undo(unsigned note)
{
    return (note - 1) % 4;
}

KERNEL compact_key node_key(const struct compact *compact, const struct node *node)
{
    return kept_key(&compact->code, &node->kept, node->ways / UNDOS);
}

KERNEL struct pending *pending_at(struct compact *compact, uint32_t number)
{
    return &compact->pending[number % COMPACT_ASTAR_MAX_AHEAD];
}

/* Takes the newest of the deepest nodes of f = F from the open list. False if there is none. */
static bool pop(struct compact *compact, struct node *node)
{
    struct word_buckets *open = &compact->open;
    while (compact->deepest > 0 && open->row[0][compact->deepest - 1] == EMPTY_BUCKET)
        compact->deepest--;
    if (compact->deepest == 0)
        return false;
    const uint64_t g = compact->deepest - 1;
    open_word *word = word_buckets_top(open, g);
    struct kept_board parent;
    const unsigned blank = word_board(&compact->code, *word, &parent);
    const unsigned newest = 31U - (unsigned)__builtin_clz(word_bits(*word));
    const struct way *way = &compact->ways[blank * UNDOS + MOVE_NONE].way[newest];
    *word = word_without(*word, 1U << newest);
    if (word_bits(*word) == 0)
        word_buckets_pop(open, g);
    const unsigned tile = way_tile(way, parent.board);
    const compact_board child = way_board(way, parent.board, tile);
    *node =
        (struct node){.kept = keep_board(child, way_key(&compact->code, way, &parent, tile, child)),
                      .g = (uint16_t)g,
                      .ways = way->next};
    return true;
}

/* Moves nodes of f = F from the open list to the empty stack, those that were replaced left out.
 * Until F rises no node of f = F is added to that list, so that the order stays as it is. False if
 * none is left. */
static CALLED bool refill(struct compact *compact)
{
    const struct compact_closed *closed = &compact->closed;
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
                closed_note(place, closed_shift(&compact->code, node[count].ways / UNDOS));
            if (note_class(note) == g_class(node[count].g))
                compact->stack[compact->count++] = node[count];
        }
    }
    return true;
}

/* Takes the node that is next to be expanded, provided that all pending children are new. False if
 * no node of f = F is left. */
KERNEL bool take(struct compact *compact, struct node *node)
{
    do {
        if (UNLIKELY(compact->count == 0) && !refill(compact))
            return false;
        *node = compact->stack[--compact->count];
    } while (UNLIKELY(node->dead));
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

/* The homes of the children of a node that was expanded AHEAD / 2 before this one have arrived:
 * those that are full need the lines behind, too. */
KERNEL void prefetch_behind(struct compact *compact, uint32_t number)
{
    const struct pending *before = pending_at(compact, number - COMPACT_ASTAR_MAX_AHEAD / 2);
    const unsigned count = compact->ways[before->node.ways].count;
    for (unsigned i = 0; i < count; i++)
        closed_prefetch_behind(before->home[i]);
}

/* Makes the children of a node and prefetches their lines of the closed list. Children of f = F
 * are the next to be expanded: which are, is told without a branch, as half of them are. */
KERNEL void expand_ahead(struct compact *compact, struct node node, bool tabled)
{
    const struct ways *ways = &compact->ways[node.ways];
    const uint32_t number = compact->last++;
    struct pending *pending = pending_at(compact, number);
    struct board *board = &compact->enode.board;
    if (!tabled) {
        board->blank = node.ways / UNDOS;
        compact_unpack(node.kept.board, board);
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
        const compact_key key = way_key(&compact->code, way, &node.kept, tile, child);
        struct closed_line *home = closed_home(&compact->closed, key);
        closed_prefetch_home(home);
        pending->key[i] = key;
        pending->home[i] = home;
        pending->bits[i] =
            tabled
                ? way->bits[tile]
                : bits_of(way, rise_of(compact, board, compact->f - node.g, tile, way_cell(way)));
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
static void drop(struct compact *compact, const struct pending *pending, unsigned child)
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

/* Writes the solution: from the goal back along the stored moves. */
static void walk_back(struct compact *compact, size_t length)
{
    struct search *search = compact->search;
    struct board board = search->task->goal;
    char *moves = search_solved(search, length);
    if (moves == NULL)
        return;
    for (size_t i = length; i-- > 0;) {
        const unsigned note =
            closed_note(closed_find(&compact->closed, board_key(&compact->code, &board)),
                        closed_shift(&compact->code, board.blank));
        const unsigned undo = note_undo(note);
        assert(note_class(note) == g_class((unsigned)i + 1));
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

/* Sets where the homes of the pending children are. */
static void set_homes(struct compact *compact)
{
    for (uint32_t i = 0; i < COMPACT_ASTAR_MAX_AHEAD; i++)
        for (unsigned child = 0; child < MOVES; child++)
            compact->pending[i].home[child] =
                closed_home(&compact->closed, compact->pending[i].key[child]);
}

/* Makes room for a node's children. False when the search must end. */
static bool make_room(struct compact *compact)
{
    if (!closed_grow(&compact->closed, compact->search))
        return false;
    set_ahead(compact);
    set_homes(compact);
    if (word_buckets_has_room(&compact->open) || word_buckets_grow(&compact->open))
        return true;
    compact->search->status = STATUS_memory_limit;
    return false;
}

/* What a look-up says of a child. */
enum finding { FOUND_NEW, FOUND_SHORTER, FOUND_DUPLICATE };

/* Looks up a child that may be known, or whose strip may not lie at its home. */
static CALLED enum finding settle_child(struct compact *compact, const struct pending *pending,
                                        unsigned child, unsigned shift, unsigned note)
{
    struct compact_closed *closed = &compact->closed;
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
KERNEL bool settle(struct compact *compact)
{
    struct search *search = compact->search;
    struct statistics *statistics = &search->statistics;
    struct compact_closed *closed = &compact->closed;
    const struct pending *pending = pending_at(compact, compact->first++);
    const struct node node = pending->node;
    if (UNLIKELY(node.dead))
        return true;
    if (UNLIKELY(node.kept.board == compact->goal)) {
        walk_back(compact, node.g);
        return false;
    }
    if (UNLIKELY(!closed_has_room(closed) || !word_buckets_has_room(&compact->open)) &&
        !make_room(compact))
        return false;
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
            word_buckets_push(
                &compact->open, row, g,
                word_of(&compact->code, &node.kept, node.ways / UNDOS, (live >> 4 * row) % 16));
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
static bool make_stack(struct compact *compact)
{
    struct arena *arena = &compact->search->arena;
    const uint64_t needed = 2 * (compact->f + UINT64_C(2)) + REFILL;
    if (needed <= compact->capacity)
        return true;
    arena_release(arena, compact->stack);
    compact->capacity = needed + needed / 2;
    compact->stack = arena_take(arena, compact->capacity * sizeof *compact->stack);
    return compact->stack != NULL;
}

/* All nodes of f = F are expanded: raises F. False when the search is over. */
static bool raise_f(struct compact *compact)
{
    struct search *search = compact->search;
    if (compact->closed.states == search->statistics.expanded) {
        search->status = STATUS_exhausted;
        return false;
    }
    compact->f++;
    compact->deepest = compact->f + UINT64_C(1);
    if (word_buckets_next_row(&compact->open, compact->f + UINT64_C(3)) && make_stack(compact))
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
        struct node node;
        while (compact->last - compact->first < compact->ahead && take(compact, &node)) {
            expand_ahead(compact, node, tabled);
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
            const unsigned number = all->count++;
            struct way *way = &all->way[number];
            *way = way_make(&compact->code, from, blank);
            way->bit = (uint8_t)(1U << number);
            way->undo = (uint8_t)move_undo(move);
            way->shift = (uint8_t)closed_shift(&compact->code, from);
            way->next = (uint8_t)(from * UNDOS + move_undo(move));
            for (unsigned tile = 1; tabled && tile < goal->shape.cells; tile++) {
                const unsigned h = 1000; /* any value */
                const unsigned rise =
                    1 + heuristic->kind->step(heuristic, goal, h, tile, from, blank) - h;
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
        !word_buckets_start(&compact->open, &search->arena, compact->f + UINT64_C(16)) ||
        !word_buckets_grow(&compact->open) || !make_stack(compact))
        return false;
    set_homes(compact);
    const compact_key key = board_key(&compact->code, &search->task->start);
    closed_enter(&compact->closed, closed_find(&compact->closed, key), key,
                 closed_shift(&compact->code, search->task->start.blank), note_of(g_class(0), 0));
    compact->stack[compact->count++] =
        (struct node){.kept = keep_board(compact_pack(&search->task->start), key),
                      .ways = (uint8_t)(search->task->start.blank * UNDOS + MOVE_NONE)};
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
    search->statistics.max_stored = compact->closed.states;
    search->statistics.open_at_end = compact->closed.states - search->statistics.expanded -
                                     (search->status == STATUS_solved); /* the goal was taken */
    if (!decided)
        search->statistics = before;
    closed_end(&compact->closed);
    word_buckets_end(&compact->open);
    arena_release(arena, compact->stack);
    arena_release(arena, compact);
    return decided;
}
