/* Penalised averages, the virtual best solver and performance profiles on tables worked by hand. */
#include "harness/analysis/profile.h"
#include "tests/unit/numbers.h"

/* Three solvers, five instances: the last two with a missing run and with none solved. */
static const double costs[3][5] = {
    {10, 4, INFINITY, 7, INFINITY},
    {5, 4, 8, NAN, INFINITY},
    {20, 1, 2, 7, INFINITY},
};

TEST(test_virtual_best)
{
    static const double expected[] = {5, 1, 2, NAN, INFINITY};
    double best[5];
    virtual_best(&costs[0][0], 3, 5, best);
    for (size_t i = 0; i < 5; i++)
        EXPECT(best[i], expected[i], 0);
    virtual_best(&costs[0][0], 1, 5, best); /* one solver is its own best */
    for (size_t i = 0; i < 5; i++)
        EXPECT(best[i], costs[0][i], 0);
    virtual_best(NULL, 0, 1, best);
    assert_true(isnan(best[0]));
}

TEST(test_profiles)
{
    static const double expected[3][5] = {
        {2, 4, INFINITY, NAN, INFINITY},
        {1, 4, 4, NAN, INFINITY},
        {4, 1, 1, NAN, INFINITY},
    };
    double ratios[3][5];
    performance_ratios(&costs[0][0], 3, 5, &ratios[0][0]);
    for (size_t i = 0; i < 15; i++)
        EXPECT(ratios[i / 5][i % 5], expected[i / 5][i % 5], 0);
    /* shares are of the four instances that all solvers have a run of, solved or not */
    SCOPED_BY(profile_end) struct profile profile = profile_of(ratios[1], 5);
    assert_true(profile.instances == 4 && profile.count == 2);
    assert_true(profile.steps[0].ratio == 1 && profile.steps[0].share == 0.25);
    assert_true(profile.steps[1].ratio == 4 && profile.steps[1].share == 0.75);
    assert_true(profile_at(&profile, 0.9) == 0 && profile_at(&profile, 1) == 0.25);
    assert_true(profile_at(&profile, 3.9) == 0.25 && profile_at(&profile, 4) == 0.75);
    assert_true(profile_at(&profile, INFINITY) == 0.75);
    SCOPED_BY(profile_end) struct profile none = profile_of(ratios[1], 0);
    assert_true(isnan(profile_at(&none, 1)));
    static const double zero[] = {0, 0, 3, 0}; /* two solvers, two instances */
    performance_ratios(zero, 2, 2, &ratios[0][0]);
    assert_true(ratios[0][0] == 1 && ratios[0][1] == 1 && ratios[0][2] == INFINITY &&
                ratios[0][3] == 1);
}

TEST(test_penalised)
{
    static const double limits[] = {60, 60, 60, 60};
    static const double spent[] = {10, INFINITY, 0, 20};
    EXPECT(penalised_average(spent, limits, 4, 2), 37.5, 1e-15);
    EXPECT(penalised_average(spent, limits, 4, 10), 157.5, 1e-15);
    EXPECT(penalised_average(spent, limits, 1, 2), 10, 1e-15);
    assert_true(isnan(penalised_average(spent, limits, 0, 2)));
    static const double unknown[] = {NAN, NAN, NAN, NAN};
    assert_true(isnan(penalised_average(spent, unknown, 4, 2)));
    EXPECT(penalised_average(spent, unknown, 1, 2), 10, 1e-15); /* solved: no limit is needed */
    static const double missing[] = {10, NAN};
    assert_true(isnan(penalised_average(missing, limits, 2, 2)));
}
