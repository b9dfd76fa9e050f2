/* Which run is in which shard: every run in one, loads alike, the same for everybody. */
#include "harness/experiment/shards.h"
#include "tests/support.h"
#include <math.h>

enum { SOLVERS = 3, INSTANCES = 20, REPETITIONS = 2, RUNS = SOLVERS * INSTANCES * REPETITIONS };
enum { UNITS = INSTANCES * REPETITIONS };

struct fixture {
    struct experiment_solver solvers[SOLVERS];
    struct experiment experiment;
};

static int set_up(void **state)
{
    static const double seconds[SOLVERS] = {60, 5, 0.5};
    struct fixture *fixture = heap_take(1, sizeof *fixture);
    const struct board goal = board_of("1 2 3 4 5 6 7 8 0");
    for (unsigned i = 0; i < SOLVERS; i++)
        fixture->solvers[i].limits.seconds = seconds[i];
    fixture->experiment = (struct experiment){.solvers = fixture->solvers,
                                              .solver_count = SOLVERS,
                                              .seed = 7,
                                              .repetitions = REPETITIONS};
    for (unsigned i = 0; i < INSTANCES; i++) {
        instance_add(&fixture->experiment.instances, "s", text_of("%u", i + 1), &goal, &goal, 0);
    }
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    instance_list_end(&fixture->experiment.instances);
    free(fixture);
    return 0;
}

/* The loads are the sums over the shards' runs, and differ by `unit` seconds at most. */
static void check_loads(const struct experiment *experiment, const struct shards *shards,
                        double unit)
{
    double least = HUGE_VAL;
    double most = 0;
    for (unsigned k = 1; k <= shards->count; k++) {
        size_t count;
        double seconds = 0;
        uint32_t *runs = shards_runs(shards, k, false, &count);
        for (size_t i = 0; i < count; i++)
            seconds +=
                experiment->solvers[experiment_cell(experiment, runs[i]).solver].limits.seconds;
        free(runs);
        assert_int_equal(count, shards->loads[k - 1].runs);
        assert_true(fabs(seconds - shards->loads[k - 1].seconds) < 1e-6);
        least = fmin(least, seconds);
        most = fmax(most, seconds);
    }
    assert_true(most - least <= unit + 1e-6);
}

TEST(each_run_is_in_one_shard)
{
    const struct experiment *experiment = &((struct fixture *)*state)->experiment;
    static const unsigned counts[] = {1, 2, 3, 7, UNITS, UNITS + 1, RUNS, RUNS + 30};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        SCOPED_BY(shards_end) struct shards shards = shards_of(experiment, counts[c]);
        unsigned char seen[RUNS] = {0};
        assert_int_equal(shards.torn, counts[c] > UNITS);
        for (unsigned k = 1; k <= counts[c]; k++) {
            size_t count;
            SCOPED uint32_t *runs = shards_runs(&shards, k, false, &count);
            for (size_t i = 0; i < count; i++)
                seen[runs[i]]++;
        }
        for (size_t i = 0; i < RUNS; i++)
            assert_int_equal(seen[i], 1);
        check_loads(experiment, &shards, shards.torn ? 60 : 65.5);
    }
}

TEST(solvers_stay_together_on_an_instance)
{
    const struct experiment *experiment = &((struct fixture *)*state)->experiment;
    SCOPED_BY(shards_end) struct shards shards = shards_of(experiment, 7);
    for (size_t i = 0; i < RUNS; i++)
        for (size_t j = 0; j < i; j++) {
            const struct matrix_cell a = experiment_cell(experiment, i);
            const struct matrix_cell b = experiment_cell(experiment, j);
            if (a.instance == b.instance && a.repetition == b.repetition)
                assert_int_equal(shards.of[i], shards.of[j]);
        }
}

/* Longest first: with a shard for each of the longest runs none has two of them. */
TEST(long_runs_are_spread)
{
    const struct experiment *experiment = &((struct fixture *)*state)->experiment;
    SCOPED_BY(shards_end) struct shards shards = shards_of(experiment, UNITS + 5);
    unsigned longs[UNITS + 5] = {0};
    for (size_t i = 0; i < RUNS; i++)
        longs[shards.of[i]] += experiment_cell(experiment, i).solver == 0;
    for (unsigned k = 0; k < UNITS + 5; k++)
        assert_true(longs[k] <= 1);
}

TEST(it_is_the_same_every_time_and_follows_the_seed)
{
    struct experiment *experiment = &((struct fixture *)*state)->experiment;
    SCOPED_BY(shards_end) struct shards first = shards_of(experiment, 5);
    SCOPED_BY(shards_end) struct shards second = shards_of(experiment, 5);
    experiment->seed = 8;
    SCOPED_BY(shards_end) struct shards other = shards_of(experiment, 5);
    assert_memory_equal(first.of, second.of, RUNS * sizeof *first.of);
    assert_memory_not_equal(first.of, other.of, RUNS * sizeof *first.of);
}

/* A shard's runs are started in the order in which one machine would start them. */
TEST(the_order_is_that_of_the_whole)
{
    const struct experiment *experiment = &((struct fixture *)*state)->experiment;
    SCOPED_BY(shards_end) struct shards shards = shards_of(experiment, 3);
    SCOPED uint32_t *order = experiment_run_order(experiment);
    size_t count;
    SCOPED uint32_t *own = shards_runs(&shards, 2, false, &count);
    size_t next = 0;
    for (size_t i = 0; i < RUNS && next < count; i++)
        next += order[i] == own[next];
    assert_int_equal(next, count);
    assert_true(count > 0);
}

TEST(no_limits_of_time_divide_by_runs)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < SOLVERS; i++)
        fixture->solvers[i].limits.seconds = 0;
    SCOPED_BY(shards_end) struct shards shards = shards_of(&fixture->experiment, 8);
    for (unsigned k = 0; k < 8; k++)
        assert_int_equal(shards.loads[k].runs, RUNS / 8);
}

/* How long a shard's runs take in their order, `jobs` at a time, if each takes its limit. */
static double makespan(const struct experiment *experiment, const struct shards *shards,
                       unsigned number, unsigned jobs)
{
    double ends[4] = {0};
    double last = 0;
    size_t count;
    SCOPED uint32_t *runs = shards_runs(shards, number, false, &count);
    for (size_t i = 0; i < count; i++) {
        unsigned first = 0;
        for (unsigned job = 1; job < jobs; job++)
            if (ends[job] < ends[first])
                first = job;
        ends[first] +=
            experiment->solvers[experiment_cell(experiment, runs[i]).solver].limits.seconds;
        last = fmax(last, ends[first]);
    }
    return last;
}

TEST(the_worst_case_is_one)
{
    const struct experiment *experiment = &((struct fixture *)*state)->experiment;
    static const unsigned counts[] = {1, 7, 13, UNITS, UNITS + 1, RUNS + 30};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        SCOPED_BY(shards_end) struct shards shards = shards_of(experiment, counts[c]);
        for (unsigned jobs = 1; jobs <= 4; jobs++)
            for (unsigned k = 1; k <= counts[c]; k++) {
                const double takes = makespan(experiment, &shards, k, jobs);
                const double worst = shard_load_worst(&shards.loads[k - 1], jobs);
                assert_true(takes <= worst + 1e-6);
                assert_true(worst <= takes + 60 + 1e-6); /* nor much more: a run at most */
                assert_true(jobs > 1 || worst <= takes + 1e-6);
            }
    }
    const struct shard_load all = shard_load_of(experiment);
    assert_int_equal(all.runs, RUNS);
    assert_true(fabs(all.seconds - UNITS * 65.5) < 1e-6);
    assert_true(fabs(all.longest - 60) < 1e-6);
}

TEST(names_are_read)
{
    static const char *const bad[] = {
        "",      "3",     "/",
        "0/3",   "4/3",   "1/0",
        "1/",    "/3",    "1/3/",
        "1/3/4", " 1/3",  "1/ 3",
        "+1/3",  "-1/3",  "1/3x",
        "01/3",  "1/03",  "1/1000001",
        "a/b",   "1.0/3", "99999999999999999999999/99999999999999999999999"};
    struct shard shard;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (shard_parse(bad[i], &shard))
            fail_msg("'%s' was read", bad[i]);
    assert_true(shard_parse("1/1", &shard));
    assert_true(shard_parse("999999/1000000", &shard));
    assert_int_equal(shard.number, 999999);
    assert_int_equal(shard.count, 1000000);
}

AROUND_EACH_TEST(set_up, tear_down)
