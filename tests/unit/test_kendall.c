/* Kendall's tau-b against R, against all pairs and all orders; eta of a heuristic. */
#include "harness/analysis/kendall.h"
#include "tests/unit/numbers.h"

TEST(test_r)
{
    double x[301], y[301];
    /* x <- 1:n; y <- (x * 37) %% m; k <- cor.test(x, y, method = "kendall", exact = TRUE) */
    for (size_t i = 0; i < 51; i++) {
        x[i] = (double)(i + 1);
        y[i] = (double)((i + 1) * 37 % 101);
    }
    struct kendall result = kendall_tau_b(x, y, 51);
    assert_true(result.exact);
    EXPECT(result.tau, 0.041568627450980389, 1e-14);
    EXPECT(result.p, 0.67430178016424414, 1e-12);
    static const double nine[] = {2, 1, 4, 3, 6, 5, 8, 9, 7};
    result = kendall_tau_b(x, nine, 9);
    EXPECT(result.tau, 0.72222222222222232, 1e-14);
    EXPECT(result.p, 0.0058862433862434393, 1e-12);
    /* and exact = FALSE where the normal approximation is used */
    for (size_t i = 0; i < 301; i++) {
        x[i] = (double)(i + 1);
        y[i] = (double)((i + 1) * 37 % 1009);
    }
    result = kendall_tau_b(x, y, 301);
    assert_true(!result.exact);
    EXPECT(result.tau, 0.062591362126245845, 1e-13);
    EXPECT(result.p, 0.10534835524911661, 1e-12);
    /* ties: x <- (1:n) %% 7; y <- ((1:n) * (1:n)) %% 5 + x */
    for (size_t i = 0; i < 301; i++) {
        x[i] = (double)((i + 1) % 7);
        y[i] = (double)((i + 1) * (i + 1) % 5) + x[i];
    }
    result = kendall_tau_b(x, y, 51);
    EXPECT(result.tau, 0.6397570909689666, 1e-14);
    EXPECT(result.p, 1.8349768160190249e-09, 1e-10);
    /* log10(2) + pnorm(k$statistic, lower.tail = FALSE, log.p = TRUE) / log(10) */
    result = kendall_tau_b(x, y, 301);
    EXPECT(result.tau, 0.63948652038996145, 1e-14);
    EXPECT(result.log10_p, -48.667149132948722, 1e-12);
    EXPECT(result.p, pow(10, -48.667149132948722), 1e-10);
}

TEST(test_all_pairs)
{
    uint64_t random = 2;
    for (int round = 0; round < 200; round++) {
        double x[50], y[50];
        const size_t count = 2 + (size_t)(next_random(&random) * 48);
        for (size_t i = 0; i < count; i++) {
            x[i] = floor(next_random(&random) * 8);
            y[i] = next_random(&random) < 0.1 ? INFINITY : x[i] + floor(next_random(&random) * 9);
        }
        double score = 0, x_pairs = 0, y_pairs = 0;
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < i; j++) {
                const double sign_x = (x[i] > x[j]) - (x[i] < x[j]);
                const double sign_y = (y[i] > y[j]) - (y[i] < y[j]);
                score += sign_x * sign_y;
                x_pairs += sign_x != 0;
                y_pairs += sign_y != 0;
            }
        }
        const double tau = x_pairs > 0 && y_pairs > 0 ? score / sqrt(x_pairs * y_pairs) : NAN;
        EXPECT(kendall_tau_b(x, y, count).tau, tau, 1e-13);
        EXPECT(kendall_tau_b(y, x, count).tau, tau, 1e-13);
        EXPECT(kendall_tau_b(y, x, count).p, kendall_tau_b(x, y, count).p, 1e-12);
    }
}

TEST(test_edges)
{
    static const double up[] = {1, 2, 3, 4, 5};
    static const double down[] = {9, 8, 7, 6, 5};
    static const double equal[] = {1, 1, 1, 1, 1};
    static const double missing[] = {1, 2, NAN, 4, 5};
    assert_true(kendall_tau_b(up, up, 5).tau == 1 && kendall_tau_b(up, down, 5).tau == -1);
    EXPECT(kendall_tau_b(up, down, 5).p, 2.0 / 120, 1e-14); /* 2 of 5! orders */
    assert_true(kendall_tau_b(up, down, 2).p == 1);
    assert_true(isnan(kendall_tau_b(up, equal, 5).tau) && isnan(kendall_tau_b(equal, up, 5).p));
    assert_true(isnan(kendall_tau_b(up, missing, 5).tau));
    assert_true(isnan(kendall_tau_b(up, down, 1).tau) && isnan(kendall_tau_b(up, down, 0).p));
}

TEST(test_eta)
{
    static const double h[] = {0, 3, 5, 5, 12, 21};
    static const double turned[] = {21, 5, 12, 0, 5, 3};
    /* mean(2.13^-c(0, 3, 5, 5, 12, 21)) */
    EXPECT(heuristic_eta(h, 6, 2.13), 0.19153558074820884, 1e-14);
    assert_true(heuristic_eta(h, 6, 2.13) == heuristic_eta(turned, 6, 2.13));
    assert_true(isnan(heuristic_eta(h, 0, 2.13)) && isnan(heuristic_eta(h, 6, 1)));
    static const double missing[] = {1, NAN};
    assert_true(isnan(heuristic_eta(missing, 2, 2)));
}
