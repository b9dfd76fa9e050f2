#include "harness/analysis/dominance.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include <math.h>

/* A sorted copy; NULL when it would be empty or holds a NaN. */
static double *sorted_copy(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            return NULL;
    }
    if (count == 0)
        return NULL;
    double *copy = heap_take(count, sizeof *copy);
    memcpy(copy, values, count * sizeof *copy);
    sort_values(copy, count);
    return copy;
}

double cliffs_delta(const double *a, size_t a_count, const double *b, size_t b_count)
{
    SCOPED double *x = sorted_copy(a, a_count);
    SCOPED double *y = sorted_copy(b, b_count);
    double delta = NAN;
    if (x != NULL && y != NULL) {
        size_t below = 0; /* values of b below x[i], and up to it */
        size_t up_to = 0;
        double above = 0; /* pairs: a larger less b larger; whole */
        for (size_t i = 0; i < a_count; i++) {
            while (below < b_count && y[below] < x[i])
                below++;
            while (up_to < b_count && y[up_to] <= x[i])
                up_to++;
            above += (double)below - (double)(b_count - up_to);
        }
        delta = above / ((double)a_count * (double)b_count);
    }
    return delta;
}

double vargha_delaney(const double *a, size_t a_count, const double *b, size_t b_count)
{
    return (1 + cliffs_delta(a, a_count, b, b_count)) / 2;
}
