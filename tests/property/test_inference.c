/* What p values and intervals promise, on simulated data: p values are uniform where nothing is
 * there to be found, and 95 % intervals hold the true value in 95 % of all data sets.
 *
 * TILELAB_LONG=1 draws ten times as many data sets for p values, and adds the intervals of ratios
 * of nodes expanded by A* with misplaced tiles and with Manhattan distance on boards drawn from the
 * whole 8-puzzle, all 181,440 of which it solves first. The coverages are printed. */
#include "harness/analysis/friedman.h"
#include "harness/analysis/growth.h"
#include "harness/analysis/hodges_lehmann.h"
#include "harness/analysis/kendall.h"
#include "harness/analysis/signed_rank.h"
#include "harness/analysis/statistics.h"
#include "harness/analysis/survival.h"
#include "tests/support.h"
#include <gsl/gsl_sort.h>
#include <math.h>

enum { SEED = 2026, SETS = 1000, MAX_COUNT = 1001 };

static gsl_rng *generator_of(unsigned long seed)
{
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(generator);
    gsl_rng_set(generator, seed);
    return generator;
}

/* One p value of data that were drawn where the hypothesis holds. */
typedef double draw(gsl_rng *generator);

/* Differences that are symmetric about zero but of very different sizes. */
static double signed_rank_p(gsl_rng *generator, size_t count)
{
    double differences[MAX_COUNT];
    for (size_t i = 0; i < count; i++)
        differences[i] = gsl_ran_tdist(generator, 2);
    return signed_rank_test(differences, count, ZEROS_DROPPED).p;
}

static double signed_rank_exact(gsl_rng *generator)
{
    return signed_rank_p(generator, 51);
}

static double signed_rank_saddlepoint(gsl_rng *generator)
{
    return signed_rank_p(generator, MAX_COUNT);
}

/* Some instances that neither solver solves, and some that only one does, as likely either. */
static double signed_rank_unsolved(gsl_rng *generator)
{
    double a[100], b[100], differences[100];
    for (size_t i = 0; i < 100; i++) {
        const double hard = gsl_ran_gaussian(generator, 2);
        a[i] = exp(hard + gsl_ran_gaussian(generator, 1));
        b[i] = exp(hard + gsl_ran_gaussian(generator, 1));
        a[i] = a[i] > 5 ? INFINITY : a[i];
        b[i] = b[i] > 5 ? INFINITY : b[i];
    }
    paired_differences(a, b, 100, SCALE_LOG, differences);
    return signed_rank_test(differences, 100, ZEROS_DROPPED).p;
}

static double kendall_p(gsl_rng *generator, size_t count, double values)
{
    double x[MAX_COUNT], y[MAX_COUNT];
    for (size_t i = 0; i < count; i++) {
        x[i] = floor(gsl_rng_uniform(generator) * values);
        y[i] = floor(gsl_rng_uniform(generator) * values);
    }
    return kendall_tau_b(x, y, count).p;
}

static double kendall_exact(gsl_rng *generator)
{
    return kendall_p(generator, 12, 1e9);
}

static double kendall_tied(gsl_rng *generator)
{
    return kendall_p(generator, 200, 25);
}

static double friedman_p(gsl_rng *generator)
{
    double costs[4 * 40], ranks[4];
    for (size_t i = 0; i < 4 * 40; i++)
        costs[i] = floor(gsl_ran_exponential(generator, 20)); /* some ties */
    return friedman_test(costs, 4, 40, ranks).p;
}

static double logrank_p(gsl_rng *generator)
{
    double costs[180];
    bool censored[180];
    size_t group[180];
    for (size_t i = 0; i < 180; i++) {
        costs[i] = ceil(gsl_ran_exponential(generator, 100));
        censored[i] = costs[i] > 150;
        costs[i] = fmin(costs[i], 150);
        group[i] = i % 3;
    }
    return logrank_test(costs, censored, group, 180, 3).p;
}

/* The largest distance between the share of p values up to a number and that number, at numbers
 * that p takes: an exact p of few values is no smaller than uniform between them. */
static double distance_from_uniform(double *p, size_t count)
{
    double distance = 0;
    gsl_sort(p, 1, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(p[i] >= 0 && p[i] <= 1);
        if (i + 1 < count && p[i + 1] == p[i])
            continue;
        distance = fmax(distance, fabs((double)(i + 1) / (double)count - p[i]));
    }
    return distance;
}

TEST(test_uniform)
{
    static const struct {
        const char *name;
        draw *draw;
    } tests[] = {
        {"signed ranks, 51, exact", signed_rank_exact},
        {"signed ranks, 1001, saddlepoint", signed_rank_saddlepoint},
        {"signed ranks, 100, some unsolved", signed_rank_unsolved},
        {"Kendall, 12, exact", kendall_exact},
        {"Kendall, 200, ties", kendall_tied},
        {"Friedman, 40 by 4, ties", friedman_p},
        {"log-rank, 3 groups, censored", logrank_p},
    };
    const size_t sets = is_long() ? 10 * SETS : SETS;
    SCOPED double *p = calloc(sets, sizeof *p);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        gsl_rng *generator = generator_of(SEED + i);
        for (size_t set = 0; set < sets; set++)
            p[set] = tests[i].draw(generator);
        gsl_rng_free(generator);
        /* Kolmogorov's 1 % point, and a hundredth for approximations and for steps in p */
        const double distance = distance_from_uniform(p, sets);
        const double allowed = 1.63 / sqrt((double)sets) + 0.01;
        printf("p of %-34s %zu data sets, seed %zu: distance from uniform %.4f, allowed %.4f\n",
               tests[i].name, sets, SEED + i, distance, allowed);
        assert_true(distance <= allowed);
    }
}

/* What a data set is drawn from: a law, or values, with replacement. */
struct population {
    const char *name;
    draw *law;
    const double *values;
    size_t count;
    double mean;
    unsigned least, most; /* percent of the data sets that are covered, for the counts below */
};

static double drawn(const struct population *population, gsl_rng *generator)
{
    if (population->law != NULL)
        return population->law(generator);
    return population->values[gsl_rng_uniform_int(generator, population->count)];
}

/* The interval of the mean of logarithms, which is that of the ratio of geometric means. */
static void expect_coverage(const struct population *population)
{
    static const size_t counts[] = {3, 5, 10, 20, 50};
    const size_t sets = population->law != NULL ? 10 * SETS : SETS;
    double least = 100;
    double most = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        gsl_rng *generator = generator_of(SEED + counts[i]);
        size_t covers = 0;
        for (size_t set = 0; set < sets; set++) {
            double logs[50];
            for (size_t k = 0; k < counts[i]; k++)
                logs[k] = drawn(population, generator);
            const struct interval interval = mean_estimate(logs, counts[i]).interval;
            covers += interval.low <= population->mean && population->mean <= interval.high;
        }
        gsl_rng_free(generator);
        const double share = 100.0 * (double)covers / (double)sets;
        least = fmin(least, share);
        most = fmax(most, share);
        printf("ratio of geometric means, %s, n = %zu: the 95 %% interval covers in %.1f %% of %zu "
               "data sets, seed %zu\n",
               population->name, counts[i], share, sets, SEED + counts[i]);
    }
    assert_int_equal(lround(least), population->least);
    assert_int_equal(lround(most), population->most);
}

static double normal_log(gsl_rng *generator)
{
    return 0.7 + gsl_ran_gaussian(generator, 0.8);
}

static double exponential_log(gsl_rng *generator)
{
    return gsl_ran_exponential(generator, 1);
}

static double lognormal_log(gsl_rng *generator)
{
    return gsl_ran_lognormal(generator, 0, 1);
}

static double tied_log(gsl_rng *generator)
{
    return gsl_rng_uniform(generator) < 0.8 ? 0 : normal_log(generator);
}

/* The figures of results/README.md. */
TEST(test_laws)
{
    static const struct population laws[] = {
        {"normal logs", normal_log, NULL, 0, 0.7, 95, 95},
        {"exponential logs", exponential_log, NULL, 0, 1, 88, 94},
        {"log-normal logs", lognormal_log, NULL, 0, 1.6487212707001282, 82, 90},
        {"80 % ties", tied_log, NULL, 0, 0.2 * 0.7, 47, 92},
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        expect_coverage(&laws[i]);
}

/* Of the pseudo-median and of a slope by Theil and Sen: never much below 95 %; above it where the
 * rank sums have few values. */
TEST(test_rank_intervals)
{
    static const size_t counts[] = {6, 10, 51, 350}; /* the last in the long tier */
    for (size_t i = 0; i < (is_long() ? 4 : 3); i++) {
        gsl_rng *generator = generator_of(SEED + counts[i]);
        size_t medians = 0;
        size_t slopes = 0;
        for (size_t set = 0; set < SETS; set++) {
            double x[350], y[350];
            for (size_t k = 0; k < counts[i]; k++) {
                x[k] = (double)(k % 30);
                y[k] = gsl_ran_tdist(generator, 2);
            }
            struct interval interval = hodges_lehmann(y, counts[i]).interval;
            medians += interval.low <= 0 && interval.high >= 0;
            interval = growth_theil_sen(x, y, counts[i]).interval;
            slopes += interval.low <= 0 && interval.high >= 0;
        }
        gsl_rng_free(generator);
        printf("n = %zu: the 95 %% interval of the pseudo-median covers in %.1f %%, of the slope "
               "in %.1f %% of %d data sets, seed %zu\n",
               counts[i], 100.0 * (double)medians / SETS, 100.0 * (double)slopes / SETS, SETS,
               SEED + counts[i]);
        assert_true(medians >= 930 && medians <= (counts[i] < 20 ? 990 : 970));
        assert_true(slopes >= 930 && slopes <= (counts[i] < 20 ? 990 : 970));
    }
}

static double expanded_by(const struct solver *solver, const struct task *task)
{
    const struct limits limits = {.bytes = UINT64_C(1) << 30};
    SCOPED_BY(result_end) struct result result = result_of(solver, task, &limits, NULL);
    assert_int_equal(result.status, STATUS_solved);
    return (double)result.statistics.expanded;
}

LONG_TEST(test_puzzle_ratios)
{
    const struct solver misplaced = solver_of("astar(misplaced)");
    const struct solver manhattan = solver_of("astar(manhattan)");
    const struct board goal = goal_of("blank-last", 3, 3);
    struct ranking ranking = ranking_of(&goal);
    SCOPED double *ratios = calloc(ranking.size, sizeof *ratios);
    size_t count = 0;
    for (uint32_t rank = 0; rank < ranking.size; rank++) {
        struct task task = {.goal = goal, .order = "ULRD"};
        ranking_unrank(&ranking, rank, &task.start);
        const double other = expanded_by(&manhattan, &task);
        if (other > 0) /* not the goal itself */
            ratios[count++] = log(expanded_by(&misplaced, &task) / other);
    }
    assert_int_equal(count, 181439);
    const struct population population = {"astar(misplaced) / astar(manhattan) on the 8-puzzle",
                                          NULL,
                                          ratios,
                                          count,
                                          mean_of(ratios, count),
                                          95,
                                          96};
    printf("mean of the logarithms %.6f\n", population.mean);
    expect_coverage(&population);
}
