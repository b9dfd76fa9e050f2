/* Random boards near the goal, with a known probability: each arrangement of the tiles, solvable or
 * not, is drawn with a probability proportional to b^-m, m its Manhattan distance.
 *
 * Means of what falls like b^-h are sums of very rare boards: of uniform 15-puzzles, less than one
 * in a million has an h so low that it matters. Here those come often, and what a board counts is
 * divided by how often it comes (importance sampling).
 *
 * The sum over all arrangements of a product with one factor for each tile is a permanent. It is
 * found over the sets of cells that the first tiles take: 2^cells sums of numbers that are all
 * positive, so no digit cancels (Ryser's formula would need fewer numbers and lose digits). Drawing
 * goes the same way back, tile by tile. */
#pragma once

#include "puzzle/board.h"
#include <gsl/gsl_rng.h>

enum { MAX_TILTED_CELLS = 25 }; /* 2^25 numbers of 8 bytes: 256 MiB */

struct tilted {
    struct board goal;
    double base;                         /* b */
    double factor[MAX_CELLS][MAX_CELLS]; /* b^-m of a tile on a cell; 1 for the blank */
    double *sums;                        /* owned; by set of cells */
    double log_sum;                      /* natural logarithm of the sum over all arrangements */
    double log_boards;                   /* and of the number of those that are solvable */
};

/* Prepares drawing; tilted_end frees it. The goal has MAX_TILTED_CELLS cells at most, b > 1. */
void tilted_make(const struct board *goal, double base, struct tilted *tilted);
void tilted_end(struct tilted *tilted);

/* Draws an arrangement. Returns whether it can reach the goal. */
bool tilted_draw(const struct tilted *tilted, gsl_rng *generator, struct board *board);

/* The mean of b^-m over all boards that can reach the goal, exact but for rounding. Of all
 * arrangements, the sum is the permanent; those that cannot reach the goal count negative in the
 * determinant where the blank's row is -1 on the cells of the other colour (Johnson and Story). So
 * half of the two together is the sum wanted. */
double tilted_mean(const struct tilted *tilted);
