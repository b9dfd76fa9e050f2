/* Breadth-first heuristic search (Zhou and Hansen, "Breadth-first heuristic search", Artificial
 * Intelligence 170, 2006).
 *
 * Breadth-first search in which nodes are dropped whose g + h is above an upper bound on the length
 * of the solution, and which holds only the layer that it expands, the one before and the next
 * (algorithms/few_layers.h). The goal test is made when a node is generated; so the first path
 * found is a shortest one. It is put together by divide and conquer with a relay layer at half the
 * bound.
 *
 * bound: the longest solution looked for. Without one, a weighted A* of weight 1.25 finds a path
 * first, and the search looks for a shorter one; if there is none, that path is the solution. With
 * a bound below the shortest length the answer is `exhausted`, or `stuck` if the heuristic is not
 * admissible.
 *
 * What is counted: the nodes of the weighted A*, if there is one, of the search for the goal and of
 * those for the pieces of the path, the first node of each piece being generated again. Dropped for
 * g + h is no duplicate. max_stored: the most nodes held by one of them; of the latter two, the
 * three layers and the relay layer. */
#include "algorithms/best_first.h"
#include "algorithms/few_layers.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(bfhs);

enum { BOUND };

const struct option_row bfhs_options[] = {
    [BOUND] = {NUMBER_OPTION("bound",
                             "the longest solution looked for; without it, a shorter one than that "
                             "of a weighted A* of weight 1.25",
                             OPTION_UNSET, 0, 1000000),
               .forfeits = COMPLETE},
    {.kind = OPTION_END},
};

/* Finds a path, whose length is search->length. */
static bool find_first(struct search *search)
{
    const struct best_first weighted = {.counts_g = true,
                                        .g_weight = 4,
                                        .h_weight = 5,
                                        .duplicates = DUPLICATES_STORED,
                                        .ties = TIES_HIGH_G};
    view_round(search, "weighted", 0);
    best_first(search, &weighted);
    return search->status == STATUS_solved && search->length > 0;
}

void bfhs_run(struct search *search)
{
    const bool is_bounded = search->options[BOUND] != OPTION_UNSET;
    struct few_layers settings = {.limit = (unsigned)search->options[BOUND]};
    unsigned above;
    if (!is_bounded) {
        if (!find_first(search))
            return;
        settings.limit = (unsigned)search->length - 1;
    } else if (!search_generates_root(search)) {
        return;
    }
    view_costs(search, 1, 1);
    view_round(search, "threshold", settings.limit);
    if (few_layers_search(search, &settings, &above) == FEW_LAYERS_NONE && is_bounded)
        search->status = search_none_within(search);
}
