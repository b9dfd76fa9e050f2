/* A* (Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost
 * paths", IEEE Transactions on Systems Science and Cybernetics 4, 1968), with open and closed
 * lists.
 *
 * A state is stored once. Reached by a shorter path it is put in the place of the longer one, and
 * reopened if it was closed, so that heuristics that are not consistent are served too. depth_limit
 * leaves nodes of that depth unexpanded. */
#include "algorithms/algorithm.h"
#include "search/best_first.h"

enum { DEPTH_LIMIT, TIES };

const struct option_row astar_options[] = {
    [DEPTH_LIMIT] = {.name = "depth_limit",
                     .help = "nodes of this depth are not expanded",
                     .kind = OPTION_NUMBER,
                     .fallback = OPTION_UNSET,
                     .most = 1000000,
                     .forfeits = COMPLETE},
    [TIES] = {.name = "ties",
              .help = "which of two open nodes of equal f goes first",
              .kind = OPTION_CHOICE,
              .fallback = TIES_HIGH_G,
              .choices = {"high_g", "low_g", "fifo", "lifo"}},
    {.kind = OPTION_END},
};

void astar_run(struct search *search)
{
    const struct best_first settings = {
        .counts_g = true,
        .duplicates = DUPLICATES_STORED,
        .ties = (enum ties)search->options[TIES],
        .depth_limit = search->options[DEPTH_LIMIT],
    };
    best_first(search, &settings);
}
