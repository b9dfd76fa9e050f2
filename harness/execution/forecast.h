/* The processor time that an experiment is expected to take, from the nodes that references hold
 * (tilelab plan).
 *
 * A cell of a reference by instance that says how many nodes a solver expands or generates on a
 * board is such a count. Where a solver has none for a board, its count is that of the solver with
 * the most counts, times the ratio of their sums over the boards that have both. That is a guess
 * from few boards: the smallest and largest ratio of a single board say how good it is. Nodes a
 * second are measured: the solver searches, for so long, the board with the most nodes. */
#pragma once

#include "harness/results/reference.h"
#include "harness/text/ending.h"

/* What is expected of a solver. NaN: not known. */
struct forecast_solver {
    const char *counted;   /* "expanded" or "generated"; NULL: no reference has one */
    size_t known, guessed; /* boards with a count, in a reference or not; others have none */
    double nodes;          /* on these boards together, one repetition */
    double low, high;      /* the same by the smallest and by the largest ratio */
    size_t largest;        /* the board with the most nodes, by its number */
    double rate;           /* nodes a second of processor time */
};

struct forecast {
    const struct experiment *experiment;
    struct forecast_solver *solvers; /* owned; by number */
    bool any;                        /* something is known */
    double measured_seconds;         /* of each solver; 0: there are no rates */
};

/* The experiment must outlive it; forecast_end. */
struct forecast forecast_make(const struct experiment *experiment);
void forecast_end(struct forecast *forecast);

/* Measures the rates of built-in solvers that have counts: builds their tables, searches for so
 * many seconds of processor time. What ended a build, or ENDING_INTERRUPTED. */
enum ending forecast_measure(struct forecast *forecast, double seconds);

/* Prints what is expected, if anything is. */
void forecast_print(FILE *file, const struct forecast *forecast);

/* A new reference: an array, empty if nothing is expected. */
json_t *forecast_json(const struct forecast *forecast);
