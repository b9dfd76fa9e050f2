/* Corrections for many tests against R. */
#include "harness/analysis/multiplicity.h"
#include "tests/unit/numbers.h"

TEST(test_r)
{
    /* p.adjust(p, "holm"), "hochberg" and "BH" */
    static const double p[] = {0.01, 0.04, 0.03, 0.005, 0.5, NAN, 0.0401, 0.2};
    static const double expected[][8] = {
        [CORRECTION_HOLM] = {0.06, 0.16, 0.15, 0.035, 0.5, NAN, 0.16, 0.4},
        [CORRECTION_HOCHBERG] = {0.06, 0.1203, 0.1203, 0.035, 0.5, NAN, 0.1203, 0.4},
        [CORRECTION_BENJAMINI_HOCHBERG] = {0.035, 0.05614, 0.05614, 0.035, 0.5, NAN, 0.05614,
                                           0.23333333333333336},
    };
    for (int correction = CORRECTION_HOLM; correction <= CORRECTION_BENJAMINI_HOCHBERG;
         correction++) {
        double adjusted[8];
        adjust((enum correction)correction, p, 8, adjusted);
        for (size_t i = 0; i < 8; i++)
            EXPECT(adjusted[i], expected[correction][i], 1e-14);
    }
}

TEST(test_edges)
{
    for (int correction = CORRECTION_HOLM; correction <= CORRECTION_BENJAMINI_HOCHBERG;
         correction++) {
        double adjusted[3];
        adjust((enum correction)correction, (const double[]){0.3}, 1, adjusted);
        assert_true(adjusted[0] == 0.3); /* one test needs none */
        adjust((enum correction)correction, (const double[]){NAN, 0.02, NAN}, 3, adjusted);
        assert_true(isnan(adjusted[0]) && adjusted[1] == 0.02 && isnan(adjusted[2]));
        adjust((enum correction)correction, (const double[]){0.9, 1, 0.8}, 3, adjusted);
        assert_true(adjusted[0] <= 1 && adjusted[1] <= 1 && adjusted[2] <= adjusted[0]);
        adjust((enum correction)correction, NULL, 0, NULL);
    }
    /* equal p: Holm multiplies by how many there are, the other two leave them alone */
    double adjusted[3];
    static const double equal[] = {0.02, 0.02, 0.02};
    adjust(CORRECTION_HOLM, equal, 3, adjusted);
    EXPECT(adjusted[0], 0.06, 1e-15);
    EXPECT(adjusted[2], 0.06, 1e-15);
    adjust(CORRECTION_HOCHBERG, equal, 3, adjusted);
    EXPECT(adjusted[0], 0.02, 1e-15);
    adjust(CORRECTION_BENJAMINI_HOCHBERG, equal, 3, adjusted);
    EXPECT(adjusted[1], 0.02, 1e-15);
}
