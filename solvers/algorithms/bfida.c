/* Breadth-first iterative-deepening A* (Zhou and Hansen, "Breadth-first heuristic search",
 * Artificial Intelligence 170, 2006).
 *
 * Rounds as in idastar: nodes whose g + h is above the round's threshold are dropped; the first
 * threshold is the h of the start, the next one the smallest g + h that was dropped. But each round
 * is a breadth-first search that recognises states, while it holds only the layer that it expands,
 * the one before and the next (algorithms/few_layers.h). The goal test is made when a node is
 * generated. The path is found by divide and conquer with a relay layer at half the threshold.
 *
 * What is counted: the nodes of all rounds, the root as generated once; in the last round also
 * those of the searches for the pieces of the path, the first node of each being generated again.
 * Dropped for g + h is no duplicate. max_stored: the three layers and the relay layer.
 *
 * Where moves cost different amounts, the neighbours of a node lie in no layer of their own. Then a
 * round goes by g (search/lists.h): what is expanded has its least g, so the first goal that is
 * taken is a cheapest one, however far the threshold is above it. So thresholds may grow as those
 * of IDA*_CR: the next one keeps at least as many of the dropped nodes as the round expanded, as
 * far as buckets tell. All states of the last round stay in memory, and the goal test is made when
 * a node is taken. */
#include "algorithms/few_layers.h"
#include "search/algorithm.h"
#include "search/excess.h"
#include "search/lists.h"
#include <limits.h>

DECLARE_ALGORITHM(bfida);

const struct option_row bfida_options[] = NO_OPTIONS;

/* ---- Where moves cost different amounts ---- */

struct by_costs {
    struct lists lists; /* whose bound is the threshold + 1 */
    uint64_t before;    /* expanded before this round */
    uint64_t dropped[EXCESS_BUCKETS];
};

static void bounded(struct lists *lists, uint64_t f)
{
    struct by_costs *by = (struct by_costs *)lists;
    by->dropped[excess_bucket(f + 1 - lists->bound)]++;
}

/* Begins a round. False when the search must end. */
static bool begin_round(struct by_costs *by, uint64_t threshold)
{
    struct search *search = by->lists.search;
    by->lists.bound = threshold + 1;
    by->before = search->statistics.expanded;
    memset(by->dropped, 0, sizeof by->dropped);
    return search_begins_round(search, "threshold", threshold);
}

static uint32_t choose(struct lists *lists)
{
    struct by_costs *by = (struct by_costs *)lists;
    struct search *search = lists->search;
    const uint32_t first = list_first(&lists->of[0]);
    if (first != NO_NODE)
        return first;
    const uint64_t threshold = lists->bound - 1;
    const uint64_t expanded = search->statistics.expanded - by->before;
    const uint64_t next = excess_next(by->dropped, threshold, threshold, expanded);
    if (next == threshold || !begin_round(by, next)) /* nothing was dropped, or no memory */
        return NO_NODE;
    if (!lists_restart(lists))
        search->status = STATUS_memory_limit;
    return list_first(&lists->of[0]);
}

static void search_by_costs(struct search *search)
{
    struct by_costs by;
    lists_start(&by.lists, search, 1, (lists_order *const[]){lists_by_g});
    by.lists.bounded = bounded;
    search->statistics.iterations = 0;
    if (begin_round(&by, priced_start_h(search)))
        lists_run(&by.lists, choose);
}

/* ---- Where each move costs 1 ---- */

void bfida_run(struct search *search)
{
    if (search->costs != NULL) {
        search_by_costs(search);
        return;
    }
    const unsigned h = search_start_h(search);
    struct few_layers settings = {.limit = h};
    enum few_layers_outcome outcome = FEW_LAYERS_NONE;
    if (!search_generates_root(search))
        return;
    search->statistics.iterations = 0;
    while (outcome == FEW_LAYERS_NONE) {
        unsigned above;
        if (!search_begins_round(search, "threshold", settings.limit))
            return;
        outcome = few_layers_search(search, &settings, &above);
        if (outcome == FEW_LAYERS_NONE && above == UINT_MAX) {
            search->status = STATUS_exhausted;
            return;
        }
        settings.limit = above;
    }
}
