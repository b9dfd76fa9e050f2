/* A* (Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost
 * paths", IEEE Transactions on Systems Science and Cybernetics 4, 1968), with open and closed
 * lists.
 *
 * A state is stored once. Reached by a shorter path it is put in the place of the longer one, and
 * reopened if it was closed, so that heuristics that are not consistent are served too. Of two live
 * nodes of equal f, ties=high_g takes the one of larger g, and of equal g the one put on the open
 * list last. The goal test is made when a node is taken from the open list. depth_limit leaves
 * nodes of that depth unexpanded.
 *
 * The general form is search/best_first.c. What follows is the compact form for boards of up to 16
 * cells, consistent heuristics and the default options; astar.h says what it rests on. */
#include "algorithms/astar.h"
#include "algorithms/algorithm.h"
#include "base/heap.h"
#include "search/best_first.h"
#include "search/stacks.h"
#include "search/states.h"

enum { DEPTH_LIMIT, TIES };

const struct option_row astar_options[] = {
    [DEPTH_LIMIT] = {.name = "depth_limit",
                     .help = "nodes of this depth are not expanded",
                     .kind = OPTION_NUMBER,
                     .fallback = OPTION_UNSET,
                     .most = 1000000,
                     .forfeits = COMPLETE},
    [TIES] = {.name = "ties",
              .help = "which of two open nodes of equal f goes first",
              .kind = OPTION_CHOICE,
              .fallback = TIES_HIGH_G,
              .choices = {"high_g", "low_g", "fifo", "lifo"}},
    {.kind = OPTION_END},
};

/* One way for the blank to go from a cell. */
struct turn {
    uint64_t slide;   /* times the tile: what changes in the packed board */
    uint8_t from;     /* the tile's cell, as a shift in the packed board */
    uint8_t undo;     /* the move that takes the blank back */
    uint8_t next;     /* the child's turns */
    uint8_t rise[16]; /* by tile: f of the child less f of the parent, where that needs no look at
                         the board */
};

/* The turns from a cell by which the blank does not go back, in operator order. */
struct turns {
    uint8_t count;
    struct turn turn[MOVES];
};

enum { UNDOS = MOVES + 1, MAX_TURNS = 16 * UNDOS };

/* A successor whose state has not been looked up yet. */
struct child {
    uint64_t board;
    uint64_t key;
    uint32_t node; /* where f has not risen: the node that was made of it */
    uint8_t rise;
    uint8_t undo;
};

/* A node of the least f: on the stack of those to be expanded, or expanded ahead. */
struct node {
    uint64_t board;
    uint16_t g;
    uint8_t turns;    /* which of them lead on */
    bool replaceable; /* it may have been replaced since it was generated */
    bool dead;        /* it is a duplicate, or comes from one */
};

/* A node that was expanded ahead. */
struct pending {
    _Alignas(ARENA_ALIGNMENT) uint32_t node;
    uint32_t count; /* of children */
    struct child child[MOVES];
};

struct compact {
    struct search *search;
    struct states states; /* note: 2 bits of g, 2 bits: the move that leads back */
    struct stacks stacks; /* live nodes: fifteen cells, 1 bit: replaceable, 3 bits: the undo */
    uint64_t goal;
    unsigned tiles; /* the tiles of all cells XORed */
    unsigned f;     /* the least: F */
    unsigned ahead; /* nodes to be expanded ahead */
    struct astar_pace pace;
    bool inconsistent; /* the heuristic is */
    struct node *nodes;
    uint64_t node_count;
    uint32_t *unused;    /* numbers of nodes: a stack */
    uint32_t *deepening; /* nodes of the least f generated since it rose: a stack */
    uint32_t unused_count;
    uint32_t deepening_count;
    uint64_t deepest;     /* row 0 of the stacks is empty from this g on */
    uint32_t first, last; /* pending[first % .. last % - 1] */
    struct pending pending[ASTAR_MOST_AHEAD];
    struct enode enode; /* for observers */
    struct turns turns[MAX_TURNS];
};

/* How many nodes to expand ahead: few while the table is in the processor's caches. */
static void set_ahead(struct compact *compact)
{
    enum { IN_CACHE = 1 << 13 }; /* buckets: half a MiB */
    compact->ahead = compact->pace.ahead != 0              ? compact->pace.ahead
                     : compact->states.buckets <= IN_CACHE ? 1
                                                           : 8;
}

/* What is stored of g: of two g that differ by -2, 0 or 2, which of the three. Never 0. */
KERNEL unsigned g_class(unsigned g)
{
    return g / 2 % 3 + 1;
}

/* The cell of the blank: the lowest that is 0. */
static inline unsigned blank_of(uint64_t board)
{
    uint64_t some = board | board >> 1;
    some |= some >> 2;
    return (unsigned)__builtin_ctzll(~some & 0x1111111111111111U) / 4;
}

static inline unsigned all_tiles(uint64_t board)
{
    board ^= board >> 32;
    board ^= board >> 16;
    board ^= board >> 8;
    board ^= board >> 4;
    return board & 15;
}

/* A live node as one word. Its sixteenth cell is left out. */
KERNEL uint64_t live_node(uint64_t board, bool replaceable, unsigned undo)
{
    return board << 4 | (uint64_t)replaceable << 3 | undo;
}

KERNEL uint64_t live_node_board(const struct compact *compact, uint64_t live)
{
    uint64_t board = live >> 4;
    return board | (uint64_t)(all_tiles(board) ^ compact->tiles) << 60;
}

/* Puts a node on the stack of those to be expanded while the least f stays. */
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

/* Takes the node that is to be expanded next, if all that is pending is new; false when there is
 * none of the least f. */
KERNEL bool take(struct compact *compact, uint32_t *id)
{
    while (compact->deepening_count > 0) {
        *id = compact->deepening[--compact->deepening_count];
        if (LIKELY(!compact->nodes[*id].dead))
            return true;
        give_back(compact, *id);
    }
    struct stacks *stacks = &compact->stacks;
    while (compact->deepest > 0 && stacks->row[0][compact->deepest - 1] == EMPTY_STACK)
        compact->deepest--;
    if (compact->deepest == 0)
        return false;
    const uint64_t live = stacks_pop(stacks, compact->deepest - 1);
    *id = take_unused(compact);
    struct node *node = &compact->nodes[*id];
    node->board = live_node_board(compact, live);
    node->g = (uint16_t)(compact->deepest - 1);
    node->turns = (uint8_t)(blank_of(node->board) * UNDOS + (live & 7));
    node->replaceable = live >> 3 & 1;
    node->dead = false;
    if (node->replaceable)
        states_prefetch(&compact->states, states_key(node->board));
    return true;
}

/* f of a child less f of the parent by a look at the whole board. */
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

/* Makes the children of a node and asks for their buckets. Those of the least f are the next to be
 * expanded. */
KERNEL void expand_ahead(struct compact *compact, uint32_t id, bool tabled)
{
    const struct node *node = &compact->nodes[id];
    const uint64_t parent = node->board;
    const struct turns *turns = &compact->turns[node->turns];
    struct pending *pending = &compact->pending[compact->last++ % ASTAR_MOST_AHEAD];
    struct board *board = &compact->enode.board;
    if (!tabled) {
        board->blank = node->turns / UNDOS;
        unpack(PACK_64, (union packed){.narrow = parent}, board);
    }
    pending->node = id;
    pending->count = turns->count;
    for (unsigned i = 0; i < turns->count; i++) {
        const struct turn *turn = &turns->turn[i];
        struct child *child = &pending->child[i];
        const unsigned tile = parent >> turn->from & 15;
        child->board = parent ^ tile * turn->slide;
        child->key = states_key(child->board);
        child->undo = turn->undo;
        states_prefetch(&compact->states, child->key);
        child->rise = tabled ? turn->rise[tile]
                             : rise_of(compact, board, compact->f - node->g, tile, turn->from / 4U);
        if (child->rise == 0) {
            if (UNLIKELY(node->g == compact->f))
                compact->inconsistent = true; /* h would be less than 0 */
            child->node = take_unused(compact);
            struct node *deeper = &compact->nodes[child->node];
            deeper->board = child->board;
            deeper->g = (uint16_t)(node->g + 1);
            deeper->turns = turn->next;
            deeper->replaceable = deeper->dead = false;
            deepen(compact, child->node);
        }
    }
}

/* A child that is not to be: what was expanded from it is neither. */
KERNEL void drop(struct compact *compact, const struct child *child)
{
    if (child->rise == 0)
        compact->nodes[child->node].dead = true;
}

/* The solution: from the goal back along the stored moves. */
static void walk_back(struct compact *compact, uint64_t board, size_t length)
{
    struct search *search = compact->search;
    char *moves = heap_resize(search->moves, length + 1);
    moves[length] = '\0';
    for (size_t i = length; i-- > 0;) {
        const unsigned note = states_note(states_find(&compact->states, states_key(board)));
        const unsigned undo = note >> 2;
        assert((note & 3) == g_class((unsigned)i + 1));
        moves[i] = move_letters[move_undo(undo)];
        const unsigned blank = blank_of(board);
        const unsigned from = search->operators.target[blank][undo];
        const uint64_t tile = board >> 4 * from & 15;
        board ^= tile << 4 * from | tile << 4 * blank;
    }
    assert(board == pack(PACK_64, &search->task->start).narrow);
    search->moves = moves;
    search->length = length;
    search->status = STATUS_solved;
}

/* What an observer is shown of a node. */
static void show(struct compact *compact, const struct node *node)
{
    struct enode *enode = &compact->enode;
    enode->board.blank = node->turns / UNDOS;
    unpack(PACK_64, (union packed){.narrow = node->board}, &enode->board);
    enode->g = node->g;
    enode->h = compact->f - node->g;
}

/* Looks up one child and, if its state is new or its path shorter than the stored one, makes it a
 * live node. False when memory is spent. */
KERNEL bool settle_child(struct compact *compact, const struct child *child, unsigned g,
                         unsigned class)
{
    const unsigned note = (unsigned)child->undo << 2 | class;
    const struct states_place place = states_find(&compact->states, child->key);
    if (LIKELY(!place.known)) {
        if (UNLIKELY(!states_enter(&compact->states, place, child->key, note)))
            return false;
    } else if ((states_note(place) & 3) == class % 3 + 1) {
        assert(child->rise == 0); /* it replaces a live node of f = F + 2 */
        states_set_note(place, note);
    } else {
        compact->search->statistics.duplicates++;
        drop(compact, child);
        return true;
    }
    if (child->rise > 0)
        stacks_push(&compact->stacks, child->rise, g,
                    live_node(child->board, child->rise == 2, child->undo));
    return true;
}

/* Room for a node's children. False when the search must end. */
static bool make_room(struct compact *compact)
{
    if (!states_grow(&compact->states, compact->search))
        return false;
    set_ahead(compact);
    if (stacks_have_room(&compact->stacks) || stacks_grow(&compact->stacks))
        return true;
    compact->search->status = STATUS_memory_limit;
    return false;
}

/* Does with the node that was first expanded ahead what A* does with a node taken from the open
 * list. False when the search is over. */
KERNEL bool settle(struct compact *compact)
{
    struct search *search = compact->search;
    struct statistics *statistics = &search->statistics;
    struct states *states = &compact->states;
    const struct pending *pending = &compact->pending[compact->first++ % ASTAR_MOST_AHEAD];
    struct node *node = &compact->nodes[pending->node];
    give_back(compact, pending->node);
    if (node->replaceable)
        node->dead =
            (states_note(states_find(states, states_key(node->board))) & 3) != g_class(node->g);
    if (node->dead) {
        for (unsigned i = 0; i < pending->count; i++)
            drop(compact, &pending->child[i]);
        return true;
    }
    if (UNLIKELY(node->board == compact->goal)) {
        walk_back(compact, node->board, node->g);
        return false;
    }
    if (UNLIKELY(!states_have_room(states) || !stacks_have_room(&compact->stacks)) &&
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
    raise_to(&statistics->max_open, states->count - statistics->expanded);
    if (LIKELY(settled == pending->count))
        return true;
    search->status = settled < count ? STATUS_memory_limit : STATUS_node_limit;
    return false;
}

/* Nodes for all that is expanded while the least f is what it is now: a depth-first search down to
 * a depth of f has at most two nodes waiting a level. Called while no node is in use. */
static bool make_nodes(struct compact *compact)
{
    struct arena *arena = &compact->search->arena;
    const uint64_t needed = 2 * (compact->f + UINT64_C(2)) + ASTAR_MOST_AHEAD;
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

/* All nodes of the least f are expanded: the next value of f. False when the search is over. */
static bool raise_f(struct compact *compact)
{
    struct search *search = compact->search;
    if (compact->states.count == search->statistics.expanded) {
        search->status = STATUS_exhausted;
        return false;
    }
    compact->f++;
    compact->deepest = compact->f + UINT64_C(1);
    if (stacks_next_row(&compact->stacks, compact->f + UINT64_C(3)) && make_nodes(compact))
        return true;
    search->status = STATUS_memory_limit;
    return false;
}

KERNEL void astar_loop(struct compact *compact, bool tabled)
{
    for (;;) {
        uint32_t id;
        while (compact->last - compact->first < compact->ahead && take(compact, &id)) {
            expand_ahead(compact, id, tabled);
            if (UNLIKELY(compact->inconsistent))
                return;
        }
        if (compact->first == compact->last ? !raise_f(compact) : !settle(compact))
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

/* The turns of every cell and way there; what each adds to f where the heuristic is incremental. */
static void make_turns(struct compact *compact)
{
    const struct search *search = compact->search;
    const struct heuristic *heuristic = search->heuristic;
    const struct board *goal = &search->task->goal;
    const bool tabled = heuristic_properties(&heuristic->choice) & INCREMENTAL;
    for (unsigned blank = 0; blank < goal->shape.cells; blank++) {
        struct turns *all = &compact->turns[blank * UNDOS + MOVE_NONE];
        for (unsigned i = 0; i < MOVES; i++) {
            const unsigned move = search->operators.order[i];
            const unsigned from = search->operators.target[blank][move];
            if (from == NO_CELL)
                continue;
            struct turn *turn = &all->turn[all->count++];
            *turn = (struct turn){.slide = UINT64_C(1) << 4 * from | UINT64_C(1) << 4 * blank,
                                  .from = (uint8_t)(4 * from),
                                  .undo = (uint8_t)move_undo(move),
                                  .next = (uint8_t)(from * UNDOS + move_undo(move))};
            for (unsigned tile = 1; tabled && tile < goal->shape.cells; tile++) {
                const unsigned h = 1000; /* any number will do */
                const unsigned rise =
                    1 + heuristic->kind->step(heuristic, goal, h, tile, from, blank) - h;
                turn->rise[tile] = (uint8_t)rise;
                if (rise > 2)
                    compact->inconsistent = true;
            }
        }
        for (unsigned undo = 0; undo < MOVES; undo++) {
            struct turns *turns = &compact->turns[blank * UNDOS + undo];
            for (unsigned i = 0; i < all->count; i++)
                if (move_undo(all->turn[i].undo) != undo)
                    turns->turn[turns->count++] = all->turn[i];
        }
    }
}

/* Makes everything ready and the root a live node; false when the budget is spent. */
static bool start(struct compact *compact, const struct astar_pace *pace)
{
    struct search *search = compact->search;
    const uint64_t board = pack(PACK_64, &search->task->start).narrow;
    struct statistics *statistics = &search->statistics;
    compact->tiles = all_tiles(board);
    compact->goal = pack(PACK_64, &search->task->goal).narrow;
    compact->enode.board = search->task->start;
    compact->f = search_start_h(search);
    compact->pace = *pace;
    set_ahead(compact);
    make_turns(compact);
    if (!states_start(&compact->states, &search->arena, pace->buckets) ||
        !stacks_start(&compact->stacks, &search->arena, compact->f + UINT64_C(16)) ||
        !stacks_grow(&compact->stacks) || !make_nodes(compact))
        return false;
    const uint64_t key = states_key(board);
    (void)states_enter(&compact->states, states_find(&compact->states, key), key, g_class(0));
    stacks_push(&compact->stacks, 0, 0, live_node(board, false, MOVE_NONE));
    compact->deepest = 1;
    statistics->max_open = 1;
    return true;
}

bool astar_is_compact(const struct search *search)
{
    return search->task->start.shape.cells <= 16 &&
           (heuristic_properties(&search->heuristic->choice) & CONSISTENT) != 0 &&
           search->options[TIES] == TIES_HIGH_G && search->options[DEPTH_LIMIT] == OPTION_UNSET;
}

bool astar_compact(struct search *search, const struct astar_pace *pace)
{
    struct arena *arena = &search->arena;
    struct compact *compact = arena_take(arena, sizeof *compact);
    search->status = STATUS_memory_limit;
    if (!search_generates(search) || compact == NULL)
        return true;
    compact->search = search;
    if (start(compact, pace) && !compact->inconsistent)
        (heuristic_properties(&search->heuristic->choice) & INCREMENTAL ? loop_tabled
                                                                        : loop_stepped)(compact);
    const bool decided = !compact->inconsistent;
    search->statistics.max_stored = compact->states.count;
    states_end(&compact->states);
    stacks_end(&compact->stacks);
    arena_release(arena, compact->nodes);
    arena_release(arena, compact->unused);
    arena_release(arena, compact);
    return decided;
}

void astar_run(struct search *search)
{
    const struct best_first settings = {
        .counts_g = true,
        .duplicates = DUPLICATES_STORED,
        .ties = (enum ties)search->options[TIES],
        .depth_limit = search->options[DEPTH_LIMIT],
    };
    const struct statistics none = search->statistics;
    if (astar_is_compact(search) && astar_compact(search, &(struct astar_pace){.buckets = 256}))
        return;
    search->statistics = none;
    best_first(search, &settings);
}
