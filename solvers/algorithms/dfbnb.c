/* Depth-first branch and bound (Lawler and Wood, "Branch-and-bound methods: a survey", Operations
 * Research 14, 1966; compared on this domain by Korf, "Linear-space best-first search", Artificial
 * Intelligence 62, 1993).
 *
 * The tree is searched depth first, the children of an E-node by increasing cost g + h (equal costs
 * in operator order), without the way back to the parent. A node whose cost is not below the bound
 * is dropped. The bound is the length of the best solution so far. At first it is depth_limit + 1
 * or, without one, the length of the path that greedy(HEURISTIC) finds, whose nodes count too. The
 * search ends when nothing is left below the bound; with an admissible heuristic the best solution
 * is then a shortest one. first_found and best_found are the values of `generated` when the first
 * and the best solution were found. */
#include "algorithms/best_first.h"
#include "search/algorithm.h"
#include "search/store.h"

DECLARE_ALGORITHM(dfbnb);

enum { DEPTH_LIMIT };

const struct option_row dfbnb_options[] = {
    [DEPTH_LIMIT] =
        {.name = "depth_limit",
         .help =
             "the longest solution looked for; without it, greedy's solution is the first bound",
         .kind = OPTION_NUMBER,
         .fallback = OPTION_UNSET,
         .max = 1000000,
         .forfeits = COMPLETE},
    {.kind = OPTION_END},
};

/* A child below the bound. */
struct candidate {
    struct successor successor;
    unsigned h;
};

static SELDOM void show_child(struct search *search, const struct enode *enode,
                              struct candidate child, uint64_t bound)
{
    const enum fate fate = enode->g + 1 + child.h < bound ? FATE_KEPT : FATE_BOUNDED;
    view_successor(search, enode, child.successor, child.h,
                   (struct event){.fate = fate, .limit = bound});
}

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
        if (viewed(search))
            show_child(search, enode, child, bound);
        if (enode->g + 1 + child.h >= bound)
            continue;
        int at = count++;
        for (; at > 0 && children[at - 1].h <= child.h; at--)
            children[at] = children[at - 1];
        children[at] = child;
    }
    return count;
}

/* What is shown of a stored node: the numbers come from the path. */
static struct node_seen seen_of(struct search *search, const struct store *store, uint32_t id,
                                struct board *board)
{
    const struct node_seen node = store_seen(store, id, board);
    return view_path(search, node.g, node.h, node.move);
}

static SELDOM void show_expansion(struct search *search, const struct store *store, uint32_t id,
                                  struct enode *enode, uint64_t bound)
{
    const struct node_seen node = seen_of(search, store, id, &enode->board);
    view_expands(search, enode, (struct event){.node = node, .limit = bound});
}

/* Shows the live nodes below the bound, newest first. */
static SELDOM void show_stack(struct search *search, const struct store *store, uint64_t bound)
{
    struct board board = search->task->start;
    uint64_t live = 0;
    for (uint32_t id = 0; id < store->count; id++)
        live += !store->nodes[id].closed && store->nodes[id].g + store->nodes[id].h < bound;
    bool on = view_step(search, live);
    for (uint32_t id = store->count; on && id-- > 0;) {
        const struct node *node = &store->nodes[id];
        if (!node->closed && node->g + node->h < bound) {
            const struct node_seen seen = seen_of(search, store, id, &board);
            on = view_live(search, seen, &board);
        }
    }
}

static SELDOM void show_drop(struct search *search, const struct store *store, uint32_t id,
                             uint64_t bound)
{
    struct board board = search->task->start;
    const struct node_seen node = seen_of(search, store, id, &board);
    view_node(
        search, &board,
        (struct event){.kind = EVENT_DROPS, .node = node, .fate = FATE_BOUNDED, .limit = bound});
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
            if (viewed(search) && !node->closed)
                show_drop(search, store, id, bound);
            store->count--;
            continue;
        }
        (*live)--;
        raise_to(&statistics->max_stored, node->g + UINT64_C(1));
        raise_to(&statistics->max_depth, node->g);
        if (packed_equal(packing, store_state(store, packing, id), goal)) {
            bound = node->g;
            store_solution(store, id, search);
            if (search->status != STATUS_solved)
                return;
            search->status = STATUS_memory_limit; /* not over yet */
            search_improves(search);
            store->count--;
            continue;
        }
        node->closed = 1;
        store_unpack(store, packing, id, true, &enode);
        if (!search_expands(search, &enode))
            return;
        if (viewed(search))
            show_expansion(search, store, id, &enode, bound);
        struct candidate children[MOVES];
        int count = make_children(search, packing, &enode, bound, children);
        if (count < 0)
            return;
        for (int i = 0; i < count; i++) {
            const struct successor *child = &children[i].successor;
            struct node added = {.parent = id,
                                 .g = enode.g + 1,
                                 .h = (uint16_t)children[i].h,
                                 .blank = (uint8_t)child->from,
                                 .move = (uint8_t)(child->move & 15)};
            if (store_add(store, packing, child->state, added) == NO_NODE)
                return;
        }
        *live += (uint64_t)count;
        raise_to(&statistics->max_open, *live);
        if (viewed(search))
            show_stack(search, store, bound);
    }
    search->status = search->moves != NULL ? STATUS_solved : STATUS_exhausted;
}

KERNEL void dfbnb_search(struct search *search, enum packing packing)
{
    const int64_t depth_limit = search->options[DEPTH_LIMIT];
    struct store store;
    uint64_t bound;
    if (viewed(search) && depth_limit == OPTION_UNSET)
        view_round(search, "greedy", 0);
    if (depth_limit == OPTION_UNSET) {
        const struct best_first greedy = {.duplicates = DUPLICATES_STORED, .ties = TIES_FIFO};
        best_first(search, &greedy);
        if (search->status != STATUS_solved)
            return;
        bound = search->length;
        search_improves(search);
    } else {
        bound = (uint64_t)depth_limit + 1;
        if (!search_generates(search)) /* the root */
            return;
        if (viewed(search)) {
            view_costs(search, 1, 1);
            view_root(search, &search->task->start, search_start_h(search), 0);
        }
    }
    if (viewed(search)) {
        view_costs(search, 1, 1);
        view_round(search, "bound", bound);
    }
    store_start(&store, &search->arena);
    dfbnb_loop(search, packing, &store, bound);
    store_end(&store);
}

STAMP_ALGORITHM(dfbnb)
