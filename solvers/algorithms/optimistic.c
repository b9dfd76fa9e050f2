/* Optimistic search (Thayer and Ruml, "Faster than weighted A*: an optimistic approach to bounded
 * suboptimal search", ICAPS 2008): weighted A* with a weight of 2 w - 1, whose first solution is
 * mostly within w though nothing says so, and then A*, node by node, until it is proved to be:
 * until the least f of a live node, times w, is no less than what the solution costs.
 *
 * If a node's weighted f is below that cost before the proof is there, it goes first: a better
 * solution may lie below it. A node that is reached by a shorter path is opened again. */
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(optimistic);

enum { W };

const struct option_row optimistic_options[] = {
    [W] = WITHIN_OPTION,
    {.kind = OPTION_END},
};

enum { BY_WEIGHTED_F = BY_F + 1 };

static uint32_t choose(struct lists *lists)
{
    const uint32_t hopeful = list_first(&lists->of[BY_WEIGHTED_F]);
    if (hopeful == NO_NODE || lists->bound == NO_COST)
        return hopeful;
    if (lists_within_w(lists, lists->bound, lists_least_f(lists)))
        return NO_NODE;
    return lists_weighted(lists, hopeful) < (uint128)lists->bound * DECIMAL_ONE
               ? hopeful
               : list_first(&lists->of[BY_F]);
}

void optimistic_run(struct search *search)
{
    struct lists lists;
    lists_order *const orders[] = {[BY_F] = lists_by_f, [BY_WEIGHTED_F] = lists_by_weighted_f};
    lists_start(&lists, search, BY_WEIGHTED_F + 1, orders);
    lists.w = (uint64_t)search->options[W];
    lists.weight = 2 * lists.w - DECIMAL_ONE;
    lists.improves = true;
    lists_run(&lists, choose);
}
