/* Means by optimal solution length, laid out as figure 3.26 of Russell and Norvig, 4th edition: a
 * row for each length, the search cost of every solver, then its effective branching factor. Where
 * moves cost different amounts, hardly two boards have the same optimal cost: rows are then bins of
 * optimal costs, all of the same width, and there is no branching factor.
 *
 * Boards of different sizes and models of costs have separate rows: a common mean of their costs
 * means nothing. An instance belongs to the row of its size and its optimum; those of which it is
 * not known are left out and counted. As in the figure, the effective branching factor is that of
 * the mean of generated at the row's length, even if a solver found longer solutions. A cell covers
 * the solved instances, and says so if these are not all or if some are unverified. */
#pragma once

#include "harness/analysis/results.h"
#include "harness/analysis/statistics.h"

struct depth_cell {
    size_t instances, solved;     /* attempted, solved */
    size_t unverified;            /* of the solved: with an unverified run */
    size_t drifted;               /* likewise: with times beside control runs that drifted */
    size_t impossible;            /* likewise: with counters that no search can count */
    struct spread value[METRICS]; /* over the solved instances that have one */
    double branching;
    /* As Russell and Norvig count: generated - 1 + expanded - 1. */
    struct spread with_parent;
    double branching_with_parent;
    struct spread h_start; /* none where some of the solved do not say theirs */
};

struct depth_row {
    long width, height;
    enum cost_model model;
    double from, below; /* of optima; of unit costs `from` is the length */
};

/* Where figures draw the optima of a block's boards: lengths where they are, costs in the middle of
 * their bins. */
struct optimum_places {
    enum cost_model model;
    double width; /* of the bins */
};
struct optimum_places optimum_places_of(const struct results *results, const struct block *block);

/* The place of a board; NaN where its optimum is not known, or its moves cost otherwise than those
 * of the block's first board. */
double optimum_place(const struct optimum_places *places, const struct known_instance *known);

struct by_depth {
    const struct block *block;
    struct depth_row *rows; /* ascending by size, then by length */
    size_t count;
    struct depth_cell *cells; /* by row * solvers + solver */
    size_t solvers;
    size_t unknown;    /* instances left out: their optimum is not known */
    size_t unsolvable; /* instances left out: they cannot be solved */
};

struct by_depth by_depth_of(const struct results *results, const struct block *block);

/* Whether all rows are of one size and model; and the name of a row: "20", or else "3x3 20"; of a
 * bin "[20, 25)", or else "3x3 heavy [20, 25)". To be freed. */
bool by_depth_one_size(const struct by_depth *by_depth);
char *by_depth_name(const struct by_depth *by_depth, size_t row);

/* The figure: a row for each length, the mean of a metric of each solver and, of generated, its b*.
 * Where the solvers are more than the lengths, a row for each solver. */
struct tidy by_depth_figure(const struct by_depth *by_depth, const struct results *results,
                            enum metric metric);

/* Adds the rows of a block to the table for programs (table_start(TABLE_BY_DEPTH)). */
void by_depth_add(struct tidy *tidy, const struct by_depth *by_depth,
                  const struct results *results);
void by_depth_end(struct by_depth *by_depth);
