/* Uniform-cost search (Dijkstra, "A note on two problems in connexion with graphs", Numerische
 * Mathematik 1, 1959; Russell and Norvig, section 3.4.2): the live node of least g becomes the
 * E-node, and the goal is looked for when a node is taken from the open list, as textbooks have it.
 *
 * It is the best-first loop with g alone as cost. All moves cost 1 here, so that it expands what
 * breadth-first search with the goal test on removal expands, at the price of a heap. It is there
 * for that comparison, and stays this plain for it: who wants the speed takes bfs. */
#include "algorithms/algorithm.h"
#include "search/best_first.h"

enum { TIES };

const struct option_row ucs_options[] = {
    [TIES] = {.name = "ties",
              .help = "which of two open nodes of equal g goes first",
              .kind = OPTION_CHOICE,
              .choices = {"fifo", "lifo"}},
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
