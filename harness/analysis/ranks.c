#include "harness/analysis/ranks.h"
#include "base/heap.h"
#include "harness/analysis/order.h"
#include "harness/text/sorting.h"

double doubled_ranks(const double *values, size_t count, size_t *ranks)
{
    SCOPED size_t *order = heap_take(count, sizeof *order);
    double tied = 0;
    sort_numbers(order, values, count);
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && values[order[end]] == values[order[start]]; end++)
            ;
        const double group = (double)(end - start);
        tied += group * group * group - group;
        for (size_t i = start; i < end; i++)
            ranks[order[i]] = start + 1 + end;
    }
    return tied;
}

int compare_points(const void *a, const void *b)
{
    const struct point *p = a;
    const struct point *q = b;
    return p->x != q->x ? ORDER(p->x, q->x) : ORDER(p->y, q->y);
}

/* Where the ascending run that begins at `start` ends. */
static size_t run_end(const struct weighed *values, size_t count, size_t start)
{
    size_t end = start + 1;
    while (end < count && values[end - 1].value <= values[end].value)
        end++;
    return end;
}

uint64_t inversions(struct weighed *values, size_t count)
{
    SCOPED struct weighed *merged = heap_take(count, sizeof *merged);
    uint64_t found = 0;
    while (count > 0 && run_end(values, count, 0) < count) {
        for (size_t start = 0; start < count;) {
            const size_t middle = run_end(values, count, start);
            const size_t end = middle < count ? run_end(values, count, middle) : middle;
            size_t left = start;
            size_t right = middle;
            uint64_t weight = 0; /* of what is left on the left */
            for (size_t i = start; i < middle; i++)
                weight += values[i].weight;
            for (size_t i = start; i < end; i++) {
                if (right == end || (left < middle && values[left].value <= values[right].value)) {
                    weight -= values[left].weight;
                    merged[i] = values[left++];
                } else {
                    found += weight * values[right].weight;
                    merged[i] = values[right++];
                }
            }
            start = end;
        }
        memcpy(values, merged, count * sizeof *values);
    }
    return found;
}
