/* The textbook's search (harness/show/teaching.h) is tilelab's, if it has the settings of a solver:
 * it expands the same nodes in the same order and counts the same. */
#include "harness/show/teaching.h"
#include "tests/support.h"

enum { BOARDS = 40, NODES = 20000 };

/* A sum over the boards that a search expands, which depends on their order. */
static void add_up(void *context, const struct board *board, unsigned g, UNUSED unsigned h)
{
    uint64_t *sum = context;
    for (unsigned i = 0; i < board->shape.cells; i++)
        *sum = *sum * 31 + board->cell[i];
    *sum = *sum * 31 + g;
}

static void expect_same(const char *text, const struct task *task)
{
    struct solver solver;
    struct report report = {0};
    struct teaching settings;
    struct tally tally;
    uint64_t sums[2] = {0, 0};
    const struct observer observers[] = {{.expands = add_up, .context = &sums[0]},
                                         {.expands = add_up, .context = &sums[1]}};
    const struct limits limits = {.nodes = NODES, .bytes = UINT64_C(1) << 28};
    assert_true(solver_parse(text, FIRST_PLACE, &report, &solver));
    assert_true(teaching_of(&solver, &settings));
    SCOPED_BY(result_end) struct result result = result_of(&solver, task, &limits, &observers[0]);
    teaching_search(&settings, &solver, task, NODES, &observers[1], &tally);
    const struct statistics *counted = &result.statistics;
    if ((tally.status == STATUS_solved) != (result.status == STATUS_solved) ||
        tally.expanded != counted->expanded || tally.generated != counted->generated ||
        tally.duplicates != counted->duplicates ||
        (!status_is_limit(result.status) &&
         (tally.max_open != counted->max_open || tally.max_depth != counted->max_depth ||
          tally.length != result.length)) ||
        sums[0] != sums[1]) {
        fail_msg("%s on %s: expanded %lu, %lu; generated %lu, %lu; open %lu, %lu", text,
                 line_of(&task->start), (unsigned long)counted->expanded,
                 (unsigned long)tally.expanded, (unsigned long)counted->generated,
                 (unsigned long)tally.generated, (unsigned long)counted->max_open,
                 (unsigned long)tally.max_open);
    }
}

TEST(with_the_settings_of_a_solver_it_counts_what_the_solver_counts)
{
    static const char *const solvers[] = {"bfs",
                                          "bfs(goal_test=removal)",
                                          "bfs(depth_limit=9)",
                                          "dfs",
                                          "dfs(depth_limit=12)",
                                          "dfs(duplicates=path, depth_limit=11)",
                                          "dfs(duplicates=none, depth_limit=9)",
                                          "ucs",
                                          "ucs(ties=lifo)",
                                          "greedy(manhattan)",
                                          "greedy(misplaced, ties=lifo, goal_test=generation)",
                                          "greedy(manhattan, duplicates=parent)",
                                          "lcbb(misplaced)",
                                          "lcbb(manhattan, duplicates=none)",
                                          "lcbb(manhattan, duplicates=stored, ties=lifo)",
                                          "lcbb(misplaced, goal_test=generation)",
                                          "astar(manhattan)",
                                          "astar(misplaced, ties=low_g)",
                                          "astar(inversion, ties=fifo)",
                                          "astar(manhattan, ties=lifo, order=DRUL)",
                                          "astar(gaschnig, depth_limit=14)",
                                          "wastar(manhattan)",
                                          "wastar(manhattan, w=3, reopen=false)",
                                          "wastar(misplaced, ties=fifo)"};
    static const struct {
        unsigned width, height;
        const char *goal;
    } shapes[] = {{3, 3, "blank-last"}, {3, 2, "blank-first"}, {4, 4, "snail"}};
    gsl_rng *generator = any_generator();
    const unsigned boards = is_long() ? BOARDS : BOARDS / 2;
    for (unsigned i = 0; i < boards; i++) {
        struct task task = {.order = i % 2 == 0 ? "ULRD" : "LDRU"};
        const size_t s = i % 3;
        assert_true(
            goal_named(shapes[s].goal, shape_of(shapes[s].width, shapes[s].height), &task.goal));
        task.start = solvable_board(generator, &task.goal);
        for (size_t j = 0; j < sizeof solvers / sizeof *solvers; j++)
            expect_same(solvers[j], &task);
    }
}

TEST(other_algorithms_are_none)
{
    struct teaching settings;
    struct report report = {0};
    struct solver solver;
    assert_true(solver_parse("idastar(manhattan)", FIRST_PLACE, &report, &solver));
    assert_false(teaching_of(&solver, &settings));
}
