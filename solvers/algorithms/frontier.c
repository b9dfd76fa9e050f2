/* Frontier breadth-first search (Korf, "Divide-and-conquer bidirectional search: first results",
 * IJCAI 1999; Korf, Zhang, Thayer and Hohwald, "Frontier search", Journal of the ACM 52, 2005).
 *
 * Breadth-first search without a closed list (algorithms/few_layers.h): each node has a bit for
 * each operator that leads back to where the search was, and these are not applied. The goal test
 * is made when a node is generated. The path is found by divide and conquer.
 *
 * What is counted: the search for the goal expands the nodes of bfs in its order; the searches for
 * the pieces of the path come on top. The first node of each piece is generated again. Moves along
 * used operators are not generated. Children that are in the next layer already are duplicates.
 * max_stored: the layer that is expanded, the next one and the relay layer. */
#include "algorithms/few_layers.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(frontier);

const struct option_row frontier_options[] = NO_OPTIONS;

void frontier_run(struct search *search)
{
    const struct few_layers settings = {.used_operators = true, .limit = FEW_LAYERS_NO_LIMIT};
    unsigned above;
    if (!search_generates_root(search))
        return;
    if (few_layers_search(search, &settings, &above) == FEW_LAYERS_NONE)
        search->status = STATUS_exhausted;
}
