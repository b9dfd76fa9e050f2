/* Enhanced partial expansion A* (Goldenberg, Felner, Stern, Sharon, Sturtevant, Holte and
 * Schaeffer, "Enhanced partial expansion A*", Journal of Artificial Intelligence Research 50,
 * 2014).
 *
 * Partial expansion A* (algorithms/pea.c) that generates only the children whose turn it is: those
 * of f equal to the node's stored cost. Which these are the operator selection function says before
 * anything is generated, from the difference that a move makes to h: the heuristic's step, a
 * look-up by the tile and its two cells where the heuristic is incremental. A heuristic that is not
 * is asked about each neighbouring board; that is no node.
 *
 * What is counted: each of the expansions of a node, also one that generates nothing because all
 * children cost more; and each child once, when it is generated. With a consistent heuristic the
 * states of f below the length of the solution that are expanded are those that astar expands, and
 * no state of larger f than that length is stored (tests/property/test_between.c). */
#include "algorithms/partial_expansion.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(epea);

const struct option_row epea_options[] = NO_OPTIONS;

void epea_run(struct search *search)
{
    partial_expansion(search, &(struct partial_expansion){.selects = true});
}
