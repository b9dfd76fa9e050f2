/* What holds between algorithms: one that is another under a different name counts the same, cell
 * by cell. */
#include "algorithms/solver.h"
#include "puzzle/distance.h"
#include "puzzle/replay.h"
#include "tests/support.h"

static const struct limits roomy = {.bytes = UINT64_C(1) << 30};

static struct result run(const char *text, const struct task *task, const struct limits *limits)
{
    const struct solver solver = solver_of(text);
    struct result result;
    solver_run(&solver, task, limits, NULL, &result);
    if (result.status == STATUS_solved)
        assert_int_equal(
            replay_path(&task->start, &task->goal, result.moves, result.length).outcome,
            REPLAY_REACHES_GOAL);
    return result;
}

/* The same status, path length and counters; bytes are another matter. */
static void expect_same(const char *text, const char *other, const struct task *task)
{
    struct result result = run(text, task, &roomy);
    struct result same = run(other, task, &roomy);
    assert_string_equal(status_rows[result.status].name, status_rows[same.status].name);
    assert_int_equal(result.length, same.length);
    for (unsigned i = 0; i < COUNTERS; i++) {
        const uint64_t is = statistics_value(&result.statistics, i);
        const uint64_t was = statistics_value(&same.statistics, i);
        if (is != was && strcmp(counters[i].name, "peak_bytes") != 0)
            fail_msg("%s: %s %llu; %s: %llu", text, counters[i].name, (unsigned long long)is, other,
                     (unsigned long long)was);
    }
    result_end(&result);
    result_end(&same);
}

/* Boards of 3x3 evenly spread over the ranks, for each goal and order. */
static void on_sample(uint32_t count, void (*check)(const struct task *task))
{
    const char *const goals[] = {"1 2 3 4 5 6 7 8 0", "1 2 3 8 0 4 7 6 5"};
    const char *const orders[] = {DEFAULT_ORDER, "DRLU"};
    for (unsigned i = 0; i < 2; i++) {
        struct task task = {.goal = board_of(goals[i]), .order = orders[i]};
        struct ranking ranking;
        assert_true(ranking_make(&task.goal, &ranking));
        for (uint32_t k = 0; k < count; k++) {
            ranking_unrank(&ranking, (uint32_t)(k * UINT64_C(104729) % ranking.size), &task.start);
            check(&task);
        }
    }
}

/* With moves that all cost 1, uniform-cost search is A* without an estimate, and first come, first
 * served is breadth first. */
static void check_ucs(const struct task *task)
{
    expect_same("ucs", "astar(zero, ties=fifo)", task);
    expect_same("ucs(ties=lifo)", "astar(zero, ties=lifo)", task);
    expect_same("ucs(ties=lifo)", "astar(zero)", task);
    expect_same("ucs", "bfs(goal_test=removal)", task);
}

static void test_ucs_is_astar_without_an_estimate(void **state)
{
    (void)state;
    on_sample(4, check_ucs);
}

/* Iterative deepening counts what its rounds would count as searches of their own, but for the
 * root, generated once. */
static void check_rounds(const char *options, const struct task *task, unsigned deepest)
{
    char text[64];
    struct statistics sum = {.generated = 1};
    enum status status = STATUS_exhausted;
    for (unsigned limit = 0; limit <= deepest && status == STATUS_exhausted; limit++) {
        snprintf(text, sizeof text, "dfs(%s, depth_limit=%u)", options, limit);
        struct result round = run(text, task, &roomy);
        sum.expanded += round.statistics.expanded;
        sum.generated += round.statistics.generated - 1;
        sum.duplicates += round.statistics.duplicates;
        raise_to(&sum.max_open, round.statistics.max_open);
        raise_to(&sum.max_stored, round.statistics.max_stored);
        raise_to(&sum.max_depth, round.statistics.max_depth);
        sum.iterations++;
        status = round.status;
        result_end(&round);
    }
    snprintf(text, sizeof text, "iddfs(%s, depth_limit=%u)", options, deepest);
    struct result result = run(text, task, &roomy);
    assert_int_equal(result.status, status);
    for (unsigned i = 0; i < COUNTERS; i++)
        if (strcmp(counters[i].name, "peak_bytes") != 0)
            assert_int_equal(statistics_value(&result.statistics, i), statistics_value(&sum, i));
    result_end(&result);
}

static void check_iddfs(const struct task *task)
{
    check_rounds("duplicates=path", task, 15);
    check_rounds("duplicates=none", task, 9);
    /* No path of fewer than twelve moves meets itself. */
    expect_same("iddfs(depth_limit=11)", "iddfs(duplicates=path, depth_limit=11)", task);
}

static void test_iddfs_is_a_series_of_dfs(void **state)
{
    struct task task = {.start = board_of("1 5 2 8 0 3 4 7 6"),
                        .goal = board_of("1 2 3 4 5 6 7 8 0"),
                        .order = DEFAULT_ORDER};
    (void)state;
    on_sample(6, check_iddfs);
    check_rounds("duplicates=path", &task, 15); /* found after eight moves */
    check_rounds("duplicates=none", &task, 15);
    task.start = board_of("2 4 1 7 5 3 8 0 6");
    check_rounds("duplicates=path", &task, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iddfs_is_a_series_of_dfs),
        cmocka_unit_test(test_ucs_is_astar_without_an_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
