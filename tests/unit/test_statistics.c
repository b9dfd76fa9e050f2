/* Every statistic against hand-worked, published or brute-force values. */
#include "harness/analysis/statistics.h"
#include "harness/text/human.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g, expected %.17g +- %g", value, expected, tolerance);
}

/* Repeatable random numbers in [0, 1). */
static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th edition, figure 3.26:
 * solution length, nodes generated (without the root) and effective branching factor of
 * breadth-first search, A* with misplaced tiles and A* with the Manhattan distance. All 36 factors
 * follow from the nodes, to their last digit. */
static void test_branching_published(void **state)
{
    (void)state;
    static const double figure[][7] = {
        {6, 128, 24, 19, 2.01, 1.42, 1.34},
        {8, 368, 48, 31, 1.91, 1.40, 1.30},
        {10, 1033, 116, 48, 1.85, 1.43, 1.27},
        {12, 2672, 279, 84, 1.80, 1.45, 1.28},
        {14, 6783, 678, 174, 1.77, 1.47, 1.31},
        {16, 17270, 1683, 364, 1.74, 1.48, 1.32},
        {18, 41558, 4102, 751, 1.72, 1.49, 1.34},
        {20, 91493, 9905, 1318, 1.69, 1.50, 1.34},
        {22, 175921, 22955, 2548, 1.66, 1.50, 1.34},
        {24, 290082, 53039, 5733, 1.62, 1.50, 1.36},
        {26, 395355, 110372, 10080, 1.58, 1.50, 1.35},
        {28, 463234, 202565, 22055, 1.53, 1.49, 1.36},
    };
    for (size_t row = 0; row < sizeof figure / sizeof *figure; row++) {
        for (size_t i = 0; i < 3; i++) {
            double generated = figure[row][1 + i] + 1;
            expect_near(effective_branching_factor(generated, figure[row][0]), figure[row][4 + i],
                        0.0051);
        }
    }
    /* The book's example in section 3.6.1: depth 5 with 52 nodes gives 1.92. */
    expect_near(effective_branching_factor(53, 5), 1.92, 0.005);
}

/* The factor put back into the polynomial gives the nodes, whatever the depth. */
static void test_branching_inverse(void **state)
{
    (void)state;
    static const double factors[] = {0.001, 0.3, 0.9, 0.9999, 1.0001, 1.01, 1.34, 2, 2.13, 7};
    static const int depths[] = {1, 2, 5, 31, 80, 500};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        for (size_t j = 0; j < sizeof depths / sizeof *depths; j++) {
            double generated = 1;
            double power = 1;
            for (int k = 0; k < depths[j]; k++)
                generated += power *= factors[i];
            if (!isfinite(generated) || generated > 0x1p53)
                continue;
            expect_near(effective_branching_factor(generated, depths[j]), factors[i],
                        1e-9 * factors[i]);
        }
    }
    /* A long solution of a depth-first search: 1 + x, x near 6.5e-4. */
    double b = effective_branching_factor(1000000, 10000);
    double sum = (pow(b, 10001) - 1) / (b - 1);
    expect_near(sum, 1000000, 1e-3);
}

static void test_branching_edges(void **state)
{
    (void)state;
    assert_true(isnan(effective_branching_factor(1, 0)));
    assert_true(isnan(effective_branching_factor(100, 0)));
    assert_true(isnan(effective_branching_factor(0, 5)));
    assert_true(isnan(effective_branching_factor(NAN, 5)));
    assert_true(isnan(effective_branching_factor(5, NAN)));
    assert_true(effective_branching_factor(1, 5) == 0);
    for (int depth = 1; depth < 100; depth++)
        assert_true(effective_branching_factor(depth + 1, depth) == 1);
    expect_near(effective_branching_factor(3, 1), 2, 1e-12);
    expect_near(effective_branching_factor(1.5, 1), 0.5, 1e-12);
    expect_near(effective_branching_factor(2, 2), (sqrt(5) - 1) / 2, 1e-12); /* b + b^2 = 1 */
}

static void test_averages(void **state)
{
    (void)state;
    double odd[] = {5, 1, 9};
    double even[] = {4, 1, 9, 2};
    assert_true(median_of(odd, 3) == 5);
    assert_true(median_of(even, 4) == 3);
    expect_near(mean_of(odd, 3), 5, 1e-12);
    assert_true(isnan(median_of(odd, 0)));
    assert_true(isnan(mean_of(odd, 0)));
}

/* R's f(n): i <- 1:n; ((i * 7919) %% 1009 - 420) / 8 */
static void fill_f(double *values, size_t count)
{
    for (size_t i = 1; i <= count; i++)
        values[i - 1] = ((double)(i * 7919 % 1009) - 420) / 8;
}

static void test_spread(void **state)
{
    (void)state;
    double values[51];
    /* quantile(f(n), type = 7); sd(f(n)) */
    fill_f(values, 10);
    expect_near(sd_of(values, 10), 34.095171640082214, 1e-12);
    struct quartiles quartiles = quartiles_of(values, 10);
    assert_true(quartiles.min == -41.125 && quartiles.lower == -0.03125);
    assert_true(quartiles.median == 21.9375 && quartiles.upper == 43.90625);
    assert_true(quartiles.max == 65.875);
    fill_f(values, 51);
    expect_near(sd_of(values, 51), 35.943375265689724, 1e-12);
    quartiles = quartiles_of(values, 51);
    assert_true(quartiles.lower == -18.625 && quartiles.median == 12.125);
    assert_true(quartiles.upper == 40.8125 && quartiles.max == 73.125);
    expect_near(quantile_of(values, 51, 0.975), 68.59375, 1e-12);

    /* unsolved runs are infinite */
    double unsolved[] = {INFINITY, 2, INFINITY, 1, 3};
    quartiles = quartiles_of(unsolved, 5);
    assert_true(quartiles.median == 3 && quartiles.upper == INFINITY);
    assert_true(quantile_of(unsolved, 4, 0.5) == 2.5); /* 1, 2, 3, infinity */
    assert_true(quantile_of(unsolved, 4, 0.9) == INFINITY);
    assert_true(quantile_of(unsolved, 5, 0.6) == INFINITY);
    double missing[] = {1, NAN, 3};
    assert_true(isnan(quantile_of(missing, 3, 1)) && isnan(quartiles_of(missing, 3).max));
    assert_true(isnan(quantile_of(missing, 0, 0.5)) && isnan(sd_of(missing, 1)));
    double one[] = {7};
    quartiles = quartiles_of(one, 1);
    assert_true(quartiles.min == 7 && quartiles.median == 7 && quartiles.max == 7);
}

static void test_mean_estimate(void **state)
{
    (void)state;
    double values[51], turned[51];
    /* mean(f(n)); t.test(f(n))$conf.int */
    static const double expected[][4] = {
        {3, 35.375, -12.134133737225063, 82.884133737225056},
        {5, 16.25, -21.297025463258283, 53.797025463258279},
        {51, 11.629901960784315, 1.5206647637815758, 21.739139157787051},
    };
    fill_f(values, 51);
    for (size_t i = 0; i < 3; i++) {
        const size_t count = (size_t)expected[i][0];
        const struct estimate estimate = mean_estimate(values, count);
        expect_near(estimate.value, expected[i][1], 1e-12);
        expect_near(estimate.interval.low, expected[i][2], 1e-9);
        expect_near(estimate.interval.high, expected[i][3], 1e-9);
    }
    for (size_t i = 0; i < 51; i++)
        turned[i] = values[i * 20 % 51];
    assert_true(mean_estimate(values, 51).interval.low == mean_estimate(turned, 51).interval.low);
    assert_true(mean_estimate(values, 51).value == mean_estimate(turned, 51).value);

    static const double same[] = {0.1, 0.1, 0.1, 0.1};
    const struct estimate estimate = mean_estimate(same, 4);
    assert_true(estimate.value == 0.1);
    assert_true(estimate.interval.low == 0.1 && estimate.interval.high == 0.1);
    assert_true(mean_estimate(same, 1).value == 0.1 && isnan(mean_estimate(same, 1).interval.low));
    assert_true(isnan(mean_estimate(same, 2).interval.high));
    assert_true(isnan(mean_estimate(same, 0).value));
    static const double missing[] = {1, 2, NAN, 3};
    assert_true(isnan(mean_estimate(missing, 4).value));
    assert_true(isnan(mean_estimate(missing, 4).interval.low));
}

static void test_ratio(void **state)
{
    (void)state;
    static const double a[] = {1, 10, 100};
    static const double b[] = {2, 5, 800};
    expect_near(geometric_mean_ratio(a, b, 3), 0.5, 1e-12); /* (1/2 * 2 * 1/8)^(1/3) */
    expect_near(geometric_mean_ratio(a, a, 3), 1, 1e-12);
    assert_true(isnan(geometric_mean_ratio(a, b, 0)));
}

static void test_bootstrap(void **state)
{
    (void)state;
    /* Two pairs of ratios 1 and 4: the resamples' ratios are 1, 2 and 4 with chances 1/4, 1/2 and
     * 1/4. */
    static const double a[] = {1, 4};
    static const double ones[] = {1, 1, 1, 1, 1};
    struct interval interval = bootstrap_ratio_interval(a, ones, 2, 1);
    expect_near(interval.low, 1, 1e-12);
    expect_near(interval.high, 4, 1e-12);

    /* Five pairs of ratio 1 but one of 32: k draws of it have ratio 2^k, with a binomial(5, 1/5)
     * chance. P(k <= 2) = 0.942 and P(k <= 3) = 0.993, so the upper quantile is 2^3; P(k = 0) =
     * 0.33. */
    static const double one_of_five[] = {1, 1, 32, 1, 1};
    interval = bootstrap_ratio_interval(one_of_five, ones, 5, 1);
    expect_near(interval.low, 1, 1e-12);
    expect_near(interval.high, 8, 1e-9);

    struct interval same = bootstrap_ratio_interval(one_of_five, one_of_five, 5, 1);
    assert_true(same.low == 1 && same.high == 1);
    assert_true(isnan(bootstrap_ratio_interval(a, ones, 1, 1).low));
    assert_true(isnan(bootstrap_ratio_interval(a, ones, 0, 1).high));
}

/* Where pairs are too many to be drawn again and again, the interval is what drawing would give. */
static void test_bootstrap_of_many(void **state)
{
    enum { MANY = BOOTSTRAP_MOST_PAIRS + 1 };
    static double a[MANY];
    static double b[MANY];
    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        a[i] = 1 + (double)(i * i % 1009); /* far from normal: mostly large ratios, some tiny */
        b[i] = 1 + (double)(i * 7 % 13);
    }
    const struct interval drawn = bootstrap_ratio_interval(a, b, MANY - 1, 1);
    const struct interval many = bootstrap_ratio_interval(a, b, MANY, 1);
    const double width = drawn.high - drawn.low;
    assert_true(width > 0);
    assert_true(fabs(many.low - drawn.low) < 0.05 * width);
    assert_true(fabs(many.high - drawn.high) < 0.05 * width);
}

/* Of many pairs the interval is near the mean of the logarithms +- 1.96 standard errors, and the
 * same again with the same seed. */
static void test_bootstrap_large(void **state)
{
    (void)state;
    enum { PAIRS = 2000 };
    static double a[PAIRS];
    static double b[PAIRS];
    uint64_t random = 7;
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        double log_ratio = next_random(&random) + next_random(&random) - 0.5;
        b[i] = 1 + 1000 * next_random(&random);
        a[i] = b[i] * exp(log_ratio);
        sum += log_ratio;
        squares += log_ratio * log_ratio;
    }
    double mean = sum / PAIRS;
    double error = sqrt((squares / PAIRS - mean * mean) / PAIRS);
    struct interval interval = bootstrap_ratio_interval(a, b, PAIRS, 1);
    expect_near(log(interval.low), mean - 1.95996 * error, 0.08 * error);
    expect_near(log(interval.high), mean + 1.95996 * error, 0.08 * error);
    struct interval again = bootstrap_ratio_interval(a, b, PAIRS, 1);
    assert_true(again.low == interval.low && again.high == interval.high);
    struct interval other = bootstrap_ratio_interval(a, b, PAIRS, 2);
    assert_true(other.low != interval.low);
}

/* Twice the rank of difference i among those that are not zero, equal sizes sharing their mean
 * rank. */
static int doubled_rank(const double *differences, size_t count, size_t i)
{
    int rank = 1;
    for (size_t j = 0; j < count; j++) {
        if (differences[j] == 0)
            continue;
        rank += 2 * (fabs(differences[j]) < fabs(differences[i]));
        rank += fabs(differences[j]) == fabs(differences[i]);
    }
    return rank;
}

/* The two-sided p by trying every sign pattern. */
static double wilcoxon_by_force(const double *differences, size_t count)
{
    int ranks[20];
    size_t kept = 0;
    int seen = 0;
    int total = 0;
    for (size_t i = 0; i < count; i++) {
        if (differences[i] == 0)
            continue;
        ranks[kept] = doubled_rank(differences, count, i);
        seen += differences[i] > 0 ? ranks[kept] : 0;
        total += ranks[kept++];
    }
    unsigned long extreme = 0;
    for (unsigned long signs = 0; signs < 1ul << kept; signs++) {
        int sum = 0;
        for (size_t i = 0; i < kept; i++)
            sum += (signs >> i & 1) != 0 ? ranks[i] : 0;
        extreme += abs(2 * sum - total) >= abs(2 * seen - total);
    }
    return (double)extreme / (double)(1ul << kept);
}

static void test_wilcoxon_by_force(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 400; round++) {
        double differences[14];
        size_t count = 1 + (size_t)(next_random(&random) * 14);
        double range = round % 2 == 0 ? 5 : 1e6; /* with many ties and zeros; with few */
        for (size_t i = 0; i < count; i++)
            differences[i] = floor((next_random(&random) - 0.3) * range);
        expect_near(wilcoxon_signed_rank(differences, count), wilcoxon_by_force(differences, count),
                    1e-12);
    }
}

static void test_wilcoxon_known(void **state)
{
    (void)state;
    /* Six gains and no loss: 2 of 64 patterns are as extreme. */
    static const double gains[] = {1, 2, 3, 4, 5, 6};
    expect_near(wilcoxon_signed_rank(gains, 6), 2.0 / 64, 1e-15);
    /* Hollander and Wolfe, table 3.1: the depression scores of nine patients before and after a
     * tranquilizer. The two losses have ranks that sum to 5 of 45: 10 of 512 patterns in the tail,
     * one-sided p 0.0195. */
    static const double scores[] = {0.952, -0.147, 1.022,  0.430, 0.620,
                                    0.590, 0.490,  -0.080, 0.010};
    expect_near(wilcoxon_signed_rank(scores, 9), 20.0 / 512, 1e-15);
    static const double zeros[] = {0, 0, 0};
    assert_true(wilcoxon_signed_rank(zeros, 3) == 1);
    assert_true(isnan(wilcoxon_signed_rank(zeros, 0)));
    static const double even[] = {3, -3};
    assert_true(wilcoxon_signed_rank(even, 2) == 1);
    /* Zeros are dropped. */
    static const double with_zeros[] = {0, 1, 2, 0, 3, 4, 5, 6, 0};
    expect_near(wilcoxon_signed_rank(with_zeros, 9), 2.0 / 64, 1e-15);
}

/* With 50 differences p is exact, with 51 approximate: worked by hand, and near one another. */
static void test_wilcoxon_large(void **state)
{
    (void)state;
    double differences[200];
    for (size_t i = 0; i < 51; i++)
        differences[i] = (double)(i + 1) * (i % 3 == 0 ? -1 : 1);
    /* Losses are the ranks 1, 4, .. 49: 17 of them, their sum is 425; the mean 663, the variance
     * 11381.5. */
    double z = (663 - 425 - 0.5) / sqrt(11381.5);
    expect_near(wilcoxon_signed_rank(differences, 51), erfc(z / sqrt(2)), 1e-12);
    /* Without the last: mean 637.5, variance 10731.25; the exact p is near the approximation. */
    z = (637.5 - 425 - 0.5) / sqrt(10731.25);
    expect_near(wilcoxon_signed_rank(differences, 50), erfc(z / sqrt(2)), 1e-3);

    /* Sixty differences of size 1, of which 20 are losses: each has rank 30.5, and it is a sign
     * test. T = 610, the mean 915, the variance 60 * 61 * 121 / 24 - (60^3 - 60) / 48 = 13953.75.
     */
    for (size_t i = 0; i < 60; i++)
        differences[i] = i < 20 ? -1 : 1;
    expect_near(60 * 61 * 121 / 24.0 - (216000 - 60) / 48.0, 13953.75, 1e-9);
    z = (915 - 610 - 0.5) / sqrt(13953.75);
    expect_near(wilcoxon_signed_rank(differences, 60), erfc(z / sqrt(2)), 1e-12);

    /* A hundred gains and as many losses of the same sizes: nothing to see. */
    for (size_t i = 0; i < 200; i++)
        differences[i] = (double)(i / 2 + 1) * (i % 2 == 0 ? -1 : 1);
    assert_true(wilcoxon_signed_rank(differences, 200) == 1);
}

static void expect_holm(const double *p, size_t count, const double *expected)
{
    double adjusted[8];
    holm(p, count, adjusted);
    for (size_t i = 0; i < count; i++) {
        if (isnan(expected[i]))
            assert_true(isnan(adjusted[i]));
        else
            expect_near(adjusted[i], expected[i], 1e-12);
    }
}

static void test_holm(void **state)
{
    (void)state;
    /* The usual example: 0.01, 0.04, 0.03, 0.005 become 0.03, 0.06, 0.06, 0.02 (0.04 is kept at 2 *
     * 0.03). */
    expect_holm((const double[]){0.01, 0.04, 0.03, 0.005}, 4,
                (const double[]){0.03, 0.06, 0.06, 0.02});
    expect_holm((const double[]){0.5, 0.6, 0.04}, 3, (const double[]){1, 1, 0.12});
    expect_holm((const double[]){0.02, 0.02, 0.02}, 3, (const double[]){0.06, 0.06, 0.06});
    expect_holm((const double[]){0.2, NAN, 0.01}, 3, (const double[]){0.2, NAN, 0.02});
    expect_holm((const double[]){0.3}, 1, (const double[]){0.3});
    expect_holm((const double[]){NAN}, 1, (const double[]){NAN});
    expect_holm(NULL, 0, NULL);
}

static void test_human(void **state)
{
    (void)state;
    assert_string_equal(human_count(0).text, "0");
    assert_string_equal(human_count(999).text, "999");
    assert_string_equal(human_count(12345).text, "12,345");
    assert_string_equal(human_count(9999999).text, "9,999,999");
    assert_string_equal(human_count(10000000).text, "1.00e+07");
    assert_string_equal(human_count(1000007).text, "1,000,007");
    assert_string_equal(human_count(2.5).text, "2.50");
    assert_string_equal(human_count(NAN).text, "-");
    assert_string_equal(human_mean(21.934).text, "21.93");
    assert_string_equal(human_mean(99.996).text, "100.0");
    assert_string_equal(human_mean(999.96).text, "1,000");
    assert_string_equal(human_factor(1.499).text, "1.50");
    assert_string_equal(human_ratio(0.00001234).text, "1.23e-05");
    assert_string_equal(human_ratio(0.00938).text, "0.00938");
    assert_string_equal(human_ratio(0.0938).text, "0.0938");
    assert_string_equal(human_ratio(1.0034).text, "1.003");
    assert_string_equal(human_ratio(1234.5).text, "1,235");
    assert_string_equal(human_p(0.03125).text, "0.0312");
    assert_string_equal(human_p(0.000012).text, "1.2e-05");
    assert_string_equal(human_seconds(0.0000123).text, "12.3 us");
    assert_string_equal(human_seconds(0.00234).text, "2.34 ms");
    assert_string_equal(human_seconds(0.99991).text, "1.00 s");
    assert_string_equal(human_seconds(123.4).text, "123 s");
    assert_string_equal(human_bytes(1000).text, "1000 B");
    assert_string_equal(human_bytes(1536).text, "1.50 KiB");
    assert_string_equal(human_bytes(2147483648.0).text, "2.00 GiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branching_published),
        cmocka_unit_test(test_branching_inverse),
        cmocka_unit_test(test_branching_edges),
        cmocka_unit_test(test_averages),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_mean_estimate),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_bootstrap),
        cmocka_unit_test(test_bootstrap_large),
        cmocka_unit_test(test_bootstrap_of_many),
        cmocka_unit_test(test_wilcoxon_by_force),
        cmocka_unit_test(test_wilcoxon_known),
        cmocka_unit_test(test_wilcoxon_large),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_human),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
