/* Depth-first branch and bound (Lawler and Wood, "Branch-and-bound methods: a survey", Operations
 * Research 14, 1966; compared on this domain by Korf, "Linear-space best-first search", Artificial
 * Intelligence 62, 1993).
 *
 * The tree is searched depth first, the children of an E-node by increasing cost g + h (equal costs
 * in operator order), without the way back to the parent. A node whose cost is not below the bound
 * is dropped. The bound is the length of the best solution so far. At first it is depth_limit + 1
 * or, without one, the length of the path that greedy(HEURISTIC) finds, whose nodes count too. The
 * search ends when nothing is left below the bound; with an admissible heuristic the best solution
 * is then a shortest one. Where moves cost different amounts, bound and costs are theirs.
 * first_found and best_found are the values of `generated` when the first
 * and the best solution were found. */
#include "algorithms/best_first.h"
#include "search/algorithm.h"
#include "search/costs.h"
#include "search/store.h"

DECLARE_ALGORITHM(dfbnb);

enum { DEPTH_LIMIT };

const struct option_row dfbnb_options[] = {
    [DEPTH_LIMIT] = {.name = "depth_limit",
                     .help = "the longest solution looked for; without it, greedy's solution is "
                             "the first bound",
                     .kind = OPTION_NUMBER,
                     .fallback = OPTION_UNSET,
                     .max = 1000000,
                     .forfeits = COMPLETE,
                     .unpriced = 1},
    {.kind = OPTION_END},
};

/* A child below the bound. */
struct candidate {
    struct successor successor;
    unsigned h;
};

/* Lists the children of the E-node below the bound by decreasing cost (the store is a stack: the
 * last is taken first). Returns how many, or -1 when the search is over. An insertion sort of at
 * most four; equal costs stay in operator order. */
KERNEL int make_children(struct search *search, enum packing packing, struct enode *enode,
                         uint64_t bound, struct candidate children[MOVES])
{
    int count = 0;
    const struct exits *exits = enode_exits(search, enode);
    for (unsigned i = 0; i < exits->count; i++) {
        struct candidate child = {.successor = successor_by(packing, enode, exits->exit[i])};
        if (!search_generates(search))
            return -1;
        child.h = successor_h(search, enode, &child.successor);
        const bool kept = enode->g + 1 + child.h < bound;
        search_shows_child(search, enode, &child.successor, child.h,
                           kept ? FATE_KEPT : FATE_BOUNDED, bound);
        if (!kept)
            continue;
        int at = count++;
        for (; at > 0 && children[at - 1].h <= child.h; at--)
            children[at] = children[at - 1];
        children[at] = child;
    }
    return count;
}

KERNEL void dfbnb_loop(struct search *search, enum packing packing, struct store *store,
                       uint64_t bound)
{
    struct statistics *statistics = &search->statistics;
    const union packed goal = pack(packing, &search->task->goal);
    struct enode enode = {.board = search->task->start};
    uint64_t *const live = &statistics->open_at_end;
    *live = 1;
    struct node root = {.parent = NO_NODE,
                        .h = (uint16_t)search_start_h(search),
                        .blank = enode.board.blank,
                        .move = MOVE_NONE};
    search->status = STATUS_memory_limit;
    if (store_add(store, packing, pack(packing, &enode.board), root) == NO_NODE)
        return;
    raise_to(&statistics->max_open, *live);
    while (store->count > 0) {
        uint32_t id = store->count - 1;
        struct node *node = &store->nodes[id];
        if (node->closed || node->g + node->h >= bound) {
            *live -= !node->closed;
            if (!node->closed)
                store_drop(store, id, search, FATE_BOUNDED, bound);
            store->count--;
            continue;
        }
        (*live)--;
        raise_to(&statistics->max_stored, node->g + UINT64_C(1));
        raise_to(&statistics->max_depth, node->g);
        if (packed_equal(packing, store_state(store, packing, id), goal)) {
            bound = node->g;
            view_limit(search, bound);
            store_solution(store, id, search);
            if (search->status != STATUS_solved)
                return;
            search->status = STATUS_memory_limit; /* not over yet */
            if (!search_improves(search))
                return;
            store->count--;
            continue;
        }
        node->closed = 1;
        store_unpack(store, packing, id, true, &enode);
        if (!search_expands(search, &enode))
            return;
        struct candidate children[MOVES];
        int count = make_children(search, packing, &enode, bound, children);
        if (count < 0)
            return;
        for (int i = 0; i < count; i++) {
            const struct successor *child = &children[i].successor;
            if (store_add(store, packing, child->state,
                          node_of_successor(id, &enode, child, children[i].h)) == NO_NODE)
                return;
        }
        *live += (uint64_t)count;
        raise_to(&statistics->max_open, *live);
        search_expanded(search);
    }
    search->status = search->moves != NULL ? STATUS_solved : STATUS_exhausted;
}

/* Where moves cost different amounts the tree is walked on a stack of the path's nodes. */
struct priced_child {
    uint64_t g;
    uint64_t h;
    unsigned move;
};

struct level {
    struct priced_child node;
    struct priced_child children[MOVES]; /* cheapest first */
    unsigned count, next;
};

struct walk {
    struct search *search;
    struct level *levels;
    uint64_t room;
    uint64_t bound;
    struct enode enode; /* its g is the depth */
};

static bool make_room(struct walk *walk)
{
    struct arena *arena = &walk->search->arena;
    const uint64_t room = walk->room == 0 ? 64 : 2 * walk->room;
    struct level *levels = arena_resize(arena, walk->levels, room * sizeof *levels);
    if (levels == NULL)
        return false;
    walk->levels = levels;
    walk->room = room;
    return true;
}

/* Makes the children of the E-node below the bound. False when the search is over. */
static bool make_priced_children(struct walk *walk, struct level *level)
{
    struct search *search = walk->search;
    struct enode *enode = &walk->enode;
    const struct exits *exits = enode_exits(search, enode);
    for (unsigned i = 0; i < exits->count; i++) {
        const struct exit exit = exits->exit[i];
        const struct successor successor = {.move = exit.move,
                                            .tile = enode->board.cell[exit.from],
                                            .from = exit.from,
                                            .to = enode->board.blank};
        if (!search_generates(search))
            return false;
        const struct priced_child child = {
            level->node.g + move_cost(search, successor.tile),
            priced_successor_h(search, enode, level->node.h, &successor), exit.move};
        if (child.g + child.h >= walk->bound)
            continue;
        unsigned at = level->count++;
        for (; at > 0 && level->children[at - 1].g + level->children[at - 1].h > child.g + child.h;
             at--)
            level->children[at] = level->children[at - 1];
        level->children[at] = child;
    }
    return true;
}

/* The path is the best solution so far. */
static bool note_solution(struct walk *walk)
{
    const unsigned length = walk->enode.g;
    char *moves = search_solved(walk->search, length);
    if (moves == NULL)
        return false;
    for (unsigned i = 0; i < length; i++)
        moves[i] = move_letters[walk->levels[i + 1].node.move];
    walk->bound = walk->levels[length].node.g;
    walk->search->status = STATUS_memory_limit; /* not over yet */
    return search_improves(walk->search);
}

/* Enters the E-node, whose cost is below the bound. False when the search is over. */
static bool enter(struct walk *walk, struct priced_child node)
{
    struct search *search = walk->search;
    struct statistics *statistics = &search->statistics;
    struct enode *enode = &walk->enode;
    if (enode->g >= walk->room && !make_room(walk))
        return false;
    struct level *level = &walk->levels[enode->g];
    *level = (struct level){.node = node};
    enode->undo = node.move == MOVE_NONE ? MOVE_NONE : move_undo(node.move);
    statistics->open_at_end--;
    raise_to(&statistics->max_stored, enode->g + UINT64_C(1));
    raise_to(&statistics->max_depth, enode->g);
    if (board_equal(&enode->board, &search->task->goal))
        return note_solution(walk);
    if (!search_expands(search, enode) || !make_priced_children(walk, level))
        return false;
    statistics->open_at_end += level->count;
    raise_to(&statistics->max_open, statistics->open_at_end);
    return true;
}

static void dfbnb_by_costs(struct walk *walk)
{
    struct search *search = walk->search;
    struct enode *enode = &walk->enode;
    const struct operators *operators = &search->operators;
    const uint64_t h = priced_start_h(search);
    bool goes_on = h < walk->bound;
    search->statistics.open_at_end = goes_on;
    search->status = STATUS_memory_limit;
    raise_to(&search->statistics.max_open, 1);
    if (goes_on && !enter(walk, (struct priced_child){0, h, MOVE_NONE}))
        return;
    while (goes_on) {
        struct level *level = &walk->levels[enode->g];
        if (level->next < level->count) {
            const struct priced_child child = level->children[level->next++];
            if (child.g + child.h >= walk->bound) {
                search->statistics.open_at_end--;
                continue;
            }
            board_slide(&enode->board, operators->target[enode->board.blank][child.move]);
            enode->g++;
            if (!enter(walk, child))
                return;
        } else if (enode->g > 0) {
            board_slide(&enode->board,
                        operators->target[enode->board.blank][move_undo(level->node.move)]);
            enode->g--;
        } else {
            goes_on = false;
        }
    }
    search->status = STATUS_solved;
}

KERNEL void dfbnb_search(struct search *search, enum packing packing)
{
    const int64_t depth_limit = search->options[DEPTH_LIMIT];
    struct store store;
    struct step_table steps = {0};
    uint64_t bound;
    if (depth_limit == OPTION_UNSET) {
        view_round(search, "greedy", 0);
        const struct best_first greedy = {.duplicates = DUPLICATES_STORED, .ties = TIES_FIFO};
        best_first(search, &greedy);
        if (search->status != STATUS_solved)
            return;
        bound = search->length;
        if (!search_improves(search))
            return;
        if (search->costs != NULL) {
            struct walk walk = {.search = search, .enode.board = search->task->start};
            walk.bound = path_cost(search, search->moves, search->length);
            dfbnb_by_costs(&walk);
            arena_release(&search->arena, walk.levels);
            return;
        }
    } else {
        bound = (uint64_t)depth_limit + 1;
        if (!search_generates_root(search))
            return;
    }
    view_costs(search, 1, 1);
    view_in_order(search, VIEW_STACK);
    view_round(search, "bound", bound);
    view_limit(search, bound);
    store_start(&store, &search->arena);
    search_table_steps(search, &steps);
    dfbnb_loop(search, packing, &store, bound);
    search->steps = NULL;
    store_end(&store);
}

STAMP_ALGORITHM(dfbnb)
