/* The Hodges-Lehmann estimate and its interval against R, against all Walsh averages, and against
 * the test that the interval belongs to. */
#include "harness/analysis/hodges_lehmann.h"
#include "harness/analysis/signed_rank.h"
#include "tests/unit/numbers.h"
#include <gsl/gsl_sort.h>

TEST(test_r)
{
    /* w <- wilcox.test(f(n), conf.int = TRUE, exact = TRUE); c(w$estimate, w$conf.int); for 301 the
     * same from sort of all Walsh averages d: median(d), d[q], d[301 * 151 + 1 - q] with q <-
     * qsignrank(0.025, 301), as f(301) has ties */
    static const struct {
        size_t count;
        double estimate, low, high;
    } cases[] = {
        {1, 54.5, NAN, NAN},         {2, 44.9375, NAN, NAN},
        {5, 16.25, NAN, NAN}, /* R gives its widest interval, of less than 95 % */
        {6, 6.6875, -41.125, 54.5},  {51, 12, 0.75, 21.9375},
        {301, 10.875, 6.5, 15.0625},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double d[301];
        fill_f(d, cases[i].count);
        const struct hodges_lehmann result = hodges_lehmann(d, cases[i].count);
        EXPECT(result.estimate, cases[i].estimate, 1e-15);
        EXPECT(result.interval.low, cases[i].low, 1e-15);
        EXPECT(result.interval.high, cases[i].high, 1e-15);
    }
}

/* The k-th average from the large end of all, as the definition has it. Mixed averages of infinite
 * ones count as `open`. */
TEST(test_all_averages)
{
    uint64_t random = 11;
    for (int round = 0; round < 300; round++) {
        double d[40], averages[2][820];
        const size_t count = 1 + (size_t)(next_random(&random) * 40);
        const double range = round % 2 == 0 ? 4 : 1e6;
        for (size_t i = 0; i < count; i++) {
            d[i] = floor((next_random(&random) - 0.4) * range);
            if (round % 3 == 0 && next_random(&random) < 0.15)
                d[i] = next_random(&random) < 0.7 ? INFINITY : -INFINITY;
        }
        size_t all = 0;
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i; j < count; j++, all++) {
                const double average = d[i] / 2 + d[j] / 2;
                averages[0][all] = isnan(average) ? -INFINITY : average;
                averages[1][all] = isnan(average) ? INFINITY : average;
            }
        }
        double middle[2];
        for (int side = 0; side < 2; side++) {
            gsl_sort(averages[side], 1, all);
            const double lower = averages[side][(all - 1) / 2];
            const double upper = averages[side][all / 2];
            middle[side] = lower == upper ? lower : lower / 2 + upper / 2;
        }
        const struct hodges_lehmann result = hodges_lehmann(d, count);
        EXPECT(result.estimate, middle[0] == middle[1] ? middle[0] : NAN, 1e-15);
        if (count < 6) {
            assert_true(isnan(result.interval.low) && isnan(result.interval.high));
            continue;
        }
        /* the interval leaves out as many averages on either side as the test rejects sums */
        size_t k = 0;
        double signs[40];
        for (bool rejects = true; rejects; k++) { /* losses whose ranks sum to k */
            size_t left = k;
            for (size_t rank = count; rank > 0; rank--) {
                signs[rank - 1] = rank <= left ? -(double)rank : (double)rank;
                left -= rank <= left ? rank : 0;
            }
            rejects = signed_rank_test(signs, count, ZEROS_DROPPED).p <= 0.05;
        }
        EXPECT(result.interval.low, averages[0][k - 2], 0);
        EXPECT(result.interval.high, averages[1][all + 1 - k], 0);
    }
}

/* Above 300 differences the quantile is approximated: it is that of R, qsignrank(0.025, n), to the
 * rank. No two averages of square roots with these signs are the same. */
TEST(test_approximate_quantile)
{
    static const size_t quantiles[][2] = {{300, 19629}, {301, 19765}, {400, 35567}, {1000, 232347}};
    SCOPED double *averages = calloc(1000 * 1001 / 2, sizeof *averages);
    for (size_t k = 0; k < 4; k++) {
        double d[1000];
        const size_t count = quantiles[k][0];
        size_t all = 0;
        for (size_t i = 0; i < count; i++)
            d[i] = i % 3 == 0 ? -sqrt((double)i + 2) : sqrt((double)i + 2);
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i; j < count; j++)
                averages[all++] = 0.5 * d[i] + 0.5 * d[j];
        }
        gsl_sort(averages, 1, all);
        const struct interval interval = hodges_lehmann(d, count).interval;
        assert_true(interval.low == averages[quantiles[k][1] - 1]);
        assert_true(interval.high == averages[all - quantiles[k][1]]);
        assert_true(averages[quantiles[k][1] - 2] < interval.low);
        assert_true(averages[quantiles[k][1]] > interval.low);
    }
}

/* Without ties, zero is outside the interval just when the test rejects it. */
TEST(test_belongs)
{
    uint64_t random = 5;
    int rejected = 0;
    static const size_t counts[] = {6, 9, 51, 300, 301, 500};
    for (size_t round = 0; round < 600; round++) {
        double d[500];
        const size_t count = counts[round % 6];
        const double shift = next_random(&random) * 1.5 / sqrt((double)count);
        for (size_t i = 0; i < count; i++)
            d[i] = next_random(&random) - 0.5 + shift;
        const struct interval interval = hodges_lehmann(d, count).interval;
        const bool outside = interval.low > 0 || interval.high < 0;
        assert_true(outside == (signed_rank_test(d, count, ZEROS_DROPPED).p <= 0.05));
        rejected += outside;
    }
    assert_true(rejected > 100 && rejected < 500);
}

TEST(test_edges)
{
    static const double equal[] = {3, 3, 3, 3, 3, 3};
    struct hodges_lehmann result = hodges_lehmann(equal, 6);
    assert_true(result.estimate == 3 && result.interval.low == 3 && result.interval.high == 3);
    assert_true(isnan(hodges_lehmann(equal, 0).estimate));
    static const double missing[] = {1, NAN};
    assert_true(isnan(hodges_lehmann(missing, 2).estimate));
    static const double unsolved[] = {INFINITY, INFINITY, INFINITY, INFINITY, 1, 2, 3};
    result = hodges_lehmann(unsolved, 7);
    assert_true(result.estimate == INFINITY && result.interval.high == INFINITY);
    EXPECT(result.interval.low, 2, 0); /* the third smallest average: 1, 1.5, 2 */
}

/* Many differences, in linear memory and no time: the median of the averages of i and -i is 0. */
TEST(test_many)
{
    enum { MANY = 100000 };
    SCOPED double *d = calloc(MANY, sizeof *d);
    for (size_t i = 0; i < MANY; i++)
        d[i] = (double)(i * 7919 % MANY) - (MANY - 1) / 2.0 + 1000;
    const struct hodges_lehmann result = hodges_lehmann(d, MANY);
    EXPECT(result.estimate, 1000, 0);
    /* a uniform distribution of width w: the error of the mean is w / sqrt(12 n), and the
     * estimate's is the same */
    const double error = MANY / sqrt(12.0 * MANY);
    EXPECT(result.interval.high - result.interval.low, 2 * 1.95996 * error, 0.001);
    EXPECT(result.interval.high + result.interval.low, 2000, 1e-12);
}
