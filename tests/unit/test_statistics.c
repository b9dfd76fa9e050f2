/* Every statistic against hand-worked, published or brute-force values. */
#include "harness/analysis/statistics.h"
#include "harness/text/human.h"
#include "tests/test.h"
#include <math.h>

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g, expected %.17g +- %g", value, expected, tolerance);
}

/* Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th edition, figure 3.26:
 * solution length, nodes generated (without the root) and effective branching factor of
 * breadth-first search, A* with misplaced tiles and A* with the Manhattan distance. All 36 factors
 * follow from the nodes, to their last digit. */
TEST(test_branching_published)
{
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
TEST(test_branching_inverse)
{
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

TEST(test_branching_edges)
{
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

TEST(test_averages)
{
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

TEST(test_spread)
{
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

TEST(test_mean_estimate)
{
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

TEST(test_human)
{
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
    assert_string_equal(human_decimals(1.499, 2).text, "1.50");
    assert_string_equal(human_ratio(0.00001234).text, "1.23e-05");
    assert_string_equal(human_ratio(0.00938).text, "0.00938");
    assert_string_equal(human_ratio(0.0938).text, "0.0938");
    assert_string_equal(human_ratio(1.0034).text, "1.003");
    assert_string_equal(human_ratio(1234.5).text, "1,235");
    assert_string_equal(human_p(0.03125).text, "0.0312");
    assert_string_equal(human_p(0.000012).text, "1.2e-05");
    assert_string_equal(human_p(0.0497).text, "0.0497");
    assert_string_equal(human_p(0.04998).text, "0.04998");
    assert_string_equal(human_p(0.0500004).text, "0.0500004");
    assert_string_equal(human_p(0.05).text, "0.0500");
    assert_string_equal(human_p_brief(0.0497).text, "0.0497");
    assert_string_equal(human_p_brief(0.0504).text, "0.0504");
    assert_string_equal(human_p_brief(0.0494).text, "0.049");
    assert_string_equal(human_p_brief(0.05).text, "0.05");
    assert_string_equal(human_p_brief(1).text, "1");
    assert_string_equal(human_seconds(0.0000123).text, "12.3 us");
    assert_string_equal(human_seconds(0.00234).text, "2.34 ms");
    assert_string_equal(human_seconds(0.99991).text, "1.00 s");
    assert_string_equal(human_seconds(123.4).text, "123 s");
    assert_string_equal(human_bytes(1000).text, "1000 B");
    assert_string_equal(human_bytes(1536).text, "1.50 KiB");
    assert_string_equal(human_bytes(2147483648.0).text, "2.00 GiB");
}
