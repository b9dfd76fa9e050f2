/* Published cells held against results: a verdict a cell.
 *
 * A cell by instance is a value of a solver on a board, one by depth or by solver a cell of
 * by_depth.csv or summary.csv. It is measured where the solver solved all the boards that the cell
 * is over (by instance also where it searched a space to its end, `exhausted`); a cell of which
 * runs are missing or hit a limit is "not measured", and never agrees. A column that says how runs
 * ended, or a finite median `_all`, needs only that all boards were tried.
 *
 * The mean over a sample of boards is held against a mean over another sample. With ours m over n
 * boards of standard deviation s, and theirs over N of standard deviation S, the published mean
 * should lie within
 *
 *     m +- q sqrt(s^2 / n + S^2 / N), and the cell's tolerance more.
 *
 * Where S is not published it is taken to be s, as both samples are of one population: q is then a
 * quantile of Student's t with n - 1 degrees of freedom, otherwise with Welch's. Where ours is the
 * whole population, s^2 / n is 0 and q is normal. An effective branching factor of by_depth.csv is
 * that of a mean of nodes: its interval has the factors of the ends of that mean's. Each of the K
 * cells of a reference that have an interval gets it at 1 - (1 - level) / K (Bonferroni), so that
 * all hold together with the chance `level` (99 % unless the experiment says otherwise) if the
 * results agree, whatever the dependence between cells. Source: Welch, The Generalization of
 * Student's Problem, Biometrika 34 (1947). */
#pragma once

#include "harness/analysis/results.h"
#include "harness/analysis/statistics.h"
#include "harness/results/reference.h"

enum expect_verdict {
    EXPECT_EQUAL,
    EXPECT_WITHIN,
    EXPECT_SLIP,
    EXPECT_DIFFERS,
    EXPECT_NOT_MEASURED,
    EXPECT_VERDICTS
};
extern const char *const expect_verdict_names[EXPECT_VERDICTS];

/* How many cells of a reference have each verdict. Of those that were not measured: how many are of
 * solvers without a row, and of runs that such solvers as have some did not make. */
struct expect_counts {
    size_t cells, by_verdict[EXPECT_VERDICTS], of_solvers, of_runs;
    size_t recalled;      /* of those that agree */
    struct names lacking; /* the solvers without a row, as the reference names them */
    const char **notes;   /* owned; by number of these: the reference's note on its first cell */
};
void expect_counts_end(struct expect_counts *counts);

/* Adds a row for each cell to `tidy` (table_start(TABLE_EXPECT)); `tables` has by_depth.csv and
 * summary.csv, by enum table. The counts, to be ended with expect_counts_end, point
 * into the reference. */
struct expect_counts expect_add(struct tidy *tidy, const struct reference *reference,
                                const struct results *results, const struct tidy *tables);

/* Two means: ours over n boards, theirs over N (sd NaN: as ours). */
struct two_means {
    double mean, sd, boards, their_sd, their_boards;
    bool whole; /* ours is over the whole population */
};

/* Where their mean should lie, with the chance `level`. NaN below three boards, unless whole. */
struct interval expect_interval(const struct two_means *means, double level);
