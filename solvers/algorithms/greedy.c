/* Greedy best-first search (Doran and Michie 1966; Russell and Norvig, section 3.5.1): the live
 * node with the smallest h becomes the E-node.
 *
 * The options are those of lcbb. The default is duplicates=stored: without it, equal states with a
 * small h come back for ever, and many boards are never solved. A stored state keeps the path by
 * which it was first reached: paths are not short anyway. */
#include "algorithms/best_first.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(greedy);

enum { DUPLICATES, GOAL_TEST, TIES };

const struct option_row greedy_options[] = {
    [DUPLICATES] = {CHOICE_OPTION("duplicates", "which states met before are not added again",
                                  "none", "parent", "stored"),
                    .fallback = DUPLICATES_STORED, .forfeits = COMPLETE},
    [GOAL_TEST] = {CHOICE_OPTION("goal_test", "when a node is compared with the goal", "removal",
                                 "generation")},
    [TIES] = {CHOICE_OPTION("ties", "which of two live nodes of equal cost goes first", "fifo",
                            "lifo")},
    {.kind = OPTION_END},
};

void greedy_run(struct search *search)
{
    const struct best_first settings = {
        .counts_g = false,
        .duplicates = (enum duplicates)search->options[DUPLICATES],
        .test_at_generation = search->options[GOAL_TEST] != 0,
        .ties = search->options[TIES] == 0 ? TIES_FIFO : TIES_LIFO,
    };
    best_first(search, &settings);
}
