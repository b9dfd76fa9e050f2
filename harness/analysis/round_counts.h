/* What each round of a search that deepens counted: the rows of a rounds.csv whose runs are in the
 * results. */
#ifndef HARNESS_ANALYSIS_ROUND_COUNTS_H
#define HARNESS_ANALYSIS_ROUND_COUNTS_H

#include "harness/analysis/results.h"

struct round_count {
    size_t run; /* its number in the results */
    double round, expanded, generated;
};

/* A zeroed one is empty. */
struct round_counts {
    struct round_count *rows;
    size_t count;
};

/* Adds those of a file with the columns run_id, round, expanded and generated. False, with problems
 * in the report, where it cannot be read; a torn last row is left out. */
bool round_counts_read(struct round_counts *rounds, const struct results *results, const char *file,
                       struct report *report);
void round_counts_end(struct round_counts *rounds);

#endif
