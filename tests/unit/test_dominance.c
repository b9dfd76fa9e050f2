/* Vargha and Delaney's A12 and Cliff's delta against R and against all pairs. */
#include "harness/analysis/dominance.h"
#include "tests/unit/numbers.h"

TEST(test_r)
{
    /* mean(outer(a, b, ">") + 0.5 * outer(a, b, "==")) */
    static const double a[] = {3, 1, 4, 1, 5, 9, 2, 6};
    static const double b[] = {2, 7, 1, 8, 2, 8};
    EXPECT(vargha_delaney(a, 8, b, 6), 0.4375, 1e-15);
    EXPECT(cliffs_delta(a, 8, b, 6), -0.125, 1e-15);
    EXPECT(vargha_delaney(b, 6, a, 8), 0.5625, 1e-15);
}

TEST(test_all_pairs)
{
    uint64_t random = 1;
    for (int round = 0; round < 200; round++) {
        double a[60], b[60];
        const size_t m = 1 + (size_t)(next_random(&random) * 60);
        const size_t n = 1 + (size_t)(next_random(&random) * 60);
        for (size_t i = 0; i < 60; i++) {
            a[i] = next_random(&random) < 0.1 ? INFINITY : floor(next_random(&random) * 20);
            b[i] = next_random(&random) < 0.1 ? INFINITY : floor(next_random(&random) * 25);
        }
        double delta = 0;
        for (size_t i = 0; i < m; i++) {
            for (size_t j = 0; j < n; j++)
                delta += (a[i] > b[j]) - (a[i] < b[j]);
        }
        EXPECT(cliffs_delta(a, m, b, n), delta / (double)(m * n), 1e-15);
        EXPECT(vargha_delaney(a, m, b, n), 0.5 + delta / (double)(2 * m * n), 1e-15);
    }
}

TEST(test_edges)
{
    static const double one[] = {1};
    static const double two[] = {2, 2};
    static const double missing[] = {1, NAN};
    assert_true(cliffs_delta(one, 1, two, 2) == -1 && vargha_delaney(one, 1, two, 2) == 0);
    assert_true(cliffs_delta(two, 2, two, 2) == 0 && vargha_delaney(two, 2, two, 2) == 0.5);
    assert_true(isnan(cliffs_delta(one, 0, two, 2)) && isnan(cliffs_delta(one, 1, two, 0)));
    assert_true(isnan(vargha_delaney(missing, 2, two, 2)));
    assert_true(isnan(vargha_delaney(two, 2, missing, 2)));
}
