/* Solutions as they improve: what the runs of solvers had found, and when. */
#pragma once

#include "harness/analysis/run_numbers.h"

/* The columns of incumbents.csv that are read, in the order of run_numbers_row.value. */
enum { AT_WALL_S, AT_EXPANDED, AT_GENERATED, AT_COST, AT_VERIFIED };

/* The column of a metric; negative: they do not have it. */
int improvement_column(enum metric metric);

/* The tables beside results that have rows of runs: by row of rounds.csv round, expanded and
 * generated; of incumbents.csv wall_s, expanded, generated, cost and verified. A zeroed one is
 * empty. */
struct side_numbers {
    struct run_numbers rounds, incumbents;
};

/* Adds what the incumbents.csv and, if they are wanted, the rounds.csv beside a result have, where
 * there are such. False, with messages to `errors`, where one is wrong. */
bool side_numbers_read(struct side_numbers *numbers, const struct results *results,
                       const char *result, bool rounds, FILE *errors);
void side_numbers_end(struct side_numbers *numbers);

/* A solution of a board: what the search had spent until then, and the solution's cost, its length
 * with unit costs. NaN: not known. */
struct improvement {
    size_t board; /* in the block */
    double at[RUN_NUMBERS];
};

/* The solutions of a solver on the boards of a block, each board's in the order in which they were
 * found; where it solved a board, its solution is the last. Without claims, unless they count as
 * solved. Of several repetitions those of the run that the outcome names. Heap memory, free(). */
struct improvement *improvements_of(const struct results *results,
                                    const struct run_numbers *incumbents, const struct block *block,
                                    size_t solver, size_t *count);

/* By board of the block: the optimal cost, or that of the cheapest solution of all solvers;
 * INFINITY: there is none. Heap memory. */
double *improvements_cheapest(const struct results *results, const struct run_numbers *incumbents,
                              const struct block *block);
