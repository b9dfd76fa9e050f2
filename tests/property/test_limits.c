/* No verdict that a limit leaves is another without it: a solver that usually needs a quarter less,
 * but blows up on some boards, against a steady one, under limits at six quantiles of the costs.
 *
 * TILELAB_LONG=1 draws 2,000 data sets, else 100. What the limits cost is printed. */
#include "harness/analysis/pairs.h"
#include "tests/support.h"
#include <gsl/gsl_sort.h>
#include <math.h>
#include <unistd.h>

enum { SEED = 25, MOST = 200, LIMITED = 6, LONG_SETS = 2000, QUICK_SETS = 60 };

/* Two solvers on so many boards: the costs are put into the outcomes. */
static void read_boards(struct results *results)
{
    char path[] = "/tmp/test_limits.XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    dprintf(file, "run_id,set,instance,width,height,start,goal,optimal_length,solver,status,"
                  "length,expanded,generated,wall_s\n");
    for (int i = 0; i < 2 * MOST; i++)
        dprintf(file, "%d,s,%d,2,2,1 2 3 0,1 2 3 0,,%s,solved,0,1,1,1\n", i, i / 2,
                i % 2 == 0 ? "steady" : "wild");
    close(file);
    SCOPED_BY(report_end) struct report report = {.file = path};
    assert_true(results_read(results, path, NULL, &report));
    results_settle(results, NULL);
    unlink(path);
}

/* Reads them, and returns what draws their costs; gsl_rng_free. */
static gsl_rng *begin(struct results *results)
{
    *results = (struct results){0};
    read_boards(results);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, SEED);
    return random;
}

/* Costs of so many boards: the wild solver's share `blown` of them grows. */
static void draw_costs(gsl_rng *random, size_t count, double blown, double (*costs)[MOST])
{
    const double wide = gsl_ran_flat(random, 0.5, 2.5);
    const double large = gsl_ran_flat(random, 0.5, 6);
    for (size_t i = 0; i < count; i++) {
        costs[0][i] = floor(exp(7 + gsl_ran_gaussian(random, wide)) + 1);
        double times = 0.75 * exp(gsl_ran_gaussian(random, 0.3));
        if (gsl_rng_uniform(random) < blown)
            times *= exp(large + gsl_ran_gaussian(random, 0.5));
        costs[1][i] = floor(costs[0][i] * times + 1);
    }
}

/* The verdict on `generated` where runs end at their limits. */
static enum conclusion verdict_at(struct results *results, size_t count, double (*costs)[MOST],
                                  double (*limits)[MOST])
{
    const struct block block = {.name = (char *)"s", .set = (char *)"s", .count = count};
    for (size_t solver = 0; solver < 2; solver++)
        for (size_t i = 0; i < count; i++) {
            struct outcome *outcome = &results->outcomes[solver * results->instances.count + i];
            outcome->finished = costs[solver][i] <= limits[solver][i];
            outcome->limited = !outcome->finished;
            double numbers[RUN_NUMBERS_KEPT] = {0};
            numbers[METRIC_generated] = fmin(costs[solver][i], limits[solver][i]);
            outcome->place = (uint32_t)(solver * count + i);
            compact_set(&results->medians, outcome->place, numbers);
        }
    struct pairs pairs = pairs_of(results, &block, &(struct pairs_options){.baseline = 0});
    const enum conclusion conclusion = pairs_by(&pairs, METRIC_generated)->conclusion;
    pairs_end(&pairs);
    return conclusion;
}

static void set_limits(double (*limits)[MOST], double limit)
{
    for (size_t i = 0; i < 2 * MOST; i++)
        limits[i / MOST][i % MOST] = limit;
}

static bool is_side(enum conclusion conclusion)
{
    return conclusion == CONCLUSION_FEWER || conclusion == CONCLUSION_MORE;
}

static bool is_turned(enum conclusion found, enum conclusion truth)
{
    return (is_side(found) || found == CONCLUSION_NONE_SHOWN) && found != truth;
}

TEST(test_no_verdict_is_turned)
{
    static const double blown[] = {0.1, 0.15, 0.3};
    static const double quantiles[LIMITED] = {0.3, 0.5, 0.7, 0.8, 0.9, 0.95};
    static double costs[2][MOST];
    static double limits[2][MOST];
    SCOPED_BY(results_end) struct results results;
    gsl_rng *random = begin(&results);
    const int sets = is_long() ? LONG_SETS : QUICK_SETS;
    int turned = 0, sided = 0, kept = 0, divided = 0;
    for (int set = 0; set < sets; set++) {
        const size_t count = 20 + gsl_rng_uniform_int(random, MOST - 19);
        draw_costs(random, count, blown[set % 3], costs);
        set_limits(limits, INFINITY);
        const enum conclusion truth = verdict_at(&results, count, costs, limits);
        divided += truth == CONCLUSION_DIVIDED;
        double all[2 * MOST];
        for (size_t i = 0; i < 2 * count; i++)
            all[i] = costs[i / count][i % count];
        gsl_sort(all, 1, 2 * count);
        for (size_t i = 0; i < LIMITED; i++) {
            set_limits(limits, floor(all[(size_t)(quantiles[i] * (double)(2 * count - 1))]));
            const enum conclusion found = verdict_at(&results, count, costs, limits);
            turned += is_turned(found, truth);
            sided += is_side(truth);
            kept += is_side(truth) && found == truth;
        }
    }
    printf("%d data sets, seed %d, %d limits each: %d verdicts turned; %d sets where ranks and "
           "means disagree; of %d verdicts without a limit %d stand under it\n",
           sets, SEED, LIMITED, turned, divided, sided, kept);
    assert_int_equal(turned, 0);
    assert_true(divided > 0 && kept > 0);
    gsl_rng_free(random);
}

/* Powers of two, so that many differences tie. One run ends at a power of two; without a limit it
 * would have needed some more, which ties with nothing. */
TEST(test_no_verdict_is_turned_by_ties)
{
    enum { BOARDS = 12, TIED_SETS = 1500, TIED_LONG_SETS = 100000 };
    static double costs[2][MOST];
    static double limits[2][MOST];
    SCOPED_BY(results_end) struct results results;
    gsl_rng *random = begin(&results);
    int turned = 0, sided = 0;
    for (int set = 0; set < (is_long() ? TIED_LONG_SETS : TIED_SETS); set++) {
        for (size_t i = 0; i < BOARDS; i++) {
            costs[0][i] = ldexp(10, 1 + (int)gsl_rng_uniform_int(random, 5));
            costs[1][i] = ldexp(10, (int)gsl_rng_uniform_int(random, 5));
        }
        set_limits(limits, INFINITY);
        const size_t solver = gsl_rng_uniform_int(random, 2);
        const size_t board = gsl_rng_uniform_int(random, BOARDS);
        limits[solver][board] = costs[solver][board];
        costs[solver][board] *= gsl_ran_flat(random, 1, 3);
        const enum conclusion found = verdict_at(&results, BOARDS, costs, limits);
        set_limits(limits, INFINITY);
        const enum conclusion truth = verdict_at(&results, BOARDS, costs, limits);
        sided += is_side(found);
        turned += is_turned(found, truth);
    }
    printf("%d of %d verdicts on tied costs turned\n", turned, sided);
    assert_int_equal(turned, 0);
    assert_true(sided > 0);
    gsl_rng_free(random);
}
