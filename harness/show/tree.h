/* The tree that a search explores, drawn: for Graphviz, or as SVG by a layout of our own (leaves
 * side by side in the order of generation, each node centred above its children). Up to a number of
 * nodes, the first that are generated; each round of a search in rounds is a tree of its own. */
#pragma once

#include "algorithms/solver.h"
#include <stdio.h>

struct tree;

/* An empty tree of at most `max` nodes. `solver` is the short form. */
struct tree *tree_start(uint64_t max, const char *solver, bool informed);

/* What the observer of the search calls; `context` is the tree. */
bool tree_sees(void *context, const struct event *event);

/* Writes the tree with the path of the result marked. */
void tree_write_dot(struct tree *tree, const struct result *result, FILE *file);
void tree_write_svg(struct tree *tree, const struct result *result, FILE *file);

void tree_end(struct tree *tree);
