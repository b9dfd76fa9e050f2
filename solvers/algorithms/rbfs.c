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

/* A child of a node of the path; the root is one, too. */
struct child {
    uint64_t cost; /* the stored one */
    uint64_t g;
    uint64_t h;
    uint8_t move; /* that led to it */
};

/* A node of the path that is expanded. */
struct level {
    uint64_t bound; /* the search leaves this subtree above this cost: another node is cheaper */
    unsigned count;
    struct child children[MOVES]; /* cheapest first; the path goes on with the first */
};

struct recursion {
    struct search *search;
    struct enode enode; /* its g counts moves */
    struct child root;
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

/* Adds a child, by its cost, after equal ones. */
static void add(struct level *level, struct child child)
{
    unsigned at = level->count++;
    for (; at > 0 && level->children[at - 1].cost > child.cost; at--)
        level->children[at] = level->children[at - 1];
    level->children[at] = child;
}

/* The E-node: the last one of the path. */
static const struct child *last_node(const struct recursion *recursion)
{
    const unsigned depth = recursion->enode.g;
    return depth == 0 ? &recursion->root : &recursion->levels[depth - 1].children[0];
}

/* A move leads to the node that is the last one of the path now. */
static void go(struct recursion *recursion, unsigned move)
{
    struct enode *enode = &recursion->enode;
    const struct child *node = last_node(recursion);
    board_slide(&enode->board, recursion->search->operators.target[enode->board.blank][move]);
    enode->h = (unsigned)node->h;
    enode->undo = move_undo(node->move);
}

/* Expands the E-node, which the search leaves above the cost `bound`. False when the search is
 * over. */
static bool expand(struct recursion *recursion, uint64_t bound)
{
    struct search *search = recursion->search;
    struct enode *enode = &recursion->enode;
    struct level *level = &recursion->levels[enode->g];
    const struct child *node = last_node(recursion);
    const bool again = node->g + node->h < node->cost; /* it was expanded before */
    if (viewed(search))
        view_limit(search, bound == UINT64_MAX ? 0 : bound);
    if (!search_expands(search, enode))
        return false;
    level->bound = bound;
    level->count = 0;
    const struct exits *exits = enode_exits(search, enode);
    for (unsigned i = 0; i < exits->count; i++) {
        const struct exit exit = exits->exit[i];
        const struct successor successor = {.move = exit.move,
                                            .tile = enode->board.cell[exit.from],
                                            .from = exit.from,
                                            .to = enode->board.blank};
        if (!search_generates(search))
            return false;
        const uint64_t g = node->g + move_cost(search, successor.tile);
        const uint64_t h = priced_successor_h(search, enode, node->h, &successor);
        const uint64_t stored = again && g + h < node->cost ? node->cost : g + h;
        if (viewed(search))
            view_successor(search, enode, successor, (unsigned)h,
                           (struct event){.stored = (unsigned)stored});
        add(level, (struct child){stored, g, h, exit.move});
    }
    assert(level->count > 0); /* every cell has at least two neighbours */
    recursion->live += level->count;
    raise_to(&search->statistics.max_open, recursion->live);
    raise_to(&search->statistics.max_depth, enode->g + UINT64_C(1));
    return true;
}

/* Goes back up from a node whose children all cost too much; the minimum of their costs is stored
 * in its place. */
static void go_up(struct recursion *recursion)
{
    const struct level *below = &recursion->levels[recursion->enode.g];
    struct level *level = &recursion->levels[recursion->enode.g - 1];
    struct child child = level->children[0];
    child.cost = below->children[0].cost;
    if (viewed(recursion->search))
        view_returns(recursion->search, &recursion->enode, EVENT_FORGETS, (unsigned)child.cost);
    recursion->live -= below->count;
    recursion->live++;
    recursion->enode.g--;
    go(recursion, move_undo(child.move));
    memmove(level->children, level->children + 1, --level->count * sizeof child);
    add(level, child);
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
    for (;;) {
        /* The E-node is new on the path. */
        raise_to(&search->statistics.max_stored, enode->g + UINT64_C(1));
        if (enode->board.blank == goal->blank && board_equal(&enode->board, goal)) {
            solved(recursion);
            return;
        }
        if ((enode->g == recursion->room && !grow(recursion)) || !expand(recursion, bound))
            return;
        while (recursion->levels[enode->g].children[0].cost > recursion->levels[enode->g].bound)
            go_up(recursion);
        search_expanded(search);
        const struct level *level = &recursion->levels[enode->g];
        bound = level->bound;
        if (level->count > 1 && level->children[1].cost < bound)
            bound = level->children[1].cost;
        enode->g++; /* down to the first child */
        recursion->live--;
        go(recursion, last_node(recursion)->move);
    }
}

void rbfs_run(struct search *search)
{
    const uint64_t h = priced_start_h(search);
    struct recursion recursion = {
        .search = search,
        .enode = {.board = search->task->start, .h = (unsigned)h, .undo = MOVE_NONE},
        .root = {.cost = h, .h = h, .move = MOVE_NONE}};
    if (!grow(&recursion) || !search_generates_root(search))
        return;
    view_in_order(search, VIEW_STORED);
    search->statistics.max_open = 1;
    best_first_recursion(&recursion);
    search->statistics.open_at_end = recursion.live;
    arena_release(&search->arena, recursion.levels);
}
