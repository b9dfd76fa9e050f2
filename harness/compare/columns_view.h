/* The table of `tilelab compare --columns`: columns of summary.csv that the reader names. */
#pragma once

#include "harness/analysis/summary.h"

/* The first of these names, divided by commas, that is no column of summary.csv; NULL: each is.
 * `expanded` is short for expanded_median_all, and stretch, as it has no such, for stretch_median.
 * extra.NAME and extra.NAME_mean are columns, too, and become metrics. Heap memory, free(). */
char *columns_unknown(const char *columns);

/* The first of these names that comes again; NULL: none does. Heap memory, free(). */
char *columns_repeated(const char *columns);

/* The names that columns_unknown knows, for a message. Heap memory, free(). */
char *columns_listed(void);

/* What else a row of the table needs: what summary.csv has of other metrics, of the metrics
 * extra.NAME, and what its figures are marked by. */
enum { EXTRA_FIGURES = 6 };
struct extra_columns {
    const struct block *block;
    double value[MAX_EXTRAS][EXTRA_FIGURES];
    size_t impossible; /* rows: with counters that no search can count */
    size_t most;       /* of the block's instances, the most that one of its solvers tried */
};

/* Adds them, row by row as summary_add does; free(*extras). */
void columns_add_extras(struct extra_columns **extras, size_t *rows, const struct summary *summary);

/* These columns of the filled table TABLE_SUMMARY, as people see them, a row a solver in a block.
 * Each heading says whether it is a median, a mean, ..; what is over the solved boards alone is
 * marked (147/150) where some that any solver tried are not, a median over all tried * where it did
 * not try all, and ? where runs are unverified or their counters impossible. As in views.h the
 * first column is the block's name. */
struct tidy columns_view(const struct tidy *summary, const struct extra_columns *extras,
                         const struct results *results, const char *columns);
