/* Rows that contradict each other are found, and named. */
#include "harness/experiment/experiment.h"
#include "harness/judge/cross.h"
#include "tests/support.h"

/* One 4x4 instance of unknown length; run = solver * 2 + repetition - 1 in this little experiment.
 */
static char *solver_texts[] = {"bfs", "astar(manhattan)", "greedy(manhattan)",
                               "lcbb(misplaced, count_blank)", "wastar(manhattan)"};
enum { SOLVERS = sizeof solver_texts / sizeof *solver_texts };
enum { BFS, ASTAR, GREEDY, COUNTING, WEIGHTED };

struct fixture {
    struct experiment_solver solvers[SOLVERS];
    struct experiment experiment;
    struct run_ids runs;
    struct cross *cross;
};

static int set_up(void **state)
{
    struct fixture *fixture = heap_take(1, sizeof *fixture);
    struct board start = board_of("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15");
    struct board goal = board_of("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0");
    for (unsigned i = 0; i < SOLVERS; i++) {
        fixture->solvers[i].solver = solver_of(solver_texts[i]);
        fixture->solvers[i].text = solver_texts[i];
    }
    fixture->experiment = (struct experiment){
        .solvers = fixture->solvers, .solver_count = SOLVERS, .order = "ULRD", .repetitions = 2};
    instance_add(&fixture->experiment.instances, "s", "1", &start, &goal, LENGTH_UNKNOWN);
    fixture->runs = run_ids_of(&fixture->experiment, NULL, 0);
    fixture->cross = cross_start(&fixture->runs);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    cross_end(fixture->cross);
    run_ids_end(&fixture->runs);
    instance_list_end(&fixture->experiment.instances);
    free(fixture);
    return 0;
}

static struct run run_of(const struct fixture *fixture, unsigned solver, unsigned repetition)
{
    const size_t number = solver * fixture->experiment.repetitions + repetition - 1;
    const struct run run = run_ids_run(&fixture->runs, number);
    assert_int_equal(run.number, number);
    assert_int_equal(run.solver_number, solver);
    assert_int_equal(run.repetition, repetition);
    assert_string_equal(run.solver_text, solver_texts[solver]);
    assert_int_equal(run_ids_find(&fixture->runs, run.id), number);
    return run;
}

/* Takes in a row of a solver and compares the message with `expected`, up to the row's id; NULL for
 * no message. */
static enum status take_in(void **state, unsigned solver, unsigned repetition, size_t length, int h,
                           uint64_t expanded, const char *expected)
{
    struct fixture *fixture = *state;
    struct result result = {.status = STATUS_solved,
                            .length = length,
                            .h_start = h,
                            .statistics = {.expanded = expanded}};
    const struct run run = run_of(fixture, solver, repetition);
    SCOPED char *why = cross_check(fixture->cross, &run, &result);
    if (expected == NULL && why != NULL)
        fail_msg("%s", why);
    if (expected != NULL) {
        assert_non_null(why);
        if (strncmp(why, expected, strlen(expected)) != 0)
            fail_msg("'%s'; expected '%s'", why, expected);
        assert_non_null(strstr(why, " (row "));
    }
    return result.status;
}

TEST(test_rows_that_agree)
{
    take_in(state, GREEDY, 1, 30, 5, 1, NULL);
    take_in(state, BFS, 1, 10, -1, 9, NULL);
    take_in(state, ASTAR, 1, 10, 8, 7, NULL);
    take_in(state, GREEDY, 2, 30, 5, 1, NULL);
    take_in(state, ASTAR, 2, 10, 8, 7, NULL);
    take_in(state, COUNTING, 1, 12, 11, 7, NULL); /* promises nothing */
}

/* Whether a row that was taken in before would be refuted now. */
static bool is_refuted(void **state, unsigned solver, size_t length, int h)
{
    const struct fixture *fixture = *state;
    const struct result result = {.status = STATUS_solved, .length = length, .h_start = h};
    const struct run run = run_of(fixture, solver, 1);
    SCOPED char *why = cross_refuted(fixture->cross, &run, &result);
    return why != NULL;
}

static bool has_refuted(void **state)
{
    const struct fixture *fixture = *state;
    return cross_has_refuted(fixture->cross);
}

/* A path refutes whoever called a longer one shortest, in whichever order they come. */
TEST(test_a_claim_after_a_shorter_path)
{
    take_in(state, BFS, 1, 10, -1, 9, NULL);
    assert_int_equal(take_in(state, ASTAR, 1, 12, 8, 7,
                             "12 moves called shortest, although a path of 10 was found by bfs"),
                     STATUS_wrong_answer);
    take_in(state, GREEDY, 1, 12, 5, 1, NULL);
    assert_false(has_refuted(state));
}

TEST(test_a_claim_before_a_shorter_path)
{
    take_in(state, BFS, 1, 10, -1, 9, NULL);
    assert_false(is_refuted(state, BFS, 10, -1));
    assert_int_equal(take_in(state, GREEDY, 1, 8, 5, 7, NULL), STATUS_solved);
    assert_true(has_refuted(state));
    assert_true(is_refuted(state, BFS, 10, -1));
    assert_false(is_refuted(state, GREEDY, 10, 5));
    assert_int_equal(take_in(state, ASTAR, 1, 8, 8, 7, NULL), STATUS_solved);
}

/* The path of a wrong row counts too: it was replayed. */
TEST(test_a_refuted_path_refutes)
{
    const struct fixture *fixture = *state;
    char moves[] = "R";
    const struct run run = run_of(fixture, GREEDY, 1);
    struct result wrong = {
        .status = STATUS_wrong_answer, .length = 1, .moves = moves, .h_start = -1};
    assert_null(cross_check(fixture->cross, &run, &wrong));
    assert_true(is_refuted(state, BFS, 3, -1));
    moves[0] = 'D'; /* leads nowhere */
    const struct run other = run_of(fixture, GREEDY, 2);
    wrong.length = 0;
    wrong.moves = moves + 1;
    assert_null(cross_check(fixture->cross, &other, &wrong));
    assert_false(is_refuted(state, BFS, 1, -1));
}

/* A solver that promises at most 1.5 times a shortest path. */
TEST(test_bounds)
{
    take_in(state, WEIGHTED, 1, 13, 5, 1, NULL);
    take_in(state, GREEDY, 1, 9, 5, 1, NULL);
    assert_false(has_refuted(state));
    take_in(state, COUNTING, 1, 8, 5, 1, NULL);
    assert_true(has_refuted(state));
    assert_true(is_refuted(state, WEIGHTED, 13, 5));
    assert_false(is_refuted(state, WEIGHTED, 12, 5));
}

TEST(test_estimates_above_a_path)
{
    take_in(state, GREEDY, 1, 8, 5, 1, NULL);
    assert_int_equal(
        take_in(
            state, ASTAR, 1, 8, 9, 1,
            "the estimate 9, called admissible, above the path of 8 moves of greedy(manhattan)"),
        STATUS_wrong_answer);
    assert_int_equal(take_in(state, COUNTING, 1, 8, 9, 1, NULL), STATUS_solved);
    take_in(state, ASTAR, 2, 8, 7, 1, NULL);
    assert_false(has_refuted(state));
}

TEST(test_a_path_below_an_estimate)
{
    struct fixture *fixture = *state;
    /* A run that ended at its limit still says what its heuristic was. */
    struct result limited = {.status = STATUS_node_limit, .h_start = 9};
    const struct run run = run_of(fixture, ASTAR, 1);
    assert_null(cross_check(fixture->cross, &run, &limited));
    assert_int_equal(take_in(state, GREEDY, 1, 7, 5, 1, NULL), STATUS_solved);
    assert_true(has_refuted(state));
    SCOPED char *why = cross_refuted(fixture->cross, &run, &limited);
    assert_non_null(why);
    assert_non_null(strstr(why, "the estimate 9, called admissible, above the path of 7 moves of "
                                "greedy(manhattan)"));
}

/* All orders of four rows come to the same. */
TEST(test_every_order)
{
    static const struct {
        unsigned solver;
        size_t length;
        int h;
        bool wrong;
    } rows[] = {
        {BFS, 10, -1, true}, {ASTAR, 8, 9, true}, {GREEDY, 8, 5, false}, {WEIGHTED, 14, 7, true}};
    enum { ROWS = sizeof rows / sizeof *rows, ORDERS = 24 };
    struct fixture *fixture = *state;
    for (unsigned order = 0; order < ORDERS; order++) {
        unsigned left[] = {0, 1, 2, 3};
        unsigned code = order;
        cross_end(fixture->cross);
        fixture->cross = cross_start(&fixture->runs);
        for (unsigned count = ROWS; count > 0; code /= count--) {
            const unsigned i = left[code % count];
            const struct run run = run_of(fixture, rows[i].solver, 1);
            struct result result = {
                .status = STATUS_solved, .length = rows[i].length, .h_start = rows[i].h};
            free(cross_check(fixture->cross, &run, &result));
            left[code % count] = left[count - 1];
        }
        for (unsigned i = 0; i < ROWS; i++)
            if (is_refuted(state, rows[i].solver, rows[i].length, rows[i].h) != rows[i].wrong)
                fail_msg("order %u: row %u", order, i);
    }
}

TEST(test_repetitions_that_differ)
{
    take_in(state, GREEDY, 1, 30, 5, 1, NULL);
    assert_int_equal(take_in(state, GREEDY, 2, 30, 5, 2,
                             "other counters than its other repetition greedy(manhattan)"),
                     STATUS_solved);
}

AROUND_EACH_TEST(set_up, tear_down)

/* A shard's ids are made first, and the others when one of them is sought. */
TEST(ids_are_made_when_they_are_sought)
{
    struct fixture *fixture = *state;
    const uint32_t own[] = {7, 2};
    SCOPED_BY(run_ids_end) struct run_ids some = run_ids_of(&fixture->experiment, own, 2);
    char hash[RUN_IDS_HASH_BYTES];
    char same[RUN_IDS_HASH_BYTES];
    for (size_t i = 0; i < some.count; i++) {
        const struct run run = run_ids_run(&fixture->runs, i);
        assert_string_equal(run_ids_run(&some, i).id, run.id);
        assert_int_equal(run_ids_find_made(&some, run.id),
                         i == 7 || i == 2 ? (ptrdiff_t)i : RUN_UNKNOWN);
    }
    run_ids_hash(&some, hash);
    run_ids_hash(&fixture->runs, same);
    assert_string_equal(hash, same);
    for (size_t i = 0; i < some.count; i++)
        assert_int_equal(run_ids_find(&some, run_ids_run(&fixture->runs, i).id), i);
    assert_int_equal(run_ids_find(&some, ""), RUN_UNKNOWN);
    assert_int_equal(run_ids_find(&some, "0123456789abcdef0123456789abcdef"), RUN_UNKNOWN);
}

/* Holds the hash of the experiment as it is now against an earlier one. */
static bool has_hash(const struct fixture *fixture, const char *earlier)
{
    char hash[RUN_IDS_HASH_BYTES];
    SCOPED_BY(run_ids_end) struct run_ids ids = run_ids_of(&fixture->experiment, NULL, 0);
    run_ids_hash(&ids, hash);
    return strcmp(hash, earlier) == 0;
}

TEST(the_hash_is_of_all_that_determines_the_runs)
{
    struct fixture *fixture = *state;
    struct experiment *experiment = &fixture->experiment;
    struct instance *instance = experiment->instances.items;
    const struct instance was = *instance;
    char hash[RUN_IDS_HASH_BYTES];
    run_ids_hash(&fixture->runs, hash);
    experiment->solver_count--;
    assert_false(has_hash(fixture, hash));
    experiment->solver_count++;
    experiment->repetitions++;
    assert_false(has_hash(fixture, hash));
    experiment->repetitions--;
    experiment->solvers[ASTAR].limits.nodes++;
    assert_false(has_hash(fixture, hash));
    experiment->solvers[ASTAR].limits.nodes--;
    instance->cost++;
    assert_false(has_hash(fixture, hash));
    instance->cost--;
    instance->name[0]++;
    assert_false(has_hash(fixture, hash));
    instance->name[0]--;
    instance->start = instance->goal;
    assert_false(has_hash(fixture, hash));
    *instance = was;
    assert_true(has_hash(fixture, hash));
    instance_add(&experiment->instances, "s", "2", &was.start, &was.goal, LENGTH_UNKNOWN);
    assert_false(has_hash(fixture, hash));
}
