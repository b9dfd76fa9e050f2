/* Pairs with unsolved runs: their order, what their differences and ratios can be, and that no
 * verdict from bounds is taken back when the limit is raised. */
#include "harness/analysis/censored.h"
#include "tests/unit/numbers.h"

/* Both solved (a better, equal, b better), only a, only b, neither, unknown. */
enum { PAIRS = 7 };
static const double a_spent[PAIRS] = {2, 5, 9, 3, 100, 100, NAN};
static const double b_spent[PAIRS] = {4, 5, 3, 100, 50, 100, 4};
static const bool a_solved[PAIRS] = {1, 1, 1, 1, 0, 0, 1};
static const bool b_solved[PAIRS] = {1, 1, 1, 0, 1, 0, 1};
static const struct censored_runs a = {a_spent, a_solved, false};
static const struct censored_runs b = {b_spent, b_solved, false};

TEST(test_order)
{
    const struct paired_order order = paired_order(a, b, PAIRS);
    assert_true(order.wins == 2 && order.ties == 2 && order.losses == 2);
    assert_true(order.both == 3 && order.only_a == 1 && order.only_b == 1 && order.neither == 1);
    const struct paired_order turned = paired_order(b, a, PAIRS);
    assert_true(turned.wins == order.losses && turned.losses == order.wins);
    assert_true(paired_order(a, b, 0).ties == 0);
}

TEST(test_differences)
{
    static const double low[] = {-2, 0, 6, -INFINITY, 50, -INFINITY, NAN};
    static const double high[] = {-2, 0, 6, -97, INFINITY, INFINITY, NAN};
    double found_low[PAIRS], found_high[PAIRS];
    censored_differences(a, b, PAIRS, SCALE_RAW, found_low, found_high);
    for (size_t i = 0; i < PAIRS; i++) {
        EXPECT(found_low[i], low[i], 0);
        EXPECT(found_high[i], high[i], 0);
    }
    censored_differences(a, b, PAIRS, SCALE_LOG, found_low, found_high);
    EXPECT(found_low[4], log(2), 1e-15);
    EXPECT(found_high[3], log(0.03), 1e-15);
}

/* Where what was spent bounds nothing, an unsolved run is neither better nor worse. */
TEST(test_open)
{
    const struct censored_runs x = {a_spent, a_solved, true};
    const struct censored_runs y = {b_spent, b_solved, true};
    const struct paired_order order = paired_order(x, y, PAIRS);
    assert_true(order.wins == 1 && order.ties == 1 && order.losses == 1);
    assert_true(order.both == 3 && order.only_a == 1 && order.only_b == 1 && order.neither == 1);
    double low[PAIRS], high[PAIRS];
    censored_differences(x, y, PAIRS, SCALE_RAW, low, high);
    assert_true(low[0] == -2 && high[2] == 6 && isnan(low[6]));
    for (size_t i = 3; i < 6; i++)
        assert_true(low[i] == -INFINITY && high[i] == INFINITY);
    const struct censored_ratio ratio = censored_ratio(x, y, 4);
    assert_true(ratio.bound == RATIO_UNKNOWN && ratio.spent_pairs == 3);
    assert_true(censored_ratio(x, y, 3).bound == RATIO_KNOWN);
}

TEST(test_ratio)
{
    /* over both solved 2/4, 5/5, 9/3; at what was spent also 3/100, 100/50, 100/100 */
    struct censored_ratio ratio = censored_ratio(a, b, PAIRS);
    assert_true(ratio.bound == RATIO_UNKNOWN && ratio.solved_pairs == 3 && ratio.spent_pairs == 6);
    EXPECT(ratio.solved.value, cbrt(1.5), 1e-14);
    EXPECT(ratio.spent, pow(1.5 * 0.03 * 2, 1.0 / 6), 1e-14);
    /* exp(t.test(log(c(0.5, 1, 3)))$conf.int) */
    EXPECT(ratio.solved.interval.low, 0.12132923771140125, 1e-12);
    EXPECT(ratio.solved.interval.high, 10.800123052131513, 1e-12);

    ratio = censored_ratio(a, b, 4); /* only b has unsolved ones: a over b is less */
    assert_true(ratio.bound == RATIO_AT_MOST);
    EXPECT(ratio.spent, pow(1.5 * 0.03, 0.25), 1e-14);
    assert_true(censored_ratio(b, a, 4).bound == RATIO_AT_LEAST);
    EXPECT(censored_ratio(b, a, 4).spent, pow(1.5 * 0.03, -0.25), 1e-14);
    ratio = censored_ratio(a, b, 3);
    assert_true(ratio.bound == RATIO_KNOWN && ratio.spent == ratio.solved.value);

    static const double none[] = {0, 1, 2};
    static const bool all[] = {true, true, true};
    const struct censored_runs zero = {none, all, false};
    ratio = censored_ratio(zero, b, 3); /* 0 has no logarithm */
    assert_true(ratio.solved_pairs == 2 && ratio.spent_pairs == 2);
    assert_true(ratio.bound == RATIO_KNOWN);
    static const bool unsolved[] = {false, true, true}; /* with 0 spent it may be anything */
    assert_true(censored_ratio((struct censored_runs){none, unsolved, false}, b, 3).bound ==
                RATIO_UNKNOWN);
    ratio = censored_ratio(zero, b, 1);
    assert_true(isnan(ratio.spent) && isnan(ratio.solved.value) && ratio.spent_pairs == 0);
}

/* Two solvers, of which one needs less on easy instances and more on hard ones. A limit hides the
 * hard ones: by the pairs both solved the first seems better; by bounds it never does, at any
 * limit, and in the end the second is. */
TEST(test_never_taken_back)
{
    enum { COUNT = 120 };
    double x[COUNT], y[COUNT];
    double x_spent[COUNT], y_spent[COUNT], low[COUNT], high[COUNT], both[COUNT];
    bool x_solved[COUNT], y_solved[COUNT];
    uint64_t random = 8;
    for (size_t i = 0; i < COUNT; i++) {
        const double hard = next_random(&random);
        y[i] = floor(exp(3 + 8 * hard + next_random(&random)));
        x[i] = floor(y[i] * exp(6 * (hard - 0.35)));
    }
    bool seemed = false;
    int said = 0;
    for (double limit = 10; limit < 1e9; limit *= 1.5) {
        size_t pairs = 0;
        for (size_t i = 0; i < COUNT; i++) {
            x_solved[i] = x[i] <= limit;
            y_solved[i] = y[i] <= limit;
            x_spent[i] = fmin(x[i], limit);
            y_spent[i] = fmin(y[i], limit);
            if (x_solved[i] && y_solved[i])
                both[pairs++] = log(x[i] / y[i]);
        }
        const struct signed_rank naive = signed_rank_test(both, pairs, ZEROS_DROPPED);
        seemed |= naive.p < 0.05 && naive.positive < naive.negative;
        censored_differences((struct censored_runs){x_spent, x_solved, false},
                             (struct censored_runs){y_spent, y_solved, false}, COUNT, SCALE_LOG,
                             low, high);
        const struct signed_rank least = signed_rank_test(low, COUNT, ZEROS_DROPPED);
        const struct signed_rank most = signed_rank_test(high, COUNT, ZEROS_DROPPED);
        assert_true(!(most.p < 0.05 && most.positive < most.negative));
        said += least.p < 0.05 && least.positive > least.negative;
        assert_true(said == 0 || (least.p < 0.05 && least.positive > least.negative));
    }
    assert_true(seemed && said > 0);
}
