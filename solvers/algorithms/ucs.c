/* Uniform-cost search (Dijkstra, "A note on two problems in connexion with graphs", Numerische
 * Mathematik 1, 1959; Russell and Norvig, section 3.4.2): the live node with the smallest g becomes
 * the E-node. The goal test is made when a node is taken from the open list, as in textbooks.
 *
 * It is the best-first loop with g alone as cost. Where all moves cost 1 it expands what
 * breadth-first search with goal_test=removal expands, at the price of an open list, and is there
 * for that comparison. Where they cost different amounts (`cost`), bfs finds no cheapest path. */
#include "algorithms/best_first.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(ucs);

enum { TIES };

const struct option_row ucs_options[] = {
    [TIES] = {CHOICE_OPTION("ties", "which of two open nodes of equal g goes first", "fifo",
                            "lifo")},
    {.kind = OPTION_END},
};

void ucs_run(struct search *search)
{
    const struct best_first settings = {
        .counts_g = true,
        .duplicates = DUPLICATES_STORED,
        .ties = search->options[TIES] == 0 ? TIES_FIFO : TIES_LIFO,
    };
    best_first(search, &settings);
}
