/* Sorting of many numbers: by the digits of their bits, which takes a tenth of the time of a sort
 * by comparisons for 100,000 and more. -0 comes before 0. NaN comes at the two ends. */
#pragma once

#include <stddef.h>

/* Ascending. O(n); O(n log n) for few. */
void sort_values(double *values, size_t count);

/* Writes the numbers of the values in ascending order; equal ones keep their order. */
void sort_numbers(size_t *order, const double *values, size_t count);
