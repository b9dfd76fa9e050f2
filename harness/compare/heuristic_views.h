/* The tables of `tilelab compare --full` on heuristics: how near they are to the true distances,
 * and the boards on which a better one expands more. As in views.h, the first column, hidden from
 * people, is the block's name. */
#pragma once

#include "harness/analysis/anomalies.h"
#include "harness/analysis/by_depth.h"
#include "harness/analysis/trends.h"

/* The heuristics that there are, by their values at the starts; and by length. */
struct tidy heuristics_view(const struct results *results, const struct block *block);
struct tidy h_view(const struct results *results, const struct by_depth *by_depth);

/* Boards on which a better heuristic expands more: how many for each pair, and which, at most
 * `most` of them. */
struct tidy better_view(const struct anomalies *anomalies, const struct results *results,
                        const struct block *block);
struct tidy anomalies_view(const struct anomalies *anomalies, const struct results *results,
                           const struct block *block, size_t most);
