/* Kaplan-Meier, restricted means and the log-rank test against R's package survival. */
#include "harness/analysis/survival.h"
#include "tests/unit/numbers.h"

/* survival::aml: weeks, 1 where the event was seen, 11 patients maintained and 12 not */
enum { AML = 23, MAINTAINED = 11 };
static const double weeks[AML] = {9, 13, 13, 18, 23, 28, 31, 34, 45, 48, 161, 5,
                                  5, 8,  8,  12, 16, 23, 27, 30, 33, 43, 45};
static const bool cut[AML] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1};

TEST(test_curve)
{
    /* s <- survfit(Surv(time, status) ~ 1, aml[aml$x == "Maintained", ]): s$time, s$n.risk,
     * s$n.event, s$surv, (s$surv * s$std.err)^2 */
    static const double expected[][5] = {
        {9, 11, 1, 0.90909090909090906, 0.0075131480090157767},
        {13, 10, 1, 0.81818181818181812, 0.013523666416228394},
        {18, 8, 1, 0.71590909090909083, 0.019506304000751314},
        {23, 7, 1, 0.61363636363636354, 0.023296628474830949},
        {28, 6, 0, 0.61363636363636354, 0.023296628474830949},
        {31, 5, 1, 0.49090909090909085, 0.026959429000751312},
        {34, 4, 1, 0.36818181818181817, 0.0264611664162284},
        {45, 3, 0, 0.36818181818181817, 0.0264611664162284},
        {48, 2, 1, 0.18409090909090908, 0.023560023009015777},
        {161, 1, 0, 0.18409090909090908, 0.023560023009015777},
    };
    SCOPED_BY(survival_end) struct survival curve = survival_of(weeks, cut, MAINTAINED);
    assert_true(curve.count == 10);
    for (size_t i = 0; i < 10; i++) {
        const struct survival_step *step = &curve.steps[i];
        assert_true(step->cost == expected[i][0] && (double)step->at_risk == expected[i][1] &&
                    (double)step->solved == expected[i][2]);
        EXPECT(step->unsolved, expected[i][3], 1e-14);
        EXPECT(step->variance, expected[i][4], 1e-13);
    }
    assert_true(curve.steps[1].censored == 1);
    assert_true(survival_median(&curve) == 31); /* quantile(s, 0.5)$quantile */
    /* summary(s, rmean = limit)$table[c("rmean", "se(rmean)")] */
    static const double means[][3] = {
        {20, 18.15909090909091, 1.0668319455636541},
        {50, 32.211363636363636, 4.6762565168881922},
        {161, 52.645454545454541, 19.828602795562585},
    };
    for (size_t i = 0; i < 3; i++) {
        const struct restricted_mean mean = survival_restricted_mean(&curve, means[i][0]);
        EXPECT(mean.mean, means[i][1], 1e-14);
        EXPECT(sqrt(mean.variance), means[i][2], 1e-13);
    }
    assert_true(isnan(survival_restricted_mean(&curve, 162).mean));
    assert_true(survival_restricted_mean(&curve, 3).mean == 3);
    assert_true(survival_restricted_mean(&curve, 3).variance == 0);
}

/* Where nothing is censored the curve is the sample's: median, mean and the variance of a share. */
TEST(test_uncensored)
{
    static const double costs[] = {4, 1, 3, 2};
    static const bool none[4] = {0};
    SCOPED_BY(survival_end) struct survival curve = survival_of(costs, none, 4);
    EXPECT(curve.steps[1].unsolved, 0.5, 1e-15);
    EXPECT(curve.steps[1].variance, 0.5 * 0.5 / 4, 1e-14);
    EXPECT(survival_median(&curve), 2.5, 1e-15);
    EXPECT(survival_restricted_mean(&curve, 4).mean, 2.5, 1e-15);
    EXPECT(survival_restricted_mean(&curve, 100).mean, 2.5, 1e-15); /* all solved: it is known */
    EXPECT(survival_restricted_mean(&curve, 100).variance, 1.25 / 4, 1e-14);
    assert_true(curve.steps[3].unsolved == 0);
    /* survfit(Surv(1:4, c(1, 1, 0, 0)) ~ 1): median 2, the first cost by which half are solved */
    static const bool half[] = {true, false, true, false};
    SCOPED_BY(survival_end) struct survival cut_short = survival_of(costs, half, 4);
    assert_true(survival_median(&cut_short) == 2);
}

TEST(test_edges)
{
    static const double costs[] = {100, 100, 100};
    static const bool all[] = {true, true, true};
    SCOPED_BY(survival_end) struct survival curve = survival_of(costs, all, 3); /* at the limit */
    assert_true(curve.count == 1 && curve.steps[0].unsolved == 1);
    assert_true(isnan(survival_median(&curve)));
    assert_true(survival_restricted_mean(&curve, 100).mean == 100);
    assert_true(isnan(survival_restricted_mean(&curve, 101).mean));
    SCOPED_BY(survival_end) struct survival empty = survival_of(NULL, NULL, 0);
    assert_true(empty.count == 0 && isnan(survival_median(&empty)) &&
                isnan(survival_restricted_mean(&empty, 1).mean));
    static const double missing[] = {1, NAN};
    SCOPED_BY(survival_end) struct survival no_cost = survival_of(missing, all, 2);
    assert_true(no_cost.count == 0);
    static const bool none[] = {false};
    SCOPED_BY(survival_end) struct survival solved = survival_of(costs, none, 1);
    assert_true(survival_median(&solved) == 100 && solved.steps[0].unsolved == 0);
    assert_true(survival_restricted_mean(&solved, 200).mean == 100 &&
                survival_restricted_mean(&solved, 200).variance == 0);
}

TEST(test_logrank)
{
    size_t group[AML] = {0};
    for (size_t i = MAINTAINED; i < AML; i++)
        group[i] = 1;
    /* survdiff(Surv(time, status) ~ x, data = aml) */
    struct logrank test = logrank_test(weeks, cut, group, AML, 2);
    EXPECT(test.chi_squared, 3.3963886989776011, 1e-12);
    EXPECT(test.p, 0.065339322040505132, 1e-12);
    assert_true(test.freedom == 1);
    for (size_t i = 0; i < AML; i++) /* the last of three groups; the first is empty */
        group[i] = 2 - group[i];
    test = logrank_test(weeks, cut, group, AML, 3);
    EXPECT(test.chi_squared, 3.3963886989776011, 1e-12);
    assert_true(test.freedom == 1);

    /* t <- c(5,3,9,10,10,10,2,2,7,10,4,8,10,1,6); e <- c(1,1,1,0,0,0,1,1,1,0,1,0,0,1,1);
     * survdiff(Surv(t, e) ~ rep(1:3, each = 5)) */
    static const double t[] = {5, 3, 9, 10, 10, 10, 2, 2, 7, 10, 4, 8, 10, 1, 6};
    static const bool c[] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0};
    static const size_t g[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2};
    test = logrank_test(t, c, g, 15, 3);
    EXPECT(test.chi_squared, 0.10696616376270528, 1e-12);
    EXPECT(test.p, 0.94792197792463651, 1e-12);
    assert_true(test.freedom == 2);

    /* Four groups, many ties, some of them of solved and censored ones:
     * t <- c(1,2,2,3,3,3,10,10, 2,2,3,4,4,10,10,10, 1,1,1,2,5,5,10,10, 3,4,5,5,6,6,10,10)
     * e <- c(1,1,1,1,0,1,0,0, 1,0,1,1,1,0,0,0, 1,1,1,1,1,1,1,0, 1,1,1,1,0,1,0,0)
     * s <- survdiff(Surv(t, e) ~ rep(1:4, each = 8)); s$chisq; pchisq(s$chisq, 3, lower = FALSE) */
    static const double tied[] = {1, 2, 2, 3, 3, 3, 10, 10, 2, 2, 3, 4, 4, 10, 10, 10,
                                  1, 1, 1, 2, 5, 5, 10, 10, 3, 4, 5, 5, 6, 6,  10, 10};
    static const bool stopped[] = {0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1,
                                   0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1};
    size_t quarter[32];
    for (size_t i = 0; i < 32; i++)
        quarter[i] = i / 8;
    test = logrank_test(tied, stopped, quarter, 32, 4);
    EXPECT(test.chi_squared, 2.7590474946439767, 1e-12);
    EXPECT(test.p, 0.43028587195338575, 1e-12);
    assert_true(test.freedom == 3);

    assert_true(isnan(logrank_test(t, c, g, 5, 1).p)); /* one group */
    assert_true(isnan(logrank_test(t, c, g, 5, 2).p)); /* of two, one is empty */
    assert_true(isnan(logrank_test(t, c, g, 0, 2).p));
    static const bool all[15] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_true(isnan(logrank_test(t, all, g, 15, 3).p)); /* nothing solved */
    static const double same[] = {1, 1};
    static const size_t two[] = {0, 1};
    assert_true(isnan(logrank_test(same, c, two, 2, 2).p)); /* all at once: no variance */
}
