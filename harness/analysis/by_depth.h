/* Means by optimal solution length, laid out as figure 3.26 of Russell and Norvig, 4th edition: a
 * row for each length, the search cost of every solver, then its effective branching factor.
 *
 * Boards of different sizes have rows of their own: their costs have no common mean. An instance
 * belongs to the row of its size and its column optimal_length; those without are left out and
 * counted. As in the figure, the effective branching factor is that of the mean of generated at the
 * row's length, whatever longer solutions a solver may have found. A cell is over the solved
 * instances, and says so where that is not all of them. */
#ifndef HARNESS_ANALYSIS_BY_DEPTH_H
#define HARNESS_ANALYSIS_BY_DEPTH_H

#include "harness/analysis/results.h"
#include "harness/text/tidy.h"
#include <stdio.h>

struct depth_cell {
    size_t instances, solved; /* attempted, solved */
    double mean[METRICS];     /* NaN where none was solved */
    double branching;
};

struct depth_row {
    long width, height, length;
};

struct by_depth {
    struct depth_row *rows; /* ascending by size, then by length */
    size_t count;
    struct depth_cell *cells; /* by row * solvers + solver */
    size_t solvers;
    size_t left_out; /* instances without an optimal length */
};

struct by_depth by_depth_of(const struct results *results);
void by_depth_print(const struct by_depth *by_depth, const struct results *results, FILE *file);
struct tidy by_depth_tidy(const struct by_depth *by_depth, const struct results *results);
void by_depth_end(struct by_depth *by_depth);

#endif
