/* Ranks of values: 1 for the smallest, equal values share the mean of their ranks ("midranks").
 *
 * Ranks are kept doubled, so that they are whole numbers. Infinite values have ranks like all
 * others; NaN has none and must not be given. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Writes twice the rank of values[i] into ranks[i]. Values are equal when == says so. Returns the
 * sum of t^3 - t over the groups of t equal values, which corrections for ties use. O(n log n). */
double doubled_ranks(const double *values, size_t count, size_t *ranks);

struct point {
    double x, y;
};

/* For qsort: by x, and by y where x is equal. */
int compare_points(const void *a, const void *b);

/* A value that stands for `weight` equal ones. */
struct weighed {
    double value;
    uint64_t weight;
};

/* How many pairs are the wrong way round: i < j with values[i] > values[j]. Sorts `values`, by
 * merging the ascending runs it finds: O(n log runs). Source: Knight, A Computer Method for
 * Calculating Kendall's Tau with Ungrouped Data, JASA 61 (1966). */
uint64_t inversions(struct weighed *values, size_t count);
