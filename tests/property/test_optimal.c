/* What the algorithms table claims, held against the exact distances of the 8-puzzle: a solver that
 * calls itself optimal finds a path of exactly that length on every board, one that names a bound a
 * path within it, one that calls itself complete finds a path, and every path is replayed.
 *
 * The goal is TILELAB_GOAL (corner, edge or middle; without it all three); TILELAB_SOLVER, where it
 * is set, is how the solvers asked begin. TILELAB_LONG=1 takes all 181,440 boards of a goal, else a
 * sample evenly spread over the ranks. Tree searches without memory of states are asked only up to
 * the depth they can reach in reasonable time. */
#include "algorithms/solver.h"
#include "puzzle/distance.h"
#include "puzzle/replay.h"
#include "tests/support.h"

/* Boards of each sample; fewer where the build is slow (assertions are on in every such build). */
#ifdef NDEBUG
enum { SAMPLE = 150 };
#else
enum { SAMPLE = 10 };
#endif

static const struct {
    const char *name;
    const char *board;
} goals[] = {
    {"corner", "1 2 3 4 5 6 7 8 0"},
    {"edge", "1 0 2 3 4 5 6 7 8"},
    {"middle", "1 2 3 8 0 4 7 6 5"},
};

/* A solver and the depth up to which it is asked. */
static const struct {
    const char *text;
    unsigned deepest;
} solvers[] = {
    {"iddfs", 18},
    {"iddfs(parity)", 20},
    {"iddfs(duplicates=path)", 16},
    {"iddfs(duplicates=none)", 11},
    {"bfs", 31},
    {"bfs(goal_test=removal)", 31},
    {"ucs", 20},
    {"bibfs", 31},
    {"bibfs(side=alternate)", 31},
    {"astar(zero)", 31},
    {"astar(misplaced)", 31},
    {"astar(manhattan)", 31},
    {"astar(linear_conflict)", 31},
    {"astar(walking_distance)", 31},
    {"astar(manhattan, depth_limit=31)", 31},
    {"astar(misplaced, ties=low_g)", 31},
    {"astar(manhattan, ties=fifo)", 31},
    {"astar(manhattan, ties=lifo)", 31},
    {"lcbb(zero)", 14},
    {"lcbb(zero, duplicates=none)", 9},
    {"lcbb(misplaced)", 20},
    {"lcbb(misplaced, duplicates=none)", 13},
    {"lcbb(misplaced, ties=lifo)", 20},
    {"lcbb(manhattan)", 31},
    {"lcbb(manhattan, duplicates=none)", 18},
    {"lcbb(misplaced, duplicates=stored)", 31},
    {"lcbb(manhattan, duplicates=stored)", 31},
    {"dfbnb(manhattan, depth_limit=31)", 31},
    {"dfbnb(misplaced, depth_limit=20)", 20},
    {"dfbnb(zero, depth_limit=14)", 14},
    {"dfbnb(manhattan)", 12},
    {"rbfs(manhattan)", 31},
    {"rbfs(misplaced)", 20},
    {"rbfs(zero)", 12},
    {"wastar(manhattan, w=1)", 31},
    {"wastar(manhattan, w=1, reopen=false)", 31},
    /* Complete, and within a factor of the shortest. */
    {"wastar(manhattan)", 31},
    {"wastar(manhattan, reopen=false)", 31},
    {"wastar(manhattan, w=1.125, ties=fifo)", 31},
    {"wastar(manhattan, w=1.125, ties=lifo, reopen=false)", 31},
    {"wastar(misplaced, w=2)", 31},
    {"wastar(misplaced, w=3, ties=low_g, reopen=false)", 31},
    {"wastar(manhattan, w=7.5)", 31},
    {"wastar(manhattan, w=1000)", 31},
    {"idastar(manhattan)", 31},
    {"idastar(linear_conflict)", 31},
    {"idastar(linear_conflict, step=parity)", 31},
    {"idastar(walking_distance)", 31},
    {"idastar(manhattan, step=parity)", 31},
    {"idastar(manhattan, depth_limit=31)", 31},
    {"idastar(misplaced)", 24},
    {"idastar(misplaced, step=parity)", 24},
    {"idastar(zero)", 14},
    {"idastar(zero, step=parity)", 14},
    /* The other heuristics. */
    {"astar(gaschnig)", 31},
    {"astar(out_of_row_column)", 31},
    {"astar(euclidean)", 31},
    {"astar(inversion)", 31},
    {"astar(pdb:4-4)", 31},
    {"astar(pdb:4-4:reflect, ties=low_g)", 31},
    {"astar(max:manhattan+inversion)", 31},
    {"lcbb(pdb:4-4:reflect, duplicates=stored)", 31},
    {"dfbnb(pdb:5-3, depth_limit=31)", 31},
    {"rbfs(max:pdb:5-3+inversion)", 31},
    {"rbfs(pdb:4-4)", 31},
    {"wastar(pdb:4-4, w=1.5)", 31},
    {"wastar(pdb:4-4, w=1)", 31},
    {"idastar(gaschnig)", 24},
    {"idastar(inversion)", 31},
    {"idastar(euclidean, step=parity)", 31},
    {"idastar(out_of_row_column, step=parity)", 28},
    {"idastar(pdb:4-4)", 31},
    {"idastar(pdb:5-3:reflect)", 31},
    {"idastar(pdb:1.2.3.4.5.6.7.8)", 31},
    {"idastar(pdb:1/2.4/3.5/6.7.8:reflect)", 31},
    {"idastar(max:pdb:4-4+inversion)", 31},
    {"greedy(pdb:4-4)", 31},
    /* Complete, but not optimal. */
    {"dfs", 31},
    {"greedy(zero)", 31},
    {"greedy(misplaced)", 31},
    {"greedy(manhattan)", 31},
    {"greedy(manhattan, ties=lifo)", 31},
    {"greedy(manhattan, goal_test=generation)", 31},
};

/* In the long tier only those whose claim is to be optimal or within a bound, one for each way
 * through the code; the others by sample there too. */
static const char *const long_solvers[] = {"iddfs",
                                           "iddfs(parity)",
                                           "bfs",
                                           "bibfs",
                                           "bibfs(side=alternate)",
                                           "astar(misplaced)",
                                           "astar(manhattan)",
                                           "lcbb(misplaced)",
                                           "lcbb(manhattan)",
                                           "lcbb(manhattan, duplicates=stored)",
                                           "dfbnb(manhattan, depth_limit=31)",
                                           "wastar(manhattan)",
                                           "wastar(manhattan, reopen=false)",
                                           "wastar(manhattan, w=1.125, ties=fifo)",
                                           "wastar(misplaced, w=2)",
                                           "rbfs(manhattan)",
                                           "astar(pdb:4-4)",
                                           "astar(inversion)",
                                           "idastar(linear_conflict)",
                                           "idastar(walking_distance)",
                                           "idastar(pdb:5-3:reflect)",
                                           "idastar(manhattan)"};

static bool in_long_tier(const char *text)
{
    for (size_t i = 0; i < sizeof long_solvers / sizeof *long_solvers; i++)
        if (strcmp(text, long_solvers[i]) == 0)
            return true;
    return false;
}

static void check_board(const struct solver *solver, const char *text,
                        const struct distances *distances, uint32_t rank)
{
    const struct limits limits = {.bytes = UINT64_C(4) << 30};
    struct task task = {.goal = distances->ranking.goal, .order = DEFAULT_ORDER};
    struct result result;
    ranking_unrank(&distances->ranking, rank, &task.start);
    solver_run(solver, &task, &limits, NULL, &result);
    unsigned depth = distances->depth[rank];
    if (result.status != STATUS_solved)
        fail_msg("%s: rank %u at depth %u: %s", text, rank, depth, status_rows[result.status].name);
    struct replay replay = replay_path(&task.start, &task.goal, result.moves, result.length);
    assert_int_equal(replay.outcome, REPLAY_REACHES_GOAL);
    const int64_t bound = solver_bound(solver);
    if (result.length < depth ||
        (bound > 0 && result.length * DECIMAL_ONE > depth * (uint64_t)bound))
        fail_msg("%s: rank %u at depth %u: a path of %zu", text, rank, depth, result.length);
    assert_true(result.h_start <= (int)depth);
    result_end(&result);
}

static void check_goal(const char *name, const struct board *goal, bool whole)
{
    struct distances distances;
    assert_true(distances_make(goal, &distances));
    const char *chosen = getenv("TILELAB_SOLVER");
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        if (chosen != NULL && strstr(solvers[s].text, chosen) != solvers[s].text)
            continue;
        const struct solver solver = solver_of(solvers[s].text);
        if (solver.heuristic.kind != NULL && !is_defined(&solver.heuristic, goal))
            continue;
        const bool all = whole && in_long_tier(solvers[s].text);
        const uint32_t size = distances.ranking.size;
        uint32_t checked = 0;
        /* A step without a common divisor with 181,440 visits every rank once before it comes back.
         */
        uint32_t rank = (uint32_t)s;
        for (uint32_t i = 0; i < size && (all || checked < SAMPLE);
             i++, rank = (rank + 104729) % size)
            if (distances.depth[rank] <= solvers[s].deepest) {
                check_board(&solver, solvers[s].text, &distances, rank);
                checked++;
            }
        printf("%s: %s: %u boards up to depth %u\n", name, solvers[s].text, checked,
               solvers[s].deepest);
        fflush(stdout);
    }
    distances_end(&distances);
}

static void test_solvers_keep_their_claims(void **state)
{
    const char *chosen = getenv("TILELAB_GOAL");
    const bool whole = getenv("TILELAB_LONG") != NULL;
    (void)state;
    for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
        struct board goal = board_of(goals[g].board);
        if (chosen == NULL || strcmp(chosen, goals[g].name) == 0)
            check_goal(goals[g].name, &goal, whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solvers_keep_their_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
