/* The one place that may call a run solved: every claim that does not stand becomes wrong_answer,
 * with its reason. */
#include "base/heap.h"
#include "harness/results/verdict.h"
#include "tests/support.h"

/* Two moves from the goal: R, then D. */
static struct instance instance_at(const char *start, int optimal_length)
{
    return (struct instance){.start = board_of(start),
                             .goal = board_of("1 2 3 4 5 6 7 8 0"),
                             .optimal_length = optimal_length};
}

static void expect(const char *solver_text, const char *start, int optimal, struct result claim,
                   const char *moves, enum status status, const char *reason)
{
    const struct solver solver = solver_of(solver_text);
    const struct instance instance = instance_at(start, optimal);
    claim.moves = moves == NULL ? NULL : heap_text(moves);
    char *why = verify_result(&solver, &instance, &claim);
    assert_string_equal(status_rows[claim.status].name, status_rows[status].name);
    if (reason == NULL)
        assert_null(why);
    else if (why == NULL)
        fail_msg("no reason; expected '%s'", reason);
    else
        assert_string_equal(why, reason);
    free(why);
    result_end(&claim);
}

#define NEAR "1 2 3 4 0 5 7 8 6"
#define ODD  "1 2 3 4 5 6 8 7 0"

static void test_claims_that_stand(void **state)
{
    (void)state;
    struct result solved = {.status = STATUS_solved, .length = 2, .h_start = 2};
    expect("astar(manhattan)", NEAR, 2, solved, "RD", STATUS_solved, NULL);
    expect("astar(manhattan)", NEAR, LENGTH_UNKNOWN, solved, "RD", STATUS_solved, NULL);
    /* Longer than the optimum is right for a solver that promises nothing. */
    solved.length = 4;
    expect("greedy(manhattan)", NEAR, 2, solved, "LRRD", STATUS_solved, NULL);
    expect("dfs", NEAR, 2, solved, "LRRD", STATUS_solved, NULL);
    expect("lcbb(manhattan, goal_test=generation)", NEAR, 2, solved, "LRRD", STATUS_solved, NULL);
    expect("astar(misplaced, count_blank)", NEAR, 2, solved, "LRRD", STATUS_solved, NULL);
    /* Twice as long is within 2 times, and a bound speaks of admissible heuristics. */
    expect("wastar(manhattan, w=2)", NEAR, 2, solved, "LRRD", STATUS_solved, NULL);
    expect("wastar(misplaced, count_blank, w=1)", NEAR, 2, solved, "LRRD", STATUS_solved, NULL);
    /* A limit claims nothing. */
    expect("bfs", NEAR, 2, (struct result){.status = STATUS_node_limit, .h_start = -1}, NULL,
           STATUS_node_limit, NULL);
    expect("dfs(depth_limit=1)", NEAR, 2,
           (struct result){.status = STATUS_exhausted, .h_start = -1}, NULL, STATUS_exhausted,
           NULL);
    expect("bfs", ODD, LENGTH_UNKNOWN, (struct result){.status = STATUS_unsolvable, .h_start = -1},
           NULL, STATUS_unsolvable, NULL);
}

static void test_paths_that_are_wrong(void **state)
{
    (void)state;
    struct result solved = {.status = STATUS_solved, .length = 2, .h_start = 2};
    expect("bfs", NEAR, 2, solved, "RU", STATUS_wrong_answer,
           "the path's 2 moves do not end at the goal");
    expect("bfs", NEAR, 2, solved, "RR", STATUS_wrong_answer,
           "move 2 of the path, R, leaves the board");
    expect("bfs", NEAR, 2, solved, "R?", STATUS_wrong_answer, "move 2 of the path is not a move");
    expect("bfs", NEAR, 2, solved, "RDU", STATUS_wrong_answer,
           "the path does not have the 2 moves that were claimed");
    expect("bfs", NEAR, 2, solved, "R", STATUS_wrong_answer,
           "the path does not have the 2 moves that were claimed");
    expect("bfs", NEAR, 2, solved, NULL, STATUS_wrong_answer,
           "the path does not have the 2 moves that were claimed");
    /* The board that cannot reach its goal: no path can be right. */
    expect("bfs", ODD, LENGTH_UNKNOWN, solved, "LR", STATUS_wrong_answer,
           "the path's 2 moves do not end at the goal");
}

static void test_lengths_that_cannot_be(void **state)
{
    (void)state;
    struct result solved = {.status = STATUS_solved, .length = 2, .h_start = 2};
    expect("bfs", NEAR, 3, solved, "RD", STATUS_wrong_answer,
           "the path has 2 moves, fewer than the known optimum of 3");
    solved.length = 4;
    expect("astar(manhattan)", NEAR, 2, solved, "LRRD", STATUS_wrong_answer,
           "the path has 4 moves; a shortest one, which this solver promises, has 2");
    expect("wastar(manhattan, w=1)", NEAR, 2, solved, "LRRD", STATUS_wrong_answer,
           "the path has 4 moves; a shortest one, which this solver promises, has 2");
    expect("wastar(manhattan, w=1.999)", NEAR, 2, solved, "LRRD", STATUS_wrong_answer,
           "the path has 4 moves; this solver promises at most 1.999 times the 2 of a shortest "
           "one");
    solved.length = 2;
    solved.h_start = 3;
    expect("astar(manhattan)", NEAR, 2, solved, "RD", STATUS_wrong_answer,
           "h at the start is 3, above the known optimum of 2, with a heuristic that promises not "
           "to be");
    expect("astar(misplaced, count_blank)", NEAR, 2, solved, "RD", STATUS_solved, NULL);
}

static void test_answers_without_a_path(void **state)
{
    (void)state;
    expect("bfs", NEAR, 2, (struct result){.status = STATUS_unsolvable, .h_start = -1}, NULL,
           STATUS_wrong_answer, "called unsolvable, but the parity allows a solution");
    expect("bfs", NEAR, 2, (struct result){.status = STATUS_exhausted, .h_start = -1}, NULL,
           STATUS_wrong_answer,
           "found no solution, although there is one and this solver promises to find it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims_that_stand),
        cmocka_unit_test(test_paths_that_are_wrong),
        cmocka_unit_test(test_lengths_that_cannot_be),
        cmocka_unit_test(test_answers_without_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
