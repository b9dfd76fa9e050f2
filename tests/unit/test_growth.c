/* Lines through log nodes over length against R, and how little one wild point moves them. */
#include "harness/analysis/growth.h"
#include "tests/unit/numbers.h"
#include <gsl/gsl_sort.h>

/* R: i <- 1:n; x <- i %% 13 + i %/% 13; y <- 0.45 * x + ((i * i * 7) %% 17) / 17 */
static void fill(double *x, double *y, size_t count)
{
    for (size_t i = 1; i <= count; i++) {
        x[i - 1] = (double)(i % 13 + i / 13);
        y[i - 1] = 0.45 * x[i - 1] + (double)(i * i * 7 % 17) / 17;
    }
}

static void expect_line(struct growth line, const double *expected)
{
    EXPECT(line.slope, expected[0], 1e-12);
    EXPECT(line.interval.low, expected[1], 1e-11);
    EXPECT(line.interval.high, expected[2], 1e-11);
    EXPECT(line.intercept, expected[3], 1e-12);
    EXPECT(line.r_squared, expected[4], 1e-12);
}

TEST(test_r)
{
    /* l <- lm(y ~ x); c(coef(l)[2], confint(l)[2, ], coef(l)[1], summary(l)$r.squared) */
    static const double least_squares[][6] = {
        {0.59705882352941186, -0.05022918160078893, 1.2443468286596127, 0.29411764705882315,
         0.99277265171408613, 3},
        {0.42058823529411743, 0.22876252584969289, 0.61241394473854194, 0.61764705882353055,
         0.94195955594453917, 5},
        {0.44520230289461094, 0.42747015037758296, 0.46293445541163891, 0.50727650727650198,
         0.9811150606979806, 51},
    };
    /* s <- the sorted slopes of all pairs with different x, N <- length(s), k <- floor((N -
     * qnorm(0.975) * sqrt((n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5))) / 18)) / 2)
     * with t <- table(x); c(median(s), s[k], s[N + 1 - k], median(y - median(s) * x)) */
    static const double theil_sen[][6] = {
        {0.59705882352941186, NAN, NAN, 0.26470588235294112, NAN, 3},
        {0.4205882352941176, NAN, NAN, 0.70588235294117663, NAN, 5},
        {0.44999999999999996, 0.42860962566844923, 0.46307189542483662, 0.41176470588235414, NAN,
         51},
    };
    for (size_t i = 0; i < 3; i++) {
        double x[51], y[51];
        const size_t count = (size_t)least_squares[i][5];
        fill(x, y, count);
        expect_line(growth_least_squares(x, y, count), least_squares[i]);
        expect_line(growth_theil_sen(x, y, count), theil_sen[i]);
    }
}

/* Against sorting all slopes. */
TEST(test_all_slopes)
{
    uint64_t random = 4;
    for (int round = 0; round < 60; round++) {
        double x[40], y[40], slopes[780];
        const size_t count = 2 + (size_t)(next_random(&random) * 38);
        size_t number = 0;
        for (size_t i = 0; i < count; i++) {
            x[i] = floor(next_random(&random) * (round % 2 == 0 ? 6 : 1e6));
            y[i] = floor(next_random(&random) * 50) - x[i] * (round % 3);
            for (size_t j = 0; j < i; j++) {
                if (x[i] != x[j])
                    slopes[number++] = (y[i] - y[j]) / (x[i] - x[j]);
            }
        }
        const struct growth line = growth_theil_sen(x, y, count);
        if (number == 0) {
            assert_true(isnan(line.slope));
            continue;
        }
        gsl_sort(slopes, 1, number);
        const double median = (slopes[(number - 1) / 2] + slopes[number / 2]) / 2;
        assert_true(fabs(line.slope - median) <= 1e-12 * (1 + fabs(median)));
    }
}

TEST(test_wild_point)
{
    double x[51], y[51];
    fill(x, y, 51);
    y[7] = 1e6;
    const struct growth line = growth_theil_sen(x, y, 51);
    assert_true(fabs(line.slope - 0.45) < 0.01);
    assert_true(line.interval.low < 0.45 && line.interval.high > 0.45);
    assert_true(fabs(growth_least_squares(x, y, 51).slope - 0.45) > 100);
}

TEST(test_edges)
{
    static const double x[] = {1, 3, 2, 4};
    static const double y[] = {2, 6, 4, 8};
    static const double same[] = {2, 2, 2, 2};
    static const double missing[] = {1, NAN, 2, 3};
    static const double infinite[] = {1, 2, INFINITY, 4};
    struct growth (*const estimates[])(const double *, const double *,
                                       size_t) = {growth_least_squares, growth_theil_sen};
    for (size_t i = 0; i < 2; i++) {
        EXPECT(estimates[i](x, y, 4).slope, 2, 1e-13); /* a straight line */
        EXPECT(estimates[i](x, y, 2).slope, 2, 1e-13);
        assert_true(fabs(estimates[i](x, y, 4).intercept) < 1e-12);
        assert_true(isnan(estimates[i](x, y, 2).interval.low));
        assert_true(fabs(estimates[i](x, same, 4).slope) < 1e-12); /* level */
        assert_true(isnan(estimates[i](x, same, 4).r_squared));
        assert_true(isnan(estimates[i](same, y, 4).slope)); /* upright */
        assert_true(isnan(estimates[i](x, y, 1).slope) && isnan(estimates[i](x, y, 0).slope));
        assert_true(isnan(estimates[i](missing, y, 4).slope));
        assert_true(isnan(estimates[i](x, infinite, 4).intercept));
    }
}

/* The order of points changes no bit. */
TEST(test_order)
{
    double x[51], y[51], u[51], v[51];
    fill(x, y, 51);
    for (size_t i = 0; i < 51; i++) {
        u[i] = x[i * 20 % 51];
        v[i] = y[i * 20 % 51];
    }
    const struct growth line = growth_least_squares(x, y, 51);
    const struct growth turned = growth_least_squares(u, v, 51);
    assert_true(line.slope == turned.slope && line.interval.low == turned.interval.low);
    assert_true(line.r_squared == turned.r_squared && line.intercept == turned.intercept);
    assert_true(growth_theil_sen(x, y, 51).slope == growth_theil_sen(u, v, 51).slope);
}
