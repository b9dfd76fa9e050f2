/* The result of a comparison as a sentence that can be read aloud. */
#ifndef REPORT_SENTENCE_H
#define REPORT_SENTENCE_H

#include "harness/analysis/pairs.h"

/* One solver against the baseline, without a full stop: "a expands 6.4 times fewer nodes than b
 * [5.5, 7.4], on 200 of 200 boards both solved, better on 175, never worse, p < 1e-29 (Holm over
 * 5)". To be freed. */
char *sentence_of(const struct pairs *pairs, const struct pair *pair,
                  const struct results *results);

#endif
