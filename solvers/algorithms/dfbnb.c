/* Depth-first branch and bound (Lawler and Wood, "Branch-and-bound methods: a survey", Operations
 * Research 14, 1966; compared on this domain by Korf, "Linear-space best-first search", Artificial
 * Intelligence 62, 1993).
 *
 * The tree is searched depth first, the children of an E-node by increasing cost g + h (equal costs
 * in operator order), without the way back to the parent. A node whose cost is not below the bound
 * is dropped. The bound is the length of the best solution so far. At first it is depth_limit + 1
 * or, without one, the length of the path that greedy(HEURISTIC) finds, whose nodes count too. The
 * search ends when nothing is left below the bound; with an admissible heuristic the best solution
 * is then a shortest one. Where moves cost different amounts, the bound and g + h are costs.
 * first_found and best_found are the values of `generated` when the first and the best solution
 * were found. */
#include "algorithms/best_first.h"
#include "search/algorithm.h"
#include "search/costs.h"

DECLARE_ALGORITHM(dfbnb);

enum { DEPTH_LIMIT };

const struct option_row dfbnb_options[] = {
    [DEPTH_LIMIT] =
        {NUMBER_OPTION(
             "depth_limit",
             "the longest solution looked for; without it, greedy's solution is the first bound",
             OPTION_UNSET, 0, 1000000),
         .forfeits = COMPLETE, .unpriced = 1},
    {.kind = OPTION_END},
};

/* A child below the bound. */
struct candidate {
    struct successor successor;
    struct price price;
};

/* The tree's nodes, a stack: the children of a node lie above it, the cheapest on top. */
struct tree {
    struct search *search;
    struct store store;
    struct price *prices; /* of the nodes, where moves cost different amounts; else their own g and
                             h are used */
    uint32_t room;        /* of prices */
    struct enode enode;
};

/* What a node costs so far, and h. `priced`: moves cost different amounts. */
KERNEL struct price price_of(const struct tree *tree, bool priced, uint32_t id)
{
    const struct node *node = &tree->store.nodes[id];
    return priced ? tree->prices[id] : (struct price){node->g, node->h};
}

/* Puts a node on top. False when the budget is spent. */
KERNEL bool add(struct tree *tree, enum packing packing, bool priced, union packed state,
                struct node node, struct price price)
{
    const uint32_t id = store_add(&tree->store, packing, state, node);
    if (!priced || id == NO_NODE)
        return id != NO_NODE;
    if (tree->room < tree->store.capacity) {
        struct price *more =
            arena_resize(tree->store.arena, tree->prices, tree->store.capacity * sizeof *more);
        if (more == NULL)
            return false;
        tree->prices = more;
        tree->room = tree->store.capacity;
    }
    tree->prices[id] = price;
    return true;
}

/* Lists the children of the E-node, node `parent`, below the bound by decreasing cost. Returns how
 * many, or -1 when the search is over. An insertion sort of at most four; equal costs stay in
 * operator order. */
KERNEL int make_children(struct tree *tree, enum packing packing, bool priced, uint32_t parent,
                         uint64_t bound, struct candidate children[MOVES])
{
    int count = 0;
    struct search *search = tree->search;
    struct enode *enode = &tree->enode;
    const struct price own = price_of(tree, priced, parent);
    const struct exits *exits = enode_exits(search, enode);
    for (unsigned i = 0; i < exits->count; i++) {
        const struct successor child = successor_by(packing, enode, exits->exit[i]);
        if (!search_generates(search))
            return -1;
        const uint64_t g = own.g + (priced ? move_cost(search, child.tile) : 1);
        const uint64_t h = priced ? priced_successor_h(search, enode, own.h, &child)
                                  : successor_h(search, enode, &child);
        const enum fate fate = g + h < bound ? FATE_KEPT : FATE_BOUNDED;
        search_shows_child(search, enode, &child, (unsigned)h, fate, bound);
        if (fate == FATE_BOUNDED)
            continue;
        int at = count++;
        for (; at > 0 && children[at - 1].price.g + children[at - 1].price.h <= g + h; at--)
            children[at] = children[at - 1];
        children[at] = (struct candidate){child, {g, h}};
    }
    return count;
}

KERNEL void dfbnb_loop(struct tree *tree, enum packing packing, bool priced, uint64_t bound)
{
    struct search *search = tree->search;
    struct store *store = &tree->store;
    struct enode *enode = &tree->enode;
    struct statistics *statistics = &search->statistics;
    const union packed goal = pack(packing, &search->task->goal);
    uint64_t *const live = &statistics->open_at_end;
    *live = 1;
    const uint64_t h = priced_start_h(search);
    const struct node root = {
        .parent = NO_NODE, .h = (uint16_t)h, .blank = enode->board.blank, .move = MOVE_NONE};
    search->status = STATUS_memory_limit;
    if (!add(tree, packing, priced, pack(packing, &enode->board), root, (struct price){0, h}))
        return;
    raise_to(&statistics->max_open, *live);
    while (store->count > 0) {
        uint32_t id = store->count - 1;
        struct node *node = &store->nodes[id];
        const struct price price = price_of(tree, priced, id);
        if (node->closed || price.g + price.h >= bound) {
            *live -= !node->closed;
            if (!node->closed)
                store_drop(store, id, search, FATE_BOUNDED, bound);
            store->count--;
            continue;
        }
        raise_to(&statistics->max_open, (*live)--);
        raise_to(&statistics->max_stored, node->g + UINT64_C(1));
        raise_to(&statistics->max_depth, node->g);
        if (packed_equal(packing, store_state(store, packing, id), goal)) {
            bound = price.g;
            view_limit(search, bound);
            store_solution(store, id, search);
            if (search->status != STATUS_solved || !search_improves(search))
                return;
            search->status = STATUS_memory_limit; /* not over yet */
            store->count--;
            continue;
        }
        node->closed = 1;
        store_unpack(store, packing, id, true, enode);
        if (!search_expands(search, enode))
            return;
        struct candidate children[MOVES];
        int count = make_children(tree, packing, priced, id, bound, children);
        if (count < 0)
            return;
        for (int i = 0; i < count; i++) {
            const struct successor *child = &children[i].successor;
            const struct price cost = children[i].price;
            const struct node new = node_of_successor(id, enode, child, (unsigned)cost.h);
            if (!add(tree, packing, priced, child->state, new, cost))
                return;
        }
        *live += (uint64_t)count;
        search_expanded(search);
    }
    search->status = search->moves != NULL ? STATUS_solved : search_none_within(search);
}

KERNEL void dfbnb_search(struct search *search, enum packing packing)
{
    const int64_t depth_limit = search->options[DEPTH_LIMIT];
    struct tree tree = {.search = search, .enode.board = search->task->start};
    struct step_table steps = {0};
    uint64_t bound;
    if (depth_limit == OPTION_UNSET) {
        view_round(search, "greedy", 0);
        const struct best_first greedy = {.duplicates = DUPLICATES_STORED, .ties = TIES_FIFO};
        best_first(search, &greedy);
        if (search->status != STATUS_solved || !search_improves(search))
            return;
        bound = path_cost(search, search->moves, search->length);
    } else {
        bound = (uint64_t)depth_limit + 1;
        if (!search_generates_root(search))
            return;
    }
    view_costs(search, 1, 1);
    view_in_order(search, VIEW_STACK);
    view_round(search, "bound", bound);
    view_limit(search, bound);
    store_start(&tree.store, &search->arena);
    search_table_steps(search, &steps);
    if (search->costs == NULL)
        dfbnb_loop(&tree, packing, false, bound);
    else
        dfbnb_loop(&tree, packing, true, bound);
    search->steps = NULL;
    arena_release(&search->arena, tree.prices);
    store_end(&tree.store);
}

STAMP_ALGORITHM(dfbnb)
