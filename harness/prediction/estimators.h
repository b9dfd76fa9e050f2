/* How many nodes a whole round of idastar expands below one board: estimates from a few walks, and
 * from how h changes with a move. Measured: path_tree_walk (path_tree.h). */
#pragma once

#include "harness/prediction/population.h"
#include "heuristics/heuristic.h"

enum { MAX_VALUE = 1024 }; /* an h is below this */

/* Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975:
 * random walks from the root down; a node counts as many as the branches above it multiply to. The
 * mean of `probes` walks, without bias. */
struct estimate knuth_estimate(const struct heuristic *heuristic, const struct board *start,
                               unsigned threshold, unsigned probes, gsl_rng *generator);

/* Chen, "Heuristic sampling: a method for predicting the performance of tree searching programs",
 * SIAM Journal on Computing 21, 1992: of the nodes of one level that are of one type (blank cell,
 * last move, h) one is followed, chosen at random, and stands for all. The mean of `probes`
 * probes, without bias. */
struct estimate chen_estimate(const struct heuristic *heuristic, const struct board *start,
                              unsigned threshold, unsigned probes, gsl_rng *generator);

/* The distribution of a child's h, given the cell of the blank, h and the move. */
struct conditional {
    struct shape shape;
    unsigned h_end; /* every h is below it */
    double *weight; /* owned; [((cell * MOVES + move) * h_end + h) * h_end + h of the child] */
};

/* Starts with no boards; conditional_end frees it. */
void conditional_start(struct conditional *conditional, struct shape shape, unsigned h_end);
void conditional_end(struct conditional *conditional);

/* Adds the children of a board of a population, which weighs as much as `weight` boards. Boards
 * with an h of h_end or more are left out. */
void conditional_add(struct conditional *conditional, const struct heuristic *heuristic,
                     const struct board *board, double weight);

/* Zahavi, Felner, Burch and Holte, "Predicting the performance of IDA* using conditional
 * distributions", Journal of Artificial Intelligence Research 37, 2010, their model of one level:
 * the nodes of a level by blank cell, last move and h, from those of the level above. */
double conditional_estimate(const struct conditional *conditional, unsigned blank, unsigned h,
                            unsigned threshold);
