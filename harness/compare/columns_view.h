/* The table of `tilelab compare --columns`: columns of summary.csv that the reader names. */
#pragma once

#include "harness/analysis/summary.h"

/* The first of these names, divided by commas, that is no column of summary.csv; NULL: each is.
 * `expanded` is short for expanded_median_all, and stretch, as it has no such, for stretch_median.
 * extra.NAME and extra.NAME_mean are columns, too, and become metrics. Heap memory, free(). */
char *columns_unknown(const char *columns);

/* The names that columns_unknown knows, for a message. Heap memory, free(). */
char *columns_listed(void);

/* What summary.csv has of other metrics, of the metrics extra.NAME: the figures of a solver in a
 * block. */
enum { EXTRA_FIGURES = 6 };
struct extra_columns {
    double value[MAX_EXTRAS][EXTRA_FIGURES];
};

/* Adds them, row by row as summary_add does; free(*extras). */
void columns_add_extras(struct extra_columns **extras, size_t *rows, const struct summary *summary);

/* These columns of the filled table TABLE_SUMMARY, as people see them, a row a solver in a block.
 * Each heading says whether it is a median, a mean, ..; what is over the solved boards alone is
 * marked (147/150) where some are not, and ? where some are unverified. As in views.h the first
 * column is the block's name. */
struct tidy columns_view(const struct tidy *summary, const struct extra_columns *extras,
                         const struct results *results, const char *columns);
