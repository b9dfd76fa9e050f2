/* Wilcoxon's signed-rank test and the sign test against R, against every sign pattern, and far out
 * in the tails. */
#include "harness/analysis/signed_rank.h"
#include "tests/unit/numbers.h"
#include <gsl/gsl_cdf.h>

static struct signed_rank dropped(const double *differences, size_t count)
{
    return signed_rank_test(differences, count, ZEROS_DROPPED);
}

/* Twice the rank of difference i, zeros ranked or not, by comparing with all others. */
static int rank_by_force(const double *d, size_t count, size_t i, bool pratt)
{
    int rank = 1;
    for (size_t j = 0; j < count; j++) {
        if (d[j] == 0 && !pratt)
            continue;
        rank += 2 * (fabs(d[j]) < fabs(d[i])) + (fabs(d[j]) == fabs(d[i]));
    }
    return rank;
}

static double p_by_force(const double *d, size_t count, bool pratt)
{
    int ranks[20];
    size_t kept = 0;
    int seen = 0;
    int total = 0;
    for (size_t i = 0; i < count; i++) {
        if (d[i] == 0)
            continue;
        ranks[kept] = rank_by_force(d, count, i, pratt);
        seen += d[i] > 0 ? ranks[kept] : 0;
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

TEST(test_every_pattern)
{
    uint64_t random = 3;
    for (int round = 0; round < 300; round++) {
        double d[13];
        const size_t count = 1 + (size_t)(next_random(&random) * 13);
        const double range = round % 2 == 0 ? 5 : 1e6; /* with many ties and zeros; with few */
        for (size_t i = 0; i < count; i++) {
            d[i] = floor((next_random(&random) - 0.3) * range);
            if (round % 3 == 0 && next_random(&random) < 0.2)
                d[i] = next_random(&random) < 0.5 ? INFINITY : -INFINITY;
        }
        EXPECT(dropped(d, count).p, p_by_force(d, count, false), 1e-13);
        EXPECT(signed_rank_test(d, count, ZEROS_PRATT).p, p_by_force(d, count, true), 1e-13);
    }
}

/* Infinite differences in every order among themselves, tied or not, of one sign or of both: p
 * never leaves the bounds, but does go beyond that of all tied. */
TEST(test_every_order)
{
    enum { KNOWN = 14, MOST = 5, LARGE = 100 };
    uint64_t random = 12;
    int beyond = 0;
    for (int round = 0; round < 400; round++) {
        double d[KNOWN + MOST];
        const enum zeros zeros = round % 2 == 0 ? ZEROS_DROPPED : ZEROS_PRATT;
        const size_t known = (size_t)(next_random(&random) * KNOWN);
        const size_t open = 1 + (size_t)(next_random(&random) * (MOST - round % 3));
        const double range = round % 4 < 2 ? 5 : LARGE;
        for (size_t i = 0; i < known; i++)
            d[i] = floor((next_random(&random) - 0.2) * range);
        for (size_t i = known; i < known + open; i++)
            d[i] = round % 3 == 2 && next_random(&random) < 0.3 ? INFINITY : -INFINITY;
        const struct rank_bounds bounds = signed_rank_bounds(d, known + open, zeros);
        const struct signed_rank tied = signed_rank_test(d, known + open, zeros);
        EXPECT(bounds.log10_most, log10(bounds.most), 1e-9);
        assert_true(bounds.positive == tied.positive && bounds.negative == tied.negative);
        size_t orders = 1; /* each has one of `open` places */
        for (size_t i = 0; i < open; i++)
            orders *= open;
        for (size_t order = 0; order < orders; order++) {
            size_t rest = order;
            for (size_t i = known; i < known + open; i++, rest /= open)
                d[i] = copysign(LARGE + 1 + (double)(rest % open), d[i]);
            const double p = signed_rank_test(d, known + open, zeros).p;
            assert_true(bounds.least <= p * (1 + 1e-12) && p <= bounds.most * (1 + 1e-12));
            beyond += p > tied.p * (1 + 1e-12);
            assert_true(open > 1 || fabs(p - bounds.most) <= 1e-12 * p);
        }
    }
    assert_true(beyond > 0);
}

TEST(test_r)
{
    double d[1000];
    /* wilcox.test(f(n), exact = TRUE)$p.value, and of h(n) */
    static const struct {
        void (*fill)(double *, size_t);
        size_t count;
        double p;
    } untied[] = {
        {fill_f, 1, 1},
        {fill_f, 2, 0.5},
        {fill_f, 5, 0.4375},
        {fill_f, 51, 0.030620743414310595},
        {fill_h, 5, 0.3125},
        {fill_h, 51, 0.011301085279729565},
        {fill_h, 301, 8.6799849041400131e-10},
        {fill_h, 1000, 8.51802414623832e-29},
    };
    for (size_t i = 0; i < sizeof untied / sizeof *untied; i++) {
        untied[i].fill(d, untied[i].count);
        const struct signed_rank test = dropped(d, untied[i].count);
        EXPECT(test.p, untied[i].p, test.exact ? 1e-12 : 2e-5);
        EXPECT(test.log10_p, log10(untied[i].p), test.exact ? 1e-12 : 2e-5);
        assert_true(test.exact == (untied[i].count <= 340));
    }
    /* With ties and zeros, z <- g(n)[g(n) != 0]: exactRankTests::perm.test(2 * rank(abs(z)) *
     * sign(z), exact = TRUE)$p.value, and coin::pvalue(wilcoxsign_test(g(n) ~ rep(0, n),
     * distribution = "exact", zero.method = "Pratt")); sum(rank(abs(z))[z > 0]). For 1000 the
     * distribution was counted in R. */
    static const struct {
        size_t count, zeros;
        double dropped, pratt, positive;
    } tied[] = {
        {5, 1, 1, 1, 5.5},
        {51, 3, 0.050203543945421814, 0.057306106219719766, 778.5},
        {301, 13, 7.8142142748515322e-07, 1.2641613382244496e-06, 27711.5},
        {1000, 44, 3.4678899190215419e-19, 1.5805596768389746e-18, 304175.5},
    };
    for (size_t i = 0; i < sizeof tied / sizeof *tied; i++) {
        fill_g(d, tied[i].count);
        const struct signed_rank test = dropped(d, tied[i].count);
        assert_true(test.zeros == tied[i].zeros && test.count == tied[i].count - test.zeros);
        assert_true(test.exact == (tied[i].count <= 340));
        const double share = test.exact ? 1e-11 : 1e-4;
        EXPECT(test.p, tied[i].dropped, share);
        EXPECT(signed_rank_test(d, tied[i].count, ZEROS_PRATT).p, tied[i].pratt, share);
        EXPECT(test.positive, tied[i].positive, 0);
    }
}

TEST(test_all_of_one_sign)
{
    SCOPED double *d = calloc(100000, sizeof *d);
    for (size_t i = 0; i < 100000; i++)
        d[i] = (double)(i + 1);
    static const size_t counts[] = {1, 2, 5, 51, 301, 1000, 1001, 100000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const struct signed_rank test = dropped(d, counts[i]);
        const double exponent = 1 - (double)counts[i]; /* p is 2^exponent */
        assert_true(test.biserial == 1 && test.exact == (counts[i] <= 1000));
        if (test.exact)
            assert_true(test.p == ldexp(1, (int)exponent));
        /* the last of all sums is the worst for the approximation */
        const double error = fabs(test.log10_p - exponent * log10(2));
        assert_true(error < (test.exact ? 1e-11 : log10(1 / 0.87)));
    }
    assert_true(dropped(d, 51).p == 0x1p-50); /* 8.9e-16 */
}

/* Beyond what is counted the saddlepoint answers. psignrank(T, 1000, log.p = TRUE): from the middle
 * to the far tail, where a normal approximation is off by a factor of ten and more. */
TEST(test_saddlepoint)
{
    static const struct {
        size_t sum;
        double log10_p;
    } points[] = {
        {240000, -0.58167428029418755}, {220000, -3.0381513933871789},
        {200000, -7.4779501477962613},  {150000, -28.296395893806242},
        {100000, -65.818054869792334},  {60000, -113.09165979000014},
        {30000, -166.53162138443955},
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        double d[1000];
        size_t left = points[i].sum;
        for (size_t rank = 1000; rank > 0; rank--) { /* losses whose ranks have that sum */
            const bool loss = rank <= left;
            d[rank - 1] = loss ? -(double)rank : (double)rank;
            left -= loss ? rank : 0;
        }
        const struct signed_rank test = dropped(d, 1000);
        assert_true(test.negative == (double)points[i].sum && !test.exact);
        /* a difference of logarithms is the relative error of p */
        if (!(fabs(test.log10_p - points[i].log10_p) * M_LN10 < 3e-4))
            fail_msg("sum %zu: %.12g, expected %.12g", points[i].sum, test.log10_p,
                     points[i].log10_p);
    }
}

/* As far out as can be, with ties: the saddlepoint formula in 40 digits (mpmath: the root of sum of
 * rank / (1 + exp(s rank)) = smaller sum + 1/2 over the doubled ranks, by bisection). */
TEST(test_far_tail)
{
    enum { COUNT = 16000 };
    static double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = i % 300 + 1;
    EXPECT(signed_rank_test(values, COUNT, ZEROS_DROPPED).log10_p, -4816.4584390404017, 1e-13);
    for (int i = 0; i < COUNT; i += 500)
        values[i] = -values[i];
    const struct signed_rank test = signed_rank_test(values, COUNT, ZEROS_DROPPED);
    EXPECT(test.positive, 127835430.5, 0);
    EXPECT(test.negative, 172569.5, 0);
    EXPECT(test.log10_p, -4490.9924255123598, 1e-13);
}

/* Differences of one size are a coin each: the binomial distribution, at any number of them, on
 * both sides of what is counted. */
TEST(test_one_size)
{
    static double d[9000];
    static const size_t counts[] = {51, 340, 1000, 6000, 9000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t count = counts[i];
        for (size_t losses = 0; losses < count / 2; losses += 1 + count / 7) {
            for (size_t k = 0; k < count; k++)
                d[k] = k < losses ? -7 : 7;
            const struct signed_rank test = dropped(d, count);
            const struct sign_test sign = sign_test(losses, count - losses);
            const double error = fabs(test.log10_p - sign.log10_p) * M_LN10;
            const double approximate = losses == 0 ? 0.15 : 1e-3;
            if (!(error < (test.exact ? 1e-9 : approximate)))
                fail_msg("%zu of %zu: log10 p %.12g, the sign test's %.12g", losses, count,
                         test.log10_p, sign.log10_p);
        }
    }
}

TEST(test_edges)
{
    static const double zeros[] = {0, -0.0, 0};
    struct signed_rank test = dropped(zeros, 3);
    assert_true(test.p == 1 && test.log10_p == 0 && test.zeros == 3 && test.count == 0);
    assert_true(isnan(test.biserial));
    assert_true(signed_rank_test(zeros, 3, ZEROS_PRATT).p == 1);
    assert_true(isnan(dropped(zeros, 0).p) && isnan(dropped(zeros, 0).log10_p));
    static const double missing[] = {1, NAN, 2};
    assert_true(isnan(dropped(missing, 3).p) && isnan(dropped(missing, 3).biserial));
    static const double even[] = {3, -3};
    assert_true(dropped(even, 2).p == 1 && dropped(even, 2).biserial == 0);
    /* Kerby 2014: (W+ - W-) / (W+ + W-): ranks 1 (loss), 2, 3, 4 (gains) */
    static const double gains[] = {2, -1, 3, 4};
    EXPECT(dropped(gains, 4).biserial, 0.8, 1e-15);
    /* unsolved against solved: more than any finite difference */
    static const double unsolved[] = {1, 2, -INFINITY, 3, -INFINITY};
    EXPECT(dropped(unsolved, 5).positive, 6, 0);
    EXPECT(dropped(unsolved, 5).negative, 9, 0);
}

/* The order of pairs and which solver comes first change nothing. */
TEST(test_order)
{
    static const size_t counts[] = {51, 301, 1000};
    for (size_t k = 0; k < 3; k++) {
        double d[1000];
        double turned[1000];
        const size_t count = counts[k];
        fill_g(d, count);
        for (size_t i = 0; i < count; i++)
            turned[i] = -d[(i * 11 + 3) % count];
        const struct signed_rank one = dropped(d, count);
        const struct signed_rank other = dropped(turned, count);
        assert_true(one.p == other.p && one.log10_p == other.log10_p);
        assert_true(one.positive == other.negative && one.biserial == -other.biserial);
    }
}

/* All data times 10, as whole numbers, as decimals that no double holds, and in other units. */
TEST(test_units)
{
    enum { COUNT = 40 };
    double a[COUNT], b[COUNT], d[COUNT];
    static const double units[] = {1, 10, 1000, 0.1, 0.001, 1e-9, 1.0 / 3};
    for (int scale = SCALE_LOG; scale <= SCALE_RAW; scale++) {
        double p[2] = {0};
        for (size_t unit = 0; unit < sizeof units / sizeof *units; unit++) {
            for (size_t i = 0; i < COUNT; i++) {
                const double small = (double)(1 + i % 9);
                const double factor = (double)(2 + i * 5 % 4);
                a[i] = (i % 3 == 0 ? small : small * factor) * units[unit];
                b[i] = (i % 3 == 0 ? small * factor : small) * units[unit];
                if (i % 10 == 9)
                    a[i] = b[i];
            }
            paired_differences(a, b, COUNT, (enum scale)scale, d);
            const struct signed_rank test = dropped(d, COUNT);
            assert_true(test.zeros == 4);
            if (unit == 0) {
                p[0] = test.p;
                p[1] = test.positive;
            }
            assert_true(test.p == p[0] && test.positive == p[1]);
        }
    }
    /* 0.3 - 0.1 and 0.5 - 0.3 are one size, although not as doubles */
    static const double x[] = {0.3, 0.3, 0.7};
    static const double y[] = {0.1, 0.5, 0.6};
    paired_differences(x, y, 3, SCALE_RAW, d);
    assert_true(d[0] == -d[1] && d[0] != d[2] && 0.3 - 0.1 != 0.5 - 0.3);
    /* and 6 : 4, 30 : 20 and 2 : 3 */
    static const double u[] = {6, 30, 2, 1e15 + 1, 1e15 + 2};
    static const double v[] = {4, 20, 3, 1e15, 1e15};
    paired_differences(u, v, 5, SCALE_LOG, d);
    assert_true(d[0] == d[1] && d[0] == -d[2]);
    EXPECT(d[0], log(1.5), 1e-15);
    assert_true(d[3] > 0 && d[4] > d[3]); /* counters a millionth of a millionth apart do not tie */
}

TEST(test_differences)
{
    static const double a[] = {0, 0, 3, INFINITY, INFINITY, 2, NAN, -1, 8};
    static const double b[] = {0, 3, 0, INFINITY, 2, INFINITY, 1, 2, 2};
    static const double raw[] = {0, -3, 3, 0, INFINITY, -INFINITY, NAN, -3, 6};
    static const double logs[] = {0,   -INFINITY, INFINITY,          0, INFINITY, -INFINITY,
                                  NAN, NAN,       1.3862943611198906};
    double d[9];
    paired_differences(a, b, 9, SCALE_RAW, d);
    for (size_t i = 0; i < 9; i++)
        EXPECT(d[i], raw[i], 0);
    paired_differences(a, b, 9, SCALE_LOG, d);
    for (size_t i = 0; i < 9; i++)
        EXPECT(d[i], logs[i], 1e-15);
    paired_differences(NULL, NULL, 0, SCALE_LOG, NULL);
}

TEST(test_sign)
{
    /* binom.test(wins, wins + losses)$p.value */
    static const struct {
        size_t wins, losses;
        double p;
    } cases[] = {
        {0, 1, 1},
        {1, 1, 1},
        {0, 5, 0.0625},
        {3, 10, 0.092285156250000028},
        {20, 31, 0.16077960181198842},
        {0, 51, 8.8817841970012937e-16},
        {100, 201, 5.9735507080041538e-09},
        {150, 151, 1},
        {1000, 3000, 2.4915145386299308e-229},
        {0, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EXPECT(sign_test(cases[i].wins, cases[i].losses).p, cases[i].p, 1e-10);
        EXPECT(sign_test(cases[i].losses, cases[i].wins).p, cases[i].p, 1e-10);
    }
    for (size_t i = 0; i < 500; i++)
        assert_true(sign_test(i, i).p == 1 && sign_test(i, i + 1).p == 1);
    /* (log(2) + pbinom(1000, 10000, 0.5, log.p = TRUE)) / log(10) */
    assert_true(sign_test(9000, 1000).p == 0);
    EXPECT(sign_test(9000, 1000).log10_p, -1600.0066204234104, 1e-11);
}
