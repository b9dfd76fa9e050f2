/* Solvers that call themselves optimal, on every board of shapes smaller than the 8-puzzle: narrow
 * boards, where a blank has few ways to go and paths are long. Of those of 2x4 and 4x2, 20,160
 * each, one in 11 in the quick tier; TILELAB_LONG=1 takes all. */
#include "tests/support.h"

/* Boards of a shape that are passed over; most where the build is slow (assertions are on in every
 * such build). */
#ifdef NDEBUG
enum { STEP = 11 };
#else
enum { STEP = 37 };
#endif

static const struct {
    unsigned width, height;
    const char *goal;
    const char *solver;
} cases[] = {
    {2, 2, "1 2 3 0", "iddfs"},
    {2, 2, "1 2 3 0", "bibfs"},
    {3, 2, "1 2 3 4 5 0", "iddfs(parity)"},
    {2, 2, "1 2 3 0", "rbfs(manhattan)"},
    {3, 2, "1 2 3 4 5 0", "rbfs(misplaced)"},
    {3, 2, "1 2 3 4 5 0", "bibfs"},
    {3, 2, "1 0 2 3 4 5", "bibfs(side=alternate)"},
    {2, 3, "1 2 3 0 4 5", "ucs"},
    {2, 3, "1 2 3 0 4 5", "bibfs"},
    {2, 3, "1 2 3 0 4 5", "frontier"},
    {2, 2, "1 2 3 0", "frontier"},
    {2, 2, "1 2 3 0", "bfida(misplaced)"},
    {2, 3, "1 2 3 0 4 5", "bfida(misplaced)"},
    {3, 2, "1 2 3 4 5 0", "bfida(linear_conflict)"},
    {3, 2, "1 0 2 3 4 5", "bfhs(manhattan, bound=21)"},
    {2, 3, "1 2 3 0 4 5", "bfhs(zero)"},
    {3, 2, "1 0 2 3 4 5", "idastar(misplaced, table=4096)"},
    {2, 3, "1 2 3 0 4 5", "idastar(manhattan, table=100)"},
    {3, 2, "1 0 2 3 4 5", "pea(misplaced)"},
    {2, 3, "1 2 3 4 5 0", "epea(zero)"},
    {4, 2, "1 2 3 4 5 6 7 0", "bibfs"},
    {4, 2, "1 0 2 3 4 5 6 7", "bibfs(side=alternate)"},
};

TEST(test_every_board)
{
    const struct limits limits = {.bytes = UINT64_C(1) << 30};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct solver solver = solver_of(cases[i].solver);
        struct task task = {.goal = board_sized(cases[i].width, cases[i].height, cases[i].goal),
                            .order = DEFAULT_ORDER};
        SCOPED_BY(distances_end) struct distances distances = distances_to(&task.goal);
        const uint32_t step = distances.ranking.size > 1000 && !is_long() ? STEP : 1;
        for (uint32_t rank = 0; rank < distances.ranking.size; rank += step) {
            ranking_unrank(&distances.ranking, rank, &task.start);
            SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
            if (result.status != STATUS_solved || result.length != distances.depth[rank])
                fail_msg("%s: %ux%u: rank %u at depth %u: %s, %zu moves", cases[i].solver,
                         cases[i].width, cases[i].height, rank, distances.depth[rank],
                         status_rows[result.status].name, result.length);
            ASSERT_REACHES_GOAL(&task, &result);
        }
    }
}
