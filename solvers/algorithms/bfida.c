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
 * Dropped for g + h is no duplicate. max_stored: the three layers and the relay layer. */
#include "algorithms/few_layers.h"
#include "search/algorithm.h"
#include <limits.h>

DECLARE_ALGORITHM(bfida);

const struct option_row bfida_options[] = NO_OPTIONS;

void bfida_run(struct search *search)
{
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
