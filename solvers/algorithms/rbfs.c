/* Recursive best-first search (Korf, "Linear-space best-first search", Artificial Intelligence 62,
 * 1993): best first by f = g + h, in memory that grows with the depth alone.
 *
 * Only the path to the E-node and the siblings along it are held. Each of them has a stored cost:
 * its f at first, later the minimum cost on the frontier of what was searched below it. The search
 * goes down to the cheapest child while that costs no more than any other node held. When it costs
 * more, what lies below is forgotten, its minimum cost is stored in its place, and the other node
 * is next. A node that is entered again passes its stored cost to children of lower cost, so that
 * they are not searched below it again. If costs never fall along a path, nodes are first expanded
 * in order of their costs, as by a best-first search of the tree; when they are expanded again they
 * count again. Children of equal cost go in operator order; one that is put back goes after those
 * of equal cost. The way back to the parent is left out.
 *
 * Written with an explicit stack. The board is changed in place and nothing is looked up, so no
 * board is packed, and one copy of the code serves all shapes. */
#include "search/algorithm.h"
#include "search/costs.h"
#include "search/view.h"

DECLARE_ALGORITHM(rbfs);

const struct option_row rbfs_options[] = NO_OPTIONS;

struct child {
    uint64_t cost; /* the stored one */
    uint64_t g;
    uint64_t h;
    uint8_t move;
};

/* A node of the path. */
struct level {
    uint64_t bound; /* the search leaves this subtree above this cost: another node is cheaper */
    uint64_t g;
    uint64_t h;
    unsigned undo; /* the way back to the parent, or MOVE_NONE */
    unsigned count;
    struct child children[MOVES]; /* cheapest first; the path goes on with the first */
};

struct recursion {
    struct search *search;
    struct enode enode;   /* its g counts moves */
    uint64_t g, h;        /* of the E-node, in the scale of the costs */
    struct level *levels; /* by depth */
    uint64_t room;
    uint64_t live; /* children held that are not on the path */
};

static bool grow(struct recursion *recursion)
{
    const uint64_t room = recursion->room == 0 ? 64 : 2 * recursion->room;
    struct level *levels =
        arena_resize(&recursion->search->arena, recursion->levels, room * sizeof *levels);
    if (levels == NULL) {
        recursion->search->status = STATUS_memory_limit;
        return false;
    }
    recursion->levels = levels;
    recursion->room = room;
    return true;
}

/* Moves children[at] to its place by cost among those before it, after equal ones. */
static void sort_up(struct child *children, unsigned at)
{
    const struct child child = children[at];
    for (; at > 0 && children[at - 1].cost > child.cost; at--)
        children[at] = children[at - 1];
    children[at] = child;
}

/* The cost of the first child has changed: moves it to its place, after equal ones. */
static void sort_down(struct level *level)
{
    const struct child child = level->children[0];
    unsigned at = 0;
    for (; at + 1 < level->count && level->children[at + 1].cost <= child.cost; at++)
        level->children[at] = level->children[at + 1];
    level->children[at] = child;
}

/* Moves the blank of the E-node. */
static void play(struct recursion *recursion, unsigned move)
{
    struct board *board = &recursion->enode.board;
    board_slide(board, recursion->search->operators.target[board->blank][move]);
}

/* Expands the E-node, whose stored cost is given; `bound` is the cost above which the search leaves
 * it. False when the search is over. */
static bool expand(struct recursion *recursion, uint64_t cost, uint64_t bound)
{
    struct search *search = recursion->search;
    struct enode *enode = &recursion->enode;
    struct level *level = &recursion->levels[enode->g];
    if (viewed(search))
        view_limit(search, bound == UINT64_MAX ? 0 : bound);
    if (!search_expands(search, enode))
        return false;
    level->g = recursion->g;
    level->h = recursion->h;
    level->undo = enode->undo;
    level->count = 0;
    for (unsigned turn = 0; turn < MOVES; turn++) {
        const unsigned move = search->operators.order[turn];
        const unsigned blank = enode->board.blank;
        const unsigned from = search->operators.target[blank][move];
        if (from == NO_CELL || move == enode->undo)
            continue;
        if (!search_generates(search))
            return false;
        const struct successor successor = {
            .move = move, .tile = enode->board.cell[from], .from = from, .to = blank};
        const uint64_t g = recursion->g + move_cost(search, successor.tile);
        const uint64_t h = priced_successor_h(search, enode, recursion->h, &successor);
        const bool again = recursion->g + recursion->h < cost; /* it was expanded before */
        const uint64_t stored = again && g + h < cost ? cost : g + h;
        if (viewed(search))
            view_successor(search, enode, successor, (unsigned)h,
                           (struct event){.stored = (unsigned)stored});
        level->children[level->count] = (struct child){stored, g, h, (uint8_t)move};
        sort_up(level->children, level->count++);
    }
    assert(level->count > 0); /* every cell has at least two neighbours */
    recursion->live += level->count;
    raise_to(&search->statistics.max_open, recursion->live);
    raise_to(&search->statistics.max_depth, enode->g + UINT64_C(1));
    return true;
}

/* Goes down to the first child; returns its stored cost. */
static uint64_t go_down(struct recursion *recursion)
{
    struct enode *enode = &recursion->enode;
    const struct level *level = &recursion->levels[enode->g];
    const struct child *child = &level->children[0];
    play(recursion, child->move);
    enode->g++;
    enode->h = (unsigned)child->h;
    recursion->g = child->g;
    recursion->h = child->h;
    enode->undo = move_undo(child->move);
    recursion->live--;
    return child->cost;
}

/* Goes back up from a node whose children all cost too much; the minimum of their costs is stored
 * in its place. */
static void go_up(struct recursion *recursion)
{
    struct enode *enode = &recursion->enode;
    const struct level *below = &recursion->levels[enode->g];
    struct level *level = &recursion->levels[enode->g - 1];
    if (viewed(recursion->search))
        view_returns(recursion->search, enode, EVENT_FORGETS, (unsigned)below->children[0].cost);
    recursion->live -= below->count;
    recursion->live++;
    play(recursion, below->undo);
    enode->g--;
    enode->h = (unsigned)level->h;
    enode->undo = level->undo;
    recursion->g = level->g;
    recursion->h = level->h;
    level->children[0].cost = below->children[0].cost;
    sort_down(level);
}

static void solved(const struct recursion *recursion)
{
    const size_t length = recursion->enode.g;
    char *moves = search_solved(recursion->search, length);
    for (size_t i = 0; moves != NULL && i < length; i++)
        moves[i] = move_letters[recursion->levels[i].children[0].move];
}

static void best_first_recursion(struct recursion *recursion)
{
    struct search *search = recursion->search;
    const struct board *goal = &search->task->goal;
    struct enode *enode = &recursion->enode;
    uint64_t bound = UINT64_MAX;
    uint64_t cost = recursion->h;
    for (;;) {
        /* The E-node is new on the path. */
        raise_to(&search->statistics.max_stored, enode->g + UINT64_C(1));
        if (enode->board.blank == goal->blank && board_equal(&enode->board, goal)) {
            solved(recursion);
            return;
        }
        if ((enode->g == recursion->room && !grow(recursion)) || !expand(recursion, cost, bound))
            return;
        recursion->levels[enode->g].bound = bound;
        while (recursion->levels[enode->g].children[0].cost > recursion->levels[enode->g].bound)
            go_up(recursion);
        search_expanded(search);
        const struct level *level = &recursion->levels[enode->g];
        bound = level->bound;
        if (level->count > 1 && level->children[1].cost < bound)
            bound = level->children[1].cost;
        cost = go_down(recursion);
    }
}

void rbfs_run(struct search *search)
{
    struct recursion recursion = {.search = search};
    if (!grow(&recursion) || !search_generates_root(search))
        return;
    view_in_order(search, VIEW_STORED);
    search->statistics.max_open = 1;
    recursion.h = priced_start_h(search);
    recursion.enode =
        (struct enode){.board = search->task->start, .h = (unsigned)recursion.h, .undo = MOVE_NONE};
    best_first_recursion(&recursion);
    search->statistics.open_at_end = recursion.live;
    arena_release(&search->arena, recursion.levels);
}
