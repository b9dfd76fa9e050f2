/* Anytime weighted A* (Hansen and Zhou, "Anytime heuristic search", Journal of Artificial
 * Intelligence Research 28, 2007): weighted A* that goes on after its first solution. Nodes whose f
 * = g + h is not below the cost of the best one are dropped, so each solution is better than the
 * one before, and when nothing is left the last one is a shortest. Until then the least f of a live
 * node says how much better it could be. */
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(awastar);

enum { WEIGHT };

const struct option_row awastar_options[] = {
    [WEIGHT] = FIRST_WEIGHT_OPTION("the weight of h", 2),
    {.kind = OPTION_END},
};

static uint32_t choose(struct lists *lists)
{
    return lists_least_f(lists) >= lists->bound ? NO_NODE : list_first(&lists->of[BY_F + 1]);
}

void awastar_run(struct search *search)
{
    struct lists lists;
    lists_start(&lists, search, 2, (lists_order *const[]){lists_by_f, lists_by_weighted_f});
    lists.weight = (uint64_t)search->options[WEIGHT];
    lists.improves = true;
    lists_run(&lists, choose);
}
