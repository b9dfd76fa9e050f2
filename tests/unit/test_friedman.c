/* Friedman's test and the studentized range against R. */
#include "harness/analysis/friedman.h"
#include "tests/unit/numbers.h"

/* The example of ?friedman.test (Hollander and Wolfe, table 7.1: rounding first base), by method.
 */
static const double times[3][22] = {
    {5.40, 5.85, 5.20, 5.55, 5.90, 5.45, 5.40, 5.45, 5.25, 5.85, 5.25,
     5.65, 5.60, 5.05, 5.50, 5.45, 5.55, 5.45, 5.50, 5.65, 5.70, 6.30},
    {5.50, 5.70, 5.60, 5.50, 5.85, 5.55, 5.40, 5.50, 5.15, 5.80, 5.20,
     5.55, 5.35, 5.00, 5.50, 5.55, 5.55, 5.50, 5.45, 5.60, 5.65, 6.30},
    {5.55, 5.75, 5.50, 5.40, 5.70, 5.60, 5.35, 5.35, 5.00, 5.70, 5.10,
     5.45, 5.45, 4.95, 5.40, 5.50, 5.35, 5.55, 5.25, 5.40, 5.55, 6.25},
};

TEST(test_r)
{
    double ranks[4];
    /* f <- friedman.test(m); F <- 21 * f$statistic / (22 * 2 - f$statistic); pf(F, 2, 42,
     * lower.tail = FALSE); colMeans(t(apply(m, 1, rank))) */
    struct friedman test = friedman_test(&times[0][0], 3, 22, ranks);
    assert_true(test.instances == 22);
    EXPECT(test.chi_squared, 11.142857142857142, 1e-14);
    EXPECT(test.p_chi_squared, 0.003805040775511363, 1e-12);
    EXPECT(test.f, 7.1217391304347819, 1e-13);
    EXPECT(test.p, 0.0021712983876075193, 1e-12);
    EXPECT(ranks[0], 2.4090909090909092, 1e-15);
    EXPECT(ranks[1], 2.1363636363636362, 1e-15);
    EXPECT(ranks[2], 1.4545454545454546, 1e-15);

    /* i <- 0:50; m <- sapply(0:3, function(s) (i * (s + 3) * 7 + s * s) %% 11): many ties; one more
     * row with a missing cell, and unsolved runs in place of the worst cost */
    double costs[4][52];
    for (size_t s = 0; s < 4; s++) {
        for (size_t i = 0; i < 52; i++) {
            const double cost = (double)((i * (s + 3) * 7 + s * s) % 11);
            costs[s][i] = cost == 10 ? INFINITY : cost;
        }
    }
    costs[2][51] = NAN;
    test = friedman_test(&costs[0][0], 4, 52, ranks);
    assert_true(test.instances == 51);
    EXPECT(test.chi_squared, 0.21161825726141079, 1e-13);
    EXPECT(test.p_chi_squared, 0.97569227411752346, 1e-12);
    EXPECT(test.f, 0.069252077562326875, 1e-12);
    EXPECT(test.p, 0.97623798539628215, 1e-12);
    EXPECT(ranks[0], 2.5490196078431371, 1e-15);
    EXPECT(ranks[3], 2.5294117647058822, 1e-15);
}

TEST(test_edges)
{
    double ranks[3] = {0};
    static const double one_row[] = {2, 1, 3};
    struct friedman test = friedman_test(one_row, 3, 1, ranks);
    assert_true(test.chi_squared == 2 && test.f == INFINITY && test.p == 1);
    assert_true(ranks[0] == 2 && ranks[1] == 1 && ranks[2] == 3);
    test = friedman_test(one_row, 1, 3, ranks); /* one solver */
    assert_true(isnan(test.p) && isnan(test.chi_squared) && ranks[0] == 1);
    static const double equal[6] = {0};
    test = friedman_test(equal, 3, 2, ranks);
    assert_true(isnan(test.p) && ranks[0] == 2 && ranks[2] == 2);
    test = friedman_test(NULL, 2, 0, ranks);
    assert_true(isnan(test.p) && isnan(ranks[0]) && test.instances == 0);
    /* Five instances rank three solvers alike: all others do as the first, (1/3!)^4; with the first
     * two tied, (1/3)^4. */
    static const double alike[] = {1, 2, 3, 4, 5, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7};
    test = friedman_test(alike, 3, 5, ranks);
    EXPECT(test.chi_squared, 10, 1e-15);
    EXPECT(test.p, pow(6, -4), 1e-12);
    static const double tied[] = {1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 7, 7, 7, 7, 7};
    test = friedman_test(tied, 3, 5, ranks);
    assert_true(test.f == INFINITY);
    EXPECT(test.p, pow(3, -4), 1e-12);
}

TEST(test_studentized_range)
{
    /* ptukey(c(0.5, 2, 3.5, 6), k, Inf) */
    static const double chances[][5] = {
        {2, 0.27632639016824834, 0.84270079294971478, 0.98667167121914656, 0.99997790950300114},
        {3, 0.066578054864695618, 0.66650067495985021, 0.96444295813655612, 0.99993442650156683},
        {10, 1.4133805283207629e-06, 0.076785761531418001, 0.71798356236719785,
         0.99907848469612293},
    };
    static const double ranges[] = {0.5, 2, 3.5, 6};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 4; j++)
            EXPECT(studentized_range_cdf(ranges[j], (size_t)chances[i][0]), chances[i][1 + j],
                   1e-8);
    }
    /* of two it is a difference of normal variables */
    for (double range = 0.25; range < 8; range += 0.25)
        EXPECT(studentized_range_cdf(range, 2), erf(range / 2), 1e-11);
    /* qtukey(1 - level, k, Inf) / sqrt(2), which R finds to seven digits */
    static const double quantiles[][3] = {
        {2, 1.9599639847662103, 1.6448536269820513},  {3, 2.3437005879021418, 2.0522927305491994},
        {4, 2.5690317774207276, 2.2913414969963037},  {5, 2.7277743825185543, 2.4595157644295171},
        {10, 3.1636837535027902, 2.9198888406470949}, {20, 3.5437991319196462, 3.3192330623517963},
        {50, 3.9923433998658884, 3.7877496797282006},
    };
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        const size_t k = (size_t)quantiles[i][0];
        EXPECT(studentized_range_quantile(0.05, k) / sqrt(2), quantiles[i][1], 1e-7);
        EXPECT(studentized_range_quantile(0.1, k) / sqrt(2), quantiles[i][2], 1e-7);
        EXPECT(studentized_range_cdf(studentized_range_quantile(0.05, k), k), 0.95, 1e-12);
    }
    assert_true(isnan(studentized_range_cdf(1, 1)) && isnan(studentized_range_cdf(NAN, 3)));
    assert_true(studentized_range_cdf(0, 3) == 0 && studentized_range_cdf(50, 3) <= 1);
    EXPECT(studentized_range_cdf(50, 3), 1, 1e-12);
    assert_true(isnan(studentized_range_quantile(0, 3)) && isnan(studentized_range_quantile(1, 3)));
    assert_true(isnan(studentized_range_quantile(0.05, 1)));
}

TEST(test_critical_difference)
{
    /* Demsar 2006, section 3.2.3: four algorithms, 14 data sets: 2.569 * sqrt(4 * 5 / (6 * 14)) */
    EXPECT(critical_difference(4, 14, 0.05), 1.2536, 1e-4);
    assert_true(isnan(critical_difference(1, 14, 0.05)));
    assert_true(isnan(critical_difference(4, 0, 0.05)));
}
