/* Weighted A* (Pohl, "Heuristic search viewed as path finding in a graph", Artificial Intelligence
 * 1, 1970): A* with f = g + w h, w at least 1. With an admissible heuristic a solution is at most w
 * times as long as a shortest one; w = 1 is A*.
 *
 * reopen=false drops shorter paths to closed nodes. With a consistent heuristic the solution is
 * still within w times a shortest one (Likhachev, Gordon and Thrun, "ARA*: anytime A* with provable
 * bounds on sub-optimality", NIPS 2003); with another it need not be.
 *
 * w has up to three decimals. Costs are exact: with w = p / q in lowest terms they are q g + p h,
 * so no rounding decides which nodes cost the same and what is expanded. It is the best-first loop.
 *
 * priority: other sums of g and h with the same bound (algorithms/priorities.h), with which no node
 * is opened again if the heuristic is consistent. */
#include "algorithms/best_first.h"
#include "algorithms/priorities.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(wastar);

enum { W, TIES, REOPEN, PRIORITY };

const struct option_row wastar_options[] = {
    [W] = WEIGHT_OPTION,
    [TIES] = {CHOICE_OPTION("ties", "which of two open nodes of equal f goes first", "high_g",
                            "low_g", "fifo", "lifo"),
              .fallback = TIES_HIGH_G},
    [REOPEN] = {FLAG_OPTION("reopen", "open a closed node again when a shorter path reaches it"),
                .fallback = true, .needs = CONSISTENT},
    [PRIORITY] = {.name = "priority",
                  .help =
                      "what the node that goes first has least of: g + w h, or a sum with which "
                      "no node need be opened again",
                  .kind = OPTION_CHOICE,
                  .choices = {"wa", "pwxd", "pwxu", "xdp", "xup"}},
    {.kind = OPTION_END},
};

void wastar_run(struct search *search)
{
    if (search->options[PRIORITY] != PRIORITY_WA) {
        search_by_priority(search, (enum priority)search->options[PRIORITY], search->options[W],
                           (int)search->options[TIES], search->options[REOPEN] == 0);
        return;
    }
    struct best_first settings = {
        .counts_g = true,
        .keeps_closed = search->options[REOPEN] == 0,
        .duplicates = DUPLICATES_STORED,
        .ties = (enum ties)search->options[TIES],
    };
    best_first_weigh(&settings, search->options[W]);
    best_first(search, &settings);
}
