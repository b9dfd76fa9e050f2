#include "harness/analysis/multiplicity.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include <math.h>

/* What the i-th smallest of m (i from 0) is multiplied by. */
static double factor_of(enum correction correction, size_t i, size_t m)
{
    return correction == CORRECTION_BENJAMINI_HOCHBERG ? (double)m / (double)(i + 1)
                                                       : (double)(m - i);
}

void adjust(enum correction correction, const double *p, size_t count, double *adjusted)
{
    SCOPED double *known = heap_take(count, sizeof *known);
    SCOPED size_t *order = heap_take(count, sizeof *order);
    SCOPED size_t *place = heap_take(count, sizeof *place);
    size_t m = 0;
    for (size_t i = 0; i < count; i++) {
        adjusted[i] = NAN;
        if (!isnan(p[i])) {
            place[m] = i;
            known[m++] = p[i];
        }
    }
    sort_numbers(order, known, m);
    double bound = correction == CORRECTION_HOLM ? 0 : 1;
    for (size_t step = 0; step < m; step++) {
        const size_t i = correction == CORRECTION_HOLM ? step : m - 1 - step; /* down or up */
        const double scaled = fmin(1, factor_of(correction, i, m) * known[order[i]]);
        bound = correction == CORRECTION_HOLM ? fmax(bound, scaled) : fmin(bound, scaled);
        adjusted[place[order[i]]] = bound;
    }
}
