/* The table of `tilelab compare --full` on solutions that improve. As in views.h, the first column,
 * hidden from people, is the block's name. */
#pragma once

#include "harness/analysis/improvements.h"

/* By solver, medians over the boards that it tried: the time and the nodes until the first solution
 * and until the best one, the best cost (length, with unit costs) over the cheapest known, and the
 * primal integral (Berthold, "Measuring the impact of primal heuristics", Operations Research
 * Letters 41(6), 2013): the time integral, up to the limit of time or to the last solution of all,
 * of the gap 1 - cheapest / cost, which is 1 before the first solution. A board without a solution
 * counts as larger than any but in the last. */
struct tidy improvements_view(const struct results *results, const struct run_numbers *incumbents,
                              const struct block *block);
