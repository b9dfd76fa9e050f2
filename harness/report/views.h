/* The tables of a comparison as people read them, one function each: for `tilelab compare --full`,
 * in every format. Solvers have their labels. The first column, hidden from people, is the block's
 * name. */
#ifndef REPORT_VIEWS_H
#define REPORT_VIEWS_H

#include "harness/analysis/by_depth.h"
#include "harness/analysis/pairs.h"
#include "harness/analysis/standings.h"
#include "harness/analysis/trends.h"

/* Each solver against the baseline: wins, ratios, Wilcoxon's test; and its effect sizes. */
struct tidy pairs_view(const struct pairs *pairs, enum metric metric,
                       const struct results *results);
struct tidy effects_view(const struct pairs *pairs, enum metric metric,
                         const struct results *results);

/* All solvers side by side, and the virtual best solver. */
struct tidy standings_view(const struct standings *standings, const struct block *block,
                           const struct results *results);

/* The factor by which a metric grows with each move of the optimal length; solvers with fewer than
 * two such instances have no row. */
struct tidy growth_view(const struct results *results, const struct block *block,
                        enum metric metric);

/* The heuristics of the solvers that have one, by their values at the starts; and by length. */
struct tidy heuristics_view(const struct results *results, const struct block *block);
struct tidy h_view(const struct results *results, const struct by_depth *by_depth);

#endif
