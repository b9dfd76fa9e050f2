/* Breadth-first search that holds a few layers of nodes instead of all that it met: bfhs, bfida and
 * frontier are this with different settings.
 *
 * A layer is the set of all nodes of one depth. Moves can be taken back, so a neighbour of a node
 * of depth d has depth d - 1 or d + 1 (the blank changes colour). A child is a duplicate if it is
 * one of the next layer, or one of the previous layer. The latter is noticed in one of two ways:
 *
 *  - The previous layer is kept, and looked at (Zhou and Hansen, "Breadth-first heuristic search",
 *    Artificial Intelligence 170, 2006). Nodes whose g + h is above a limit are dropped. With a
 *    consistent heuristic no state is expanded twice in a search; with others one may be, which
 *    costs time and nothing else.
 *  - Each node knows the operators that lead to the previous layer, its used operators: those that
 *    undo a move by which it was generated. They are not applied, and no layer but the one that is
 *    being expanded and the next is held (Korf, Zhang, Thayer and Hohwald, "Frontier search",
 *    Journal of the ACM 52, 2005).
 *
 * The path is found by divide and conquer, as both papers have it: one layer about the middle, the
 * relay layer, is held too, and each node behind it knows its ancestor there. That of the goal
 * splits the path in two pieces of known length, and each is searched for in the same way, within
 * the limit that the whole path kept. In the search for the goal the relay layer is at half the
 * limit; without a limit, at the largest power of two so far. A goal that is found before it is
 * searched for again as a piece of known length. */
#pragma once

#include "search/search.h"

struct few_layers {
    bool used_operators; /* if not, the previous layer is kept */
    unsigned limit;      /* nodes of larger g + h are dropped; FEW_LAYERS_NO_LIMIT: none */
};

enum { FEW_LAYERS_NO_LIMIT = INT32_MAX };

enum few_layers_outcome {
    FEW_LAYERS_SOLVED,
    FEW_LAYERS_NONE,   /* the goal is not within the limit */
    FEW_LAYERS_STOPPED /* search->status says why */
};

/* Looks for the task's goal from its start. The caller has counted the start as generated and shown
 * it. The goal test is made when a node is generated. The first node of each piece of the path
 * counts as generated. *above becomes the smallest g + h that was dropped, or UINT_MAX. Without a
 * solution, search->status stays as it was unless the search was stopped. */
enum few_layers_outcome few_layers_search(struct search *search, const struct few_layers *settings,
                                          unsigned *above);
