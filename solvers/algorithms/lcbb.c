/* Least-cost branch and bound (Horowitz and Sahni, Fundamentals of Computer Algorithms, chapter 8).
 *
 * The live nodes wait in order of cost = g + h; the first becomes the E-node. (The textbook keeps
 * them in a min-heap; here they lie in search/node_buckets.h, in its order.) The textbook's form
 * does not recognise states: duplicates=none generates even the way back to the parent,
 * duplicates=parent (default) leaves that out, duplicates=stored recognises every state met before
 * (and is then A* with ties by age). goal_test=removal (default) ends when a goal becomes the
 * E-node; its path is a shortest one if h is admissible. goal_test=generation ends at the first
 * answer node generated, as the book's LCSearch does, and promises nothing. */
#include "algorithms/best_first.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(lcbb);

enum { DUPLICATES, GOAL_TEST, TIES };

const struct option_row lcbb_options[] = {
    [DUPLICATES] = {CHOICE_OPTION("duplicates", "which states met before are not added again",
                                  "none", "parent", "stored"),
                    .fallback = DUPLICATES_PARENT},
    [GOAL_TEST] = {CHOICE_OPTION("goal_test", "when a node is compared with the goal", "removal",
                                 "generation"),
                   .forfeits = OPTIMAL},
    [TIES] = {CHOICE_OPTION("ties", "which of two live nodes of equal cost goes first", "fifo",
                            "lifo")},
    {.kind = OPTION_END},
};

void lcbb_run(struct search *search)
{
    const struct best_first settings = {
        .counts_g = true,
        .duplicates = (enum duplicates)search->options[DUPLICATES],
        .test_at_generation = search->options[GOAL_TEST] != 0,
        .ties = search->options[TIES] == 0 ? TIES_FIFO : TIES_LIFO,
    };
    best_first(search, &settings);
}
