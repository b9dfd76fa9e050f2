/* The tree of all move sequences that begin with a board, without the move that undoes the last
 * one: what a depth-first search without duplicate detection walks. */
#pragma once

#include "heuristics/heuristic.h"

enum { MAX_LEVELS = 512 };

/* How many nodes the tree has on each level. That depends on the blank's cell alone (Edelkamp and
 * Korf, "The branching factor of regular search spaces", AAAI 1998). */
struct path_tree {
    struct shape shape;
    unsigned levels;
    double *nodes; /* owned; [cell * levels + level]: on this level and those above it */
    double *mean;  /* owned; [level]: the same, as the mean over all cells */
};

/* The first levels of the trees of a shape, at most MAX_LEVELS; path_tree_end frees them. Counts
 * are exact up to 2^53. */
void path_tree_make(struct shape shape, unsigned levels, struct path_tree *tree);
void path_tree_end(struct path_tree *tree);

/* The factor by which the levels of a shape's trees grow in the end: the largest eigenvalue of its
 * moves, geometric mean of two levels, as even and odd levels may grow unlike. */
double path_tree_branching_factor(struct shape shape);

/* Walks the tree below a board and adds to nodes[t], for each threshold t below `end`, how many
 * nodes a whole round of idastar with this threshold expands: those with no g + h above t on the
 * way to them, the goal among them. Returns false, with nodes[] unfinished, where that takes more
 * than `limit` nodes. */
bool path_tree_walk(const struct heuristic *heuristic, const struct board *start, unsigned end,
                    uint64_t limit, uint64_t *nodes);
