/* The tables of a comparison as people read them, one function each: for `tilelab compare --full`,
 * in every format. Solvers have their labels. The first column, hidden from people, is the block's
 * name. */
#pragma once

#include "harness/analysis/by_depth.h"
#include "harness/analysis/pairs.h"
#include "harness/analysis/standings.h"
#include "harness/analysis/summary.h"
#include "harness/analysis/trends.h"

/* A table that begins with the block and, where there is a row a solver, with that. */
struct tidy view_start(bool by_solver);

/* How runs ended, medians in which an unsolved run is more than any, and verdicts: columns, and the
 * rows of a block; `pairs` may have none. Once all rows are added, overview_rank sets which columns
 * a narrow terminal leaves out first. */
struct tidy overview_start(const struct results *results, enum metric metric);
void overview_add(struct tidy *overview, const struct summary *summary, const struct pairs *pairs,
                  enum metric metric, const struct results *results);
void overview_rank(struct tidy *overview, const struct results *results, enum metric metric);

/* Other metrics that were asked for: their medians and verdicts, as in the overview. Nothing is
 * added where there are none. */
struct tidy other_metrics_start(const bool metrics[METRICS]);
void other_metrics_add(struct tidy *others, const struct summary *summary,
                       const struct pairs *pairs, const bool metrics[METRICS],
                       const struct results *results);

/* expect.csv (table_start(TABLE_EXPECT)): every cell, or those alone that differ. */
struct tidy expect_view(const struct results *results, const struct tidy *expect, bool differing);

/* Every pair of solvers, one per line. */
struct tidy all_pairs_start(void);
void all_pairs_add(struct tidy *table, const struct pairs *pairs, enum metric metric,
                   const struct results *results);

/* Each solver against the baseline: wins, ratios, Wilcoxon's test; and its effect sizes. */
struct tidy pairs_view(const struct pairs *pairs, enum metric metric,
                       const struct results *results);
struct tidy effects_view(const struct pairs *pairs, enum metric metric,
                         const struct results *results);

/* All solvers side by side, and the virtual best solver. */
struct tidy standings_view(const struct standings *standings, const struct block *block,
                           const struct results *results);

/* The tests of all solvers at once: Friedman's, Iman and Davenport's, the log-rank test; and
 * Nemenyi's critical difference of ranks. No rows for fewer than two solvers and for whole
 * populations. */
struct tidy tests_view(const struct standings *standings, const struct block *block);

/* The factor by which a metric grows with each move of the optimal length, or each 1 of its cost,
 * on boards of each size; solvers with fewer than two such instances have no row. */
struct tidy growth_view(const struct results *results, const struct by_depth *by_depth,
                        enum metric metric);
