/* NBS, near-optimal bidirectional search (Chen, Holte, Zilles and Sturtevant, "Front-to-end
 * bidirectional heuristic search with near-optimal node expansions", IJCAI 2017).
 *
 * A path that leaves the start's side by its live node u and the goal's side by v costs at least
 * lb(u, v) = max(f(u), f(v), g(u) + g(v) + epsilon). NBS expands both nodes of a pair of the
 * minimum lb, forward then backward, until that is no less than the length of the best path found.
 * While lb(u, v) < C*, any search of this kind must expand u or v, and no node comes twice if the
 * heuristic is consistent: so NBS expands at most twice the minimum vertex cover of these pairs
 * (with the same epsilon), and, beside them, nodes of pairs whose lb is C* itself.
 *
 * A minimum pair is found as in the paper: each side has its live nodes on two lists, those that
 * wait by f, those that are ready (f no larger than the bound lb so far) by g. All that wait with f
 * below the bound become ready; if the first ones of the two ready lists have g(u) + g(v) + epsilon
 * no larger than the bound they are the pair; if not, each side makes one more ready whose f is
 * equal to the bound; if none is, the bound rises to the minimum possible. Heuristics need be
 * admissible only, but then nodes may be expanded twice.
 *
 * Ties, which the paper leaves open: of equal f the smaller g becomes ready first, of equal g the
 * smaller f is expanded first, and then the newer node.
 *
 * epsilon: what is known of the cheapest move: 1 (default), or 0. */
#include "bidirectional/both_ends.h"
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(nbs);

enum { EPSILON };

const struct option_row nbs_options[] = {
    [EPSILON] = PAIR_EPSILON,
    {.kind = OPTION_END},
};

enum { WAITING, READY }; /* the lists */

struct nbs {
    struct both_ends ends; /* the first field: the rules get this */
    unsigned bound;        /* no path is shorter, but for those found */
    uint32_t second;       /* the pair's node that is expanded after the first; NO_NODE */
};

static bool enter(struct both_ends *ends, uint32_t id, unsigned behind)
{
    const struct node *node = &ends->store.nodes[id];
    (void)behind;
    return both_ends_push(ends, WAITING, id, node->g + node->h, node->g);
}

/* Makes the first node that waits ready. False when memory is spent. */
static bool make_ready(struct both_ends *ends, unsigned side)
{
    const uint32_t id = both_ends_first(ends, side, WAITING);
    const struct node *node = &ends->store.nodes[id];
    node_heap_pop(&ends->open[side][WAITING], false);
    return both_ends_push(ends, READY, id, node->g, node->g + node->h);
}

static bool make_all_ready(struct both_ends *ends, unsigned bound)
{
    for (unsigned side = START; side < SIDES; side++)
        while (both_ends_first_f(ends, side, WAITING) < bound)
            if (!make_ready(ends, side))
                return false;
    return true;
}

static uint32_t next(struct both_ends *ends)
{
    struct nbs *nbs = (struct nbs *)ends;
    const unsigned epsilon = (unsigned)ends->search->options[EPSILON];
    const uint32_t second = nbs->second;
    nbs->second = NO_NODE;
    if (second != NO_NODE)
        return second;
    while (ends->live[START] > 0 && ends->live[GOAL] > 0 && nbs->bound < ends->best) {
        if (!make_all_ready(ends, nbs->bound))
            return NO_NODE;
        const uint32_t u = both_ends_first(ends, START, READY);
        const uint32_t v = both_ends_first(ends, GOAL, READY);
        const unsigned both = u == NO_NODE || v == NO_NODE
                                  ? UINT_MAX
                                  : ends->store.nodes[u].g + ends->store.nodes[v].g + epsilon;
        if (both <= nbs->bound) {
            nbs->second = v;
            return u;
        }
        unsigned minimum = both;
        for (unsigned side = START; side < SIDES; side++) {
            const unsigned f = both_ends_first_f(ends, side, WAITING);
            if (f == nbs->bound && !make_ready(ends, side))
                return NO_NODE;
            minimum = f < minimum ? f : minimum;
        }
        nbs->bound = minimum; /* as it was if a node has become ready */
    }
    return NO_NODE;
}

/* The same where moves cost different amounts. */
struct nbs_by_costs {
    struct lists lists;
    uint64_t bound;
    uint32_t second;
};

static bool arrives(struct lists *lists, uint32_t id)
{
    return lists_put(lists, list_of_side(lists, WAITING, lists->store.nodes[id].side), id);
}

static uint64_t first_f(struct lists *lists, unsigned side)
{
    const uint32_t id = lists_first(lists, WAITING, side);
    return id == NO_NODE ? NO_COST : lists_f(lists, id);
}

/* Makes the first node that waits ready. False when memory is spent. */
static bool readies(struct lists *lists, unsigned side)
{
    const uint32_t id = lists_first(lists, WAITING, side);
    lists_remove(lists, list_of_side(lists, WAITING, side), id);
    if (lists_put(lists, list_of_side(lists, READY, side), id))
        return true;
    lists->search->status = STATUS_memory_limit;
    return false;
}

static uint32_t choose(struct lists *lists)
{
    struct nbs_by_costs *nbs = (struct nbs_by_costs *)lists;
    const uint64_t epsilon =
        (uint64_t)lists->search->options[EPSILON] * least_move_cost(lists->search);
    const uint32_t second = nbs->second;
    nbs->second = NO_NODE;
    if (second != NO_NODE)
        return second;
    while (lists->live[START] > 0 && lists->live[GOAL] > 0 && nbs->bound < lists->best) {
        for (unsigned side = START; side < SIDES; side++)
            while (first_f(lists, side) < nbs->bound)
                if (!readies(lists, side))
                    return NO_NODE;
        const uint32_t u = lists_first(lists, READY, START);
        const uint32_t v = lists_first(lists, READY, GOAL);
        uint64_t minimum = NO_COST;
        if (u != NO_NODE && v != NO_NODE)
            minimum = lists->labels[u].g + lists->labels[v].g + epsilon;
        if (minimum <= nbs->bound) {
            nbs->second = v;
            return u;
        }
        for (unsigned side = START; side < SIDES; side++) {
            const uint64_t f = first_f(lists, side);
            if (f == nbs->bound && !readies(lists, side))
                return NO_NODE;
            minimum = f < minimum ? f : minimum;
        }
        nbs->bound = minimum; /* as it was if a node has become ready */
    }
    return NO_NODE;
}

static void search_by_costs(struct search *search)
{
    struct nbs_by_costs nbs = {.second = NO_NODE};
    lists_order *const orders[] = {[WAITING] = lists_by_f, [READY] = lists_by_g};
    lists_start_both(&nbs.lists, search, READY + 1, orders);
    nbs.lists.settings.ties = TIES_LOW_G;
    nbs.lists.arrives = arrives;
    lists_run(&nbs.lists, choose);
}

KERNEL void nbs_search(struct search *search, enum packing packing)
{
    if (search->costs != NULL) {
        search_by_costs(search);
        return;
    }
    static const struct both_ends_rules rules = {.enter = enter, .next = next};
    static const enum ties ties[BOTH_ENDS_LISTS] = {TIES_LOW_G, TIES_LOW_G};
    struct nbs nbs = {.second = NO_NODE};
    both_ends_start(&nbs.ends, search, ties);
    both_ends_search(&nbs.ends, packing, &rules);
    both_ends_end(&nbs.ends);
}

STAMP_ALGORITHM(nbs)
