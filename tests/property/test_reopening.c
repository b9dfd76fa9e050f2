/* A* under a heuristic that is admissible but not consistent: closed nodes are reopened, and the
 * paths stay shortest, or within the bound where h is weighted.
 *
 * No heuristic of the table reopens anything (misplaced with count_blank is off by one at most, and
 * the moves' parity asks for two), so one is made here: the Manhattan distance, but 0 on every
 * other board, chosen by a hash. */
#include "heuristics/heuristic.h"
#include "tests/support.h"
#include <xxhash.h>

static const struct option_row no_options[] = NO_OPTIONS;

static unsigned evaluate(const struct heuristic *heuristic, const struct board *board)
{
    return XXH32(board->cell, sizeof board->cell, 1) % 2 == 0
               ? 0
               : manhattan_evaluate(heuristic, board);
}

static unsigned step(const struct heuristic *heuristic, const struct board *child,
                     UNUSED unsigned h, UNUSED unsigned tile, UNUSED unsigned from,
                     UNUSED unsigned to)
{
    return evaluate(heuristic, child);
}

static const struct heuristic_kind patchy = {
    "patchy",   "Manhattan distance or 0", ADMISSIBLE, NULL,
    no_options, manhattan_prepare,         evaluate,   step};

TEST(test_reopening_keeps_paths_shortest)
{
    const char *const solvers[] = {"astar(manhattan)",
                                   "astar(manhattan, ties=low_g)",
                                   "astar(manhattan, ties=fifo)",
                                   "astar(manhattan, ties=lifo)",
                                   "lcbb(manhattan, duplicates=stored)",
                                   "wastar(manhattan, w=1)",
                                   "wastar(manhattan, w=1.25)",
                                   "wastar(manhattan, w=2, ties=fifo)"};
    const struct limits limits = {.bytes = 1 << 30};
    struct task task = {.goal = board_of("1 2 3 8 0 4 7 6 5"), .order = DEFAULT_ORDER};
    SCOPED_BY(distances_end) struct distances distances = distances_to(&task.goal);
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        struct solver solver = solver_of(solvers[s]);
        solver.heuristic.kind = &patchy;
        uint64_t reopened = 0;
        for (uint32_t i = 0; i < 60; i++) {
            uint32_t rank = (uint32_t)((i * 104729ULL) % distances.ranking.size);
            ranking_unrank(&distances.ranking, rank, &task.start);
            SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
            assert_int_equal(result.status, STATUS_solved);
            ASSERT_REACHES_GOAL(&task, &result);
            assert_true(result.length >= distances.depth[rank]);
            assert_true(result.length * DECIMAL_ONE <=
                        distances.depth[rank] * (uint64_t)solver_bound(&solver));
            reopened += result.statistics.reopened;
            /* Every state is stored once, and expanded once more for every time it was reopened. */
            assert_true(result.statistics.max_stored <= distances.ranking.size);
            assert_true(result.statistics.expanded <=
                        result.statistics.max_stored + result.statistics.reopened);
        }
        assert_true(reopened > 0);
    }
}

/* Closed nodes stay closed where that is asked for; nothing is promised then, as the heuristic is
 * not consistent, and a path that is too long comes up. */
TEST(test_not_reopening_promises_nothing)
{
    const struct limits limits = {.bytes = 1 << 30};
    struct solver solver = solver_of("wastar(manhattan, w=1, reopen=false)");
    struct task task = {.goal = board_of("1 2 3 8 0 4 7 6 5"), .order = DEFAULT_ORDER};
    uint32_t longer = 0;
    assert_int_equal(solver_bound(&solver), DECIMAL_ONE);
    solver.heuristic.kind = &patchy;
    assert_int_equal(solver_bound(&solver), 0);
    SCOPED_BY(distances_end) struct distances distances = distances_to(&task.goal);
    for (uint32_t i = 0; i < 60; i++) {
        uint32_t rank = (uint32_t)((i * 104729ULL) % distances.ranking.size);
        ranking_unrank(&distances.ranking, rank, &task.start);
        SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
        assert_int_equal(result.status, STATUS_solved);
        assert_int_equal(result.statistics.reopened, 0);
        assert_true(result.statistics.expanded <= result.statistics.max_stored);
        longer += result.length > distances.depth[rank];
    }
    assert_true(longer > 0);
}
