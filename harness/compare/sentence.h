/* The result of a comparison as a sentence that can be read aloud. */
#pragma once

#include "harness/analysis/pairs.h"

/* One solver against the baseline, without a full stop: "a expands 6.4 times fewer nodes than b
 * [5.5, 7.4], on 200 of 200 boards both solved, better on 175, never worse, p < 1e-29 (Holm over
 * 5)". To be freed. */
char *sentence_of(const struct pairs *pairs, const struct pair *pair,
                  const struct results *results);

/* Its beginning, without the interval, for a pair of which one is known to need less. To be freed.
 */
char *claim_of(const struct pair *pair, const struct results *results);

/* "fewer nodes", "more nodes": what there is less or more of. */
const char *metric_more_or_less(enum metric metric, bool more);

/* The same for a table: "6.4x fewer [5.5, 7.4]", "at least 10x more", "cannot be said"; followed by
 * "*" if only one of the two tried some boards, by "?" if runs are unverified. Heap memory, free().
 */
char *verdict_of(const struct pair *pair);

/* What verdicts on a metric call more and less of it: "longer", "shorter". */
const char *more_or_less(enum metric metric, bool more);
