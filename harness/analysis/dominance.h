/* How often a value of one group is above a value of another: effect sizes for groups that are not
 * paired. Values may be infinite (unsolved runs: two of them tie). NaN when a group is empty or
 * holds a NaN. O((n + m) log (n + m)). */
#pragma once

#include <stddef.h>

/* Vargha and Delaney's A12: the chance that a value drawn from a is larger than one from b, ties
 * counted half; 0.5 where neither tends to be larger. Of costs, below 0.5 speaks for a. Source: A
 * Critique and Improvement of the CL Common Language Effect Size Statistics of McGraw and Wong,
 * Journal of Educational and Behavioral Statistics 25 (2000). */
double vargha_delaney(const double *a, size_t a_count, const double *b, size_t b_count);

/* Cliff's delta: the share of pairs in which a is larger less the share in which b is, -1 to 1; it
 * is 2 A12 - 1. Source: Dominance Statistics: Ordinal Analyses to Answer Ordinal Questions,
 * Psychological Bulletin 114 (1993). */
double cliffs_delta(const double *a, size_t a_count, const double *b, size_t b_count);
