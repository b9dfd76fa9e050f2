/* Anytime nonparametric A* (van den Berg, Shah, Huang and Goldberg, "ANA*: anytime nonparametric
 * A*", AAAI 2011): weighted A* with the weight that is just greedy enough, without a weight to
 * choose. The node of largest e = (G - g) / h goes first, G being the cost of the best solution:
 * the weight up to which its weighted f is below G. At first G is infinite, and the least h goes
 * first. Each solution changes all e. Nodes whose f is not below G are dropped; when nothing is
 * left, the last solution is a shortest one. */
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(anastar);

const struct option_row anastar_options[] = NO_OPTIONS;

enum { BY_E = BY_F + 1 };

/* By e, exactly; f of both is below G, or the order of the rest does not matter. */
static bool by_e(const struct lists *lists, uint32_t a, uint32_t b)
{
    const struct label *of_a = &lists->labels[a];
    const struct label *of_b = &lists->labels[b];
    if (lists->bound == NO_COST)
        return lists_by_h(lists, a, b);
    const uint64_t gain_a = lists->bound > of_a->g ? lists->bound - of_a->g : 0;
    const uint64_t gain_b = lists->bound > of_b->g ? lists->bound - of_b->g : 0;
    const uint128 e_a = (uint128)gain_a * of_b->h;
    const uint128 e_b = (uint128)gain_b * of_a->h;
    return e_a != e_b ? e_a > e_b : lists_by_h(lists, a, b);
}

static bool improved(struct lists *lists, uint32_t goal)
{
    (void)goal;
    lists_remake(lists, &lists->of[BY_E]);
    return true;
}

static uint32_t choose(struct lists *lists)
{
    return lists_least_f(lists) >= lists->bound ? NO_NODE : list_first(&lists->of[BY_E]);
}

void anastar_run(struct search *search)
{
    struct lists lists;
    lists_start(&lists, search, BY_E + 1, (lists_order *const[]){lists_by_f, by_e});
    lists.improves = true;
    lists.improved = improved;
    lists_run(&lists, choose);
}
