/* Sorting by digits against sorting by comparisons. */
#include "harness/analysis/order.h"
#include "tests/unit/numbers.h"

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of all signs and sizes, few and many, with ties and infinities. */
TEST(test_against_comparisons)
{
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 1000, 50000};
    uint64_t seed = 11;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t count = counts[i];
        SCOPED double *values = malloc((count + 1) * sizeof *values);
        SCOPED double *expected = malloc((count + 1) * sizeof *expected);
        SCOPED size_t *order = malloc((count + 1) * sizeof *order);
        for (size_t j = 0; j < count; j++) {
            const double size = exp(1400 * next_random(&seed) - 700);
            const double whole = floor(1000 * next_random(&seed)) - 500;
            values[j] = j % 97 == 5   ? INFINITY
                        : j % 89 == 4 ? -INFINITY
                        : j % 3 == 0  ? whole
                                      : (j % 2 == 0 ? -size : size);
            expected[j] = values[j];
        }
        qsort(expected, count, sizeof *expected, compare);
        sort_numbers(order, values, count);
        for (size_t j = 0; j < count; j++) {
            assert_true(values[order[j]] == expected[j]);
            if (j > 0 && values[order[j]] == values[order[j - 1]])
                assert_true(order[j] > order[j - 1]);
        }
        sort_values(values, count);
        for (size_t j = 0; j < count; j++)
            assert_true(values[j] == expected[j]);
    }
}

TEST(test_what_is_not_a_number_comes_at_the_ends)
{
    double values[] = {3, NAN, -1, -NAN, INFINITY, -INFINITY};
    sort_values(values, 6);
    assert_true(isnan(values[0]) && isnan(values[5]));
    assert_true(values[1] == -INFINITY && values[2] == -1 && values[4] == INFINITY);
}
