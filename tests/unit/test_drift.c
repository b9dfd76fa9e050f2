/* Control runs: which are said to have drifted, and how often that is a false alarm. */
#include "harness/analysis/drift.h"
#include "tests/unit/numbers.h"
#include <gsl/gsl_randist.h>

enum { MOST = 100 };

/* Control runs of one worker with these logarithms of times, by wall and processor time. */
static struct drift chain(double logs[MOST], size_t count)
{
    struct drift drift = {.count = count, .runs = heap_take(count, sizeof *drift.runs)};
    for (size_t i = 0; i < count; i++)
        drift.runs[i] = (struct drift_run){.id = i + 1,
                                           .previous = i,
                                           .alike = 1,
                                           .host = heap_text("here"),
                                           .finished = "2026-01-01T00:00:00Z",
                                           .log_time = {logs[i], logs[i]}};
    drift_settle(&drift);
    return drift;
}

static size_t drifted_of(double logs[MOST], size_t count)
{
    SCOPED_BY(drift_end) struct drift drift = chain(logs, count);
    size_t drifted = 0;
    for (size_t i = 0; i < count; i++)
        drifted += drift.runs[i].drifted;
    return drifted;
}

/* Noise of 30 %, as log-normal, with an exponential on top, or with Student's t. */
static double noise_of(const gsl_rng *random, unsigned kind)
{
    return kind == 0   ? gsl_ran_gaussian(random, 0.3)
           : kind == 1 ? log1p(gsl_ran_exponential(random, 0.3))
                       : 0.3 * gsl_ran_tdist(random, 3);
}

TEST(test_false_alarms)
{
    enum { SETS = 500 };
    static const size_t counts[] = {5, 10, 20, 50, 100};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            size_t sets = 0;
            size_t alarms = 0;
            for (size_t set = 0; set < SETS; set++) {
                double logs[MOST];
                for (size_t j = 0; j < counts[i]; j++)
                    logs[j] = noise_of(random, kind);
                const size_t drifted = drifted_of(logs, counts[i]);
                sets += drifted > 0;
                alarms += drifted;
            }
            if (kind == 0)
                assert_true(sets <= SETS / 25); /* 2 of 100, and what 500 sets vary by */
            assert_true((double)alarms / (double)(SETS * counts[i]) < 0.016);
        }
    }
    gsl_rng_free(random);
}

/* With 1 % of noise: a step of 30 % in the middle, and a trend to 60 %, are no noise; 4 % are none.
 */
TEST(test_drift_is_seen)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double still[MOST], step[MOST], trend[MOST], small[MOST], once[MOST];
    for (size_t i = 0; i < 20; i++) {
        still[i] = gsl_ran_gaussian(random, 0.01);
        step[i] = still[i] + (i >= 10 ? log(1.3) : 0);
        trend[i] = still[i] + log(1.6) * (double)i / 19;
        small[i] = still[i] / 10 + (i == 7 ? log(1.04) : 0);
        once[i] = still[i] + (i == 7 ? log(1.5) : 0);
    }
    assert_true(drifted_of(still, 20) == 0);
    assert_true(drifted_of(step, 20) == 20); /* two speeds: neither is the right one */
    assert_true(drifted_of(trend, 20) >= 6); /* both ends */
    assert_true(drifted_of(small, 20) == 0);
    assert_true(drifted_of(once, 4) == 0); /* too few to say */
    SCOPED_BY(drift_end) struct drift drift = chain(once, 20);
    SCOPED char *text = drift_text(&drift);
    for (size_t i = 0; i < 20; i++) /* the runs before and after the eighth */
        assert_true(drift_beside(&drift, i + 1) == (i == 6 || i == 7));
    assert_true(!drift_beside(&drift, 0) && !drift_beside(&drift, 99));
    assert_true(strncmp(text, "on here they took up to ", 24) == 0 && strstr(text, " % longer"));
    gsl_rng_free(random);
}

/* Another machine, solver or board is not compared with this one. */
TEST(test_only_alike)
{
    struct drift drift = {.count = 40, .runs = heap_take(40, sizeof *drift.runs)};
    for (size_t i = 0; i < drift.count; i++)
        drift.runs[i] = (struct drift_run){.id = i + 1,
                                           .previous = i % 20 == 0 ? 0 : i,
                                           .alike = 1 + i / 20,
                                           .host = heap_text(i < 20 ? "a" : "b"),
                                           .log_time = {i < 20 ? 0 : 5, i < 20 ? 0 : 5}};
    drift_settle(&drift);
    assert_true(drift_text(&drift) == NULL);
    drift_end(&drift);
}
