/* Batch A*: best-first search that hands over up to `batch` live nodes at once, so that a heuristic
 * which is faster for many boards than for one, such as a neural network, values all their children
 * in one call (Agostinelli, McAleer, Shmakov and Baldi, "Solving the Rubik's cube with deep
 * reinforcement learning and search", Nature Machine Intelligence 1, 2019, with weights; Li, Chen,
 * Koenig et al., "Optimal search with neural networks: challenges and approaches", SoCS 2022;
 * Futuhi and Sturtevant, "A parallel CPU-GPU framework for batching heuristic operations in
 * depth-first heuristic search", arXiv 2507.11916).
 *
 * Each round takes the nodes of smallest cost from the open list, expands all of them, has their
 * new children valued together, and only then makes these live. A goal that is taken is a solution,
 * but others of the round may lead to a shorter one. So the search goes on, without nodes whose
 * cost is not below that of the solution, until there are no others: as one node of a shortest path
 * is always live, the solution is then a shortest one if the heuristic is admissible, and with a
 * weight w at most w times as long. batch=1 is A*, node by node. Nodes are expanded that A* leaves
 * alone, and closed nodes are reopened with consistent heuristics, too: a round expands them before
 * the shortest paths to them are known.
 */
#pragma once

#include "algorithms/best_first.h"
#include "search/algorithm.h"

/* The option of both: how many nodes a round takes, at most. */
#define BATCH_OPTION                                                                               \
    {                                                                                              \
        .name = "batch",                                                                           \
        .help = "how many open nodes are expanded before their children are "                      \
                "valued together, at most",                                                        \
        .kind = OPTION_NUMBER, .fallback = 100, .min = 1, .max = 100000                            \
    }

/* Searches from the task's start in rounds of at most `size` nodes. Of the settings, costs and ties
 * count. Sets search->status and, on success or at a limit, the moves. The memory for a round is
 * the arena's. */
void batch_best_first(struct search *search, const struct best_first *settings, uint32_t size);
