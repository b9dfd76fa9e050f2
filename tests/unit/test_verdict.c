/* The one place that may call a run solved: every claim that does not stand becomes wrong_answer,
 * with its reason. */
#include "harness/judge/verdict.h"
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
    const struct run run = {.instance = &instance, .solver = &solver};
    SCOPED char *why = verify_result(&run, &claim);
    assert_string_equal(status_rows[claim.status].name, status_rows[status].name);
    if (reason == NULL)
        assert_null(why);
    else if (why == NULL)
        fail_msg("no reason; expected '%s'", reason);
    else
        assert_string_equal(why, reason);
    result_end(&claim);
}

#define NEAR "1 2 3 4 0 5 7 8 6"
#define ODD  "1 2 3 4 5 6 8 7 0"

TEST(test_claims_that_stand)
{
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

TEST(test_paths_that_are_wrong)
{
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

TEST(test_lengths_that_cannot_be)
{
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

TEST(test_answers_without_a_path)
{
    expect("bfs", NEAR, 2, (struct result){.status = STATUS_unsolvable, .h_start = -1}, NULL,
           STATUS_wrong_answer, "called unsolvable, but the parity allows a solution");
    expect("bfs", NEAR, 2, (struct result){.status = STATUS_exhausted, .h_start = -1}, NULL,
           STATUS_wrong_answer,
           "found no solution, although there is one and this solver promises to find it");
    expect("astar(manhattan)", NEAR, 2, (struct result){.status = STATUS_stuck, .h_start = 2}, NULL,
           STATUS_wrong_answer,
           "found no solution, although there is one and this solver promises to find it");
}

static char *cells_of(struct result result, const struct instance *instance,
                      const struct limits *limits)
{
    const struct solver solver = solver_of("bfs");
    const struct run run = {.instance = instance, .solver = &solver, .limits = *limits};
    char *why = verify_cells(&run, 2, &result);
    assert_int_equal(result.status == STATUS_wrong_answer, why != NULL);
    if (why != NULL) /* nothing of it is believed */
        assert_true(result.statistics.generated == 0 && result.wall_seconds == 0 &&
                    result.cpu_seconds == 0 && result.h_start == -1);
    return why;
}

/* Claims that take a limit or a start of their own. The others are made by tilelab-faulty's workers
 * (tests/e2e/test_workers.py). */
TEST(test_cells_that_cannot_be)
{
    const struct instance near = instance_at(NEAR, 2);
    const struct instance there = instance_at("1 2 3 4 5 6 7 8 0", 0);
    const struct limits none = {.bytes = UINT64_C(1) << 30};
    const struct limits some = {.bytes = UINT64_C(1) << 30, .seconds = 1, .nodes = 100};
    struct result result = {.status = STATUS_time_limit,
                            .h_start = -1,
                            .wall_seconds = 1.5,
                            .cpu_seconds = 1.5,
                            .statistics = {.expanded = 50,
                                           .generated = 100,
                                           .max_open = 9,
                                           .max_stored = 99,
                                           .max_depth = 9,
                                           .iterations = 1,
                                           .peak_bytes = 5000}};
    assert_null(cells_of(result, &near, &some));
    ASSERT_TEXT(cells_of(result, &near, &none),
                "ended by the time limit, but after 1.5 of 0 s (0: no limit)");
    result.wall_seconds = result.cpu_seconds = 0.5;
    ASSERT_TEXT(cells_of(result, &near, &some),
                "ended by the time limit, but after 0.5 of 1 s (0: no limit)");
    result.status = STATUS_node_limit;
    assert_null(cells_of(result, &near, &some));
    ASSERT_TEXT(cells_of(result, &near, &none),
                "ended by the limit of nodes, but generated 100 of 0 (0: no limit)");
    result.wall_seconds = 2.5;
    ASSERT_TEXT(cells_of(result, &near, &some),
                "wall_s is 2.5, but 2 s have passed since the run was begun");
    result.wall_seconds = 0.5;
    result.status = STATUS_solved;
    result.length = 2;
    assert_null(cells_of(result, &near, &some));
    ASSERT_TEXT(cells_of(result, &there, &some),
                "a path of 2 moves, although the start is the goal");
}

/* A sample of boards of every packing and table, of solvers, and of limits of each kind. */
static const struct sample {
    struct shape shape;
    const char *start, *goal;
} sample_boards[] = {
    {{3, 3, 9}, "1 2 3 4 5 6 7 8 0", "blank-last"},
    {{3, 3, 9}, "1 2 3 4 5 6 7 0 8", "blank-last"},
    {{3, 3, 9}, "8 6 7 2 5 4 3 0 1", "blank-last"},
    {{3, 3, 9}, "1 2 3 4 5 6 8 7 0", "blank-last"},
    {{2, 2, 4}, "2 3 1 0", "blank-last"},
    {{4, 3, 12}, "5 10 8 0 3 1 7 6 9 4 2 11", "blank-last"},
    {{4, 4, 16}, "1 2 3 4 5 6 7 8 0 9 10 11 13 14 15 12", "blank-last"},
    {{4, 4, 16}, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "blank-first"},
    {{5, 5, 25}, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 0 22 23 24", "blank-last"},
    {{6, 6, 36},
     "3 1 2 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 "
     "35 0",
     "blank-last"},
};

static const char *const sample_heuristics[] = {"zero",      "misplaced",       "manhattan",
                                                "inversion", "linear_conflict", "walking_distance"};

static const char *const sample_settings[] = {"dfs(depth_limit=20)",
                                              "dfs(duplicates=path, depth_limit=12)",
                                              "dfs(duplicates=none, depth_limit=9)",
                                              "dfs(duplicates=none)",
                                              "dfs(duplicates=path)",
                                              "iddfs(parity)",
                                              "iddfs(duplicates=path, depth_limit=9)",
                                              "iddfs(duplicates=none)",
                                              "bfs(goal_test=removal)",
                                              "ucs(ties=lifo)",
                                              "bibfs(side=alternate)",
                                              "mm(manhattan, side=smaller)",
                                              "nbs(misplaced, epsilon=0)",
                                              "bae(manhattan, side=smaller, bounds=all)",
                                              "lcbb(misplaced, duplicates=none)",
                                              "lcbb(manhattan, duplicates=stored, ties=lifo)",
                                              "lcbb(manhattan, goal_test=generation)",
                                              "greedy(manhattan, duplicates=none)",
                                              "greedy(misplaced, goal_test=generation)",
                                              "dfbnb(manhattan, depth_limit=12)",
                                              "descent(misplaced, count_blank)",
                                              "astar(manhattan, ties=low_g)",
                                              "astar(misplaced, depth_limit=10)",
                                              "astar(misplaced, count_blank, ties=fifo)",
                                              "wastar(manhattan, w=2, reopen=false)",
                                              "wastar(misplaced, w=1)",
                                              "idastar(misplaced, step=parity)",
                                              "idastar(manhattan, depth_limit=10)",
                                              "idastar(misplaced, table=30000000)",
                                              "beam(manhattan, width=3)",
                                              "beam(manhattan, width=100000)"};

/* Without TILELAB_LONG=1: 64 KiB still hold fewer. */
enum { MOST_NODES = 3000 };

static const struct limits sample_limits[] = {
    {.nodes = 30000, .bytes = UINT64_C(1) << 30},
    {.nodes = 1, .bytes = UINT64_C(1) << 30},
    {.nodes = 2, .bytes = UINT64_C(1) << 30},
    {.nodes = 3, .bytes = UINT64_C(1) << 30},
    {.nodes = 257, .bytes = UINT64_C(1) << 30},
    {.nodes = 5000, .bytes = UINT64_C(1) << 30},
    {.nodes = 100000, .seconds = 0.001, .bytes = UINT64_C(1) << 30},
    {.nodes = 100000, .cpu_seconds = 0.001, .bytes = UINT64_C(1) << 30},
    {.nodes = 100000, .bytes = 1},
    {.nodes = 100000, .bytes = 1000},
    {.nodes = 100000, .bytes = UINT64_C(1) << 16},
    {.nodes = 100000, .bytes = UINT64_C(1) << 20},
};

static unsigned verified, ended[STATUSES];

static void verify_honest(const struct solver *solver, const struct instance *instance)
{
    for (unsigned i = 0; i < sizeof sample_limits / sizeof *sample_limits; i++) {
        const struct task task = {instance->start, instance->goal, "ULRD"};
        struct run run = {.instance = instance, .solver = solver, .limits = sample_limits[i]};
        if (run.limits.nodes > MOST_NODES && !is_long())
            run.limits.nodes = MOST_NODES;
        const double begun = clock_wall();
        SCOPED_BY(result_end) struct result result = result_of(solver, &task, &run.limits, NULL);
        const enum status status = result.status;
        char *why = verify_cells(&run, clock_wall() - begun, &result);
        if (why == NULL)
            why = verify_result(&run, &result);
        if (why != NULL) {
            char *text = solver_text(solver);
            fail_msg("%s on %s under limits %u, %s: %s", text, line_of(&instance->start), i,
                     status_rows[status].name, why);
        }
        char *impossible = impossible_counts(instance, &result, UINT32_MAX);
        if (impossible != NULL)
            fail_msg("%s: %s", solver->algorithm->name, impossible);
        verified++;
        ended[status]++;
    }
}

TEST(test_honest_results_are_plausible)
{
    for (unsigned b = 0; b < sizeof sample_boards / sizeof *sample_boards; b++) {
        const struct sample *sample = &sample_boards[b];
        struct instance instance = {
            .goal = goal_of(sample->goal, sample->shape.width, sample->shape.height),
            .optimal_length = LENGTH_UNKNOWN};
        struct report report = {0};
        assert_true(
            board_parse(sample->start, &sample->shape, FIRST_PLACE, &report, &instance.start));
        for (unsigned a = 0; a < algorithm_count; a++)
            for (unsigned h = 0; h < sizeof sample_heuristics / sizeof *sample_heuristics; h++) {
                const char *text = text_of("%s(%s)", algorithms[a].name, sample_heuristics[h]);
                const bool informed = algorithms[a].informed;
                if (!informed && h > 0)
                    break;
                const struct solver solver = solver_of(informed ? text : algorithms[a].name);
                if (!informed || is_defined(&solver.heuristic, &instance.goal))
                    verify_honest(&solver, &instance);
            }
        for (unsigned s = 0; s < sizeof sample_settings / sizeof *sample_settings; s++) {
            const struct solver solver = solver_of(sample_settings[s]);
            verify_honest(&solver, &instance);
        }
    }
    /* The sample is one of every end there is, but for what only a process can come to. */
    for (unsigned i = 0; i < STATUSES; i++)
        if (i != STATUS_out_of_memory && i != STATUS_crashed && i != STATUS_wrong_answer &&
            i != STATUS_interrupted && i != STATUS_lost && i != STATUS_claimed)
            assert_true(ended[i] > 10);
    assert_true(verified > 5000);
}

/* A program of one's own counts as it likes; the clock, the limits and the optimum hold for it. */
static char *external_cells(struct result *result, bool optimal, const char *start,
                            const struct limits *limits)
{
    const struct external external = {.optimal = optimal};
    const struct solver solver = {.algorithm = external_algorithm(optimal)};
    const struct instance instance = instance_at(start, LENGTH_UNKNOWN);
    const struct run run = {
        .instance = &instance, .solver = &solver, .external = &external, .limits = *limits};
    return verify_cells(&run, 2, result);
}

TEST(test_external_solvers)
{
    const struct limits limits = {.bytes = 1 << 20, .seconds = 1, .nodes = 100};
    const struct limits none = {.bytes = 1 << 20};
    /* Without its root, on two processors, with more memory than the limit for a moment. */
    const struct result odd = {
        .status = STATUS_solved,
        .length = 2,
        .h_start = 7,
        .wall_seconds = 0.5,
        .cpu_seconds = 0.9,
        .statistics = {.expanded = 9, .generated = 1, .peak_bytes = 2 << 20}};
    struct result result = odd;
    assert_null(external_cells(&result, true, NEAR, &limits));
    assert_int_equal(result.status, STATUS_solved);
    assert_int_equal(result.statistics.expanded, 9);
    result = odd;
    result.wall_seconds = 2.5;
    ASSERT_TEXT(external_cells(&result, true, NEAR, &limits),
                "wall_s is 2.5, but 2 s have passed since the run was begun");
    assert_int_equal(result.status, STATUS_wrong_answer);
    /* There is nothing to do: only who promises shortest paths is wrong. */
    result = odd;
    assert_null(external_cells(&result, false, "1 2 3 4 5 6 7 8 0", &limits));
    result = odd;
    ASSERT_TEXT(external_cells(&result, true, "1 2 3 4 5 6 7 8 0", &limits),
                "a path of 2 moves, although the start is the goal");
    /* A limit of its own is not the run's. */
    result = odd;
    result.status = STATUS_time_limit;
    assert_null(external_cells(&result, false, NEAR, &limits));
    assert_int_equal(result.status, STATUS_stuck);
    result = odd;
    result.status = STATUS_time_limit;
    result.wall_seconds = 1.1;
    assert_null(external_cells(&result, false, NEAR, &limits));
    assert_int_equal(result.status, STATUS_time_limit);
    result = odd;
    result.status = STATUS_node_limit;
    assert_null(external_cells(&result, false, NEAR, &none));
    assert_int_equal(result.status, STATUS_stuck);
    result = odd;
    result.status = STATUS_node_limit;
    result.statistics.generated = 101;
    assert_null(external_cells(&result, false, NEAR, &limits));
    assert_int_equal(result.status, STATUS_node_limit);
    /* Nobody can stop it at a node; its own count says that it went beyond. */
    result = odd;
    result.statistics.generated = 101;
    assert_null(external_cells(&result, true, NEAR, &limits));
    assert_int_equal(result.status, STATUS_node_limit);
}

static char *impossible(const char *start, const char *moves, struct statistics counted,
                        const char *known)
{
    const struct instance instance = instance_at(start, LENGTH_UNKNOWN);
    const struct result result = {.status = STATUS_solved,
                                  .moves = (char *)(uintptr_t)moves,
                                  .length = strlen(moves),
                                  .statistics = counted};
    uint32_t bits = 0;
    for (unsigned i = 0; i < COUNTERS; i++)
        if (strstr(known, counters[i].name) != NULL)
            bits |= UINT32_C(1) << i;
    return impossible_counts(&instance, &result, bits);
}

/* What each counter means bounds it; whoever leaves roots out stays within the bounds. */
TEST(test_counters_of_no_search)
{
    static const char start[] = "4 1 2 7 5 3 8 6 0"; /* the blank goes around */
    static const char path[] = "LLUURRDD";
    static const char detours[] = "LRLRLRLRLLUURRDD";
    static const struct {
        const char *moves, *known;
        struct statistics counted;
        const char *why; /* NULL: possible */
    } cases[] = {
        {path, "", {0}, NULL},
        {path, "expanded", {.expanded = 6}, NULL},
        {path, "expanded", {.expanded = 1}, "1 nodes were expanded, but the path has 8 steps"},
        {detours, "expanded", {.expanded = 6}, NULL},
        {detours, "expanded", {.expanded = 5}, "5 nodes were expanded, but the path has 8 steps"},
        {path, "generated", {.generated = 8}, NULL},
        {path, "generated", {.generated = 7}, "7 nodes were generated, but the path has 8 steps"},
        {path, "max_depth", {.max_depth = 3}, NULL},
        {path,
         "max_depth",
         {.max_depth = 2},
         "no node deeper than 2 was kept, but the path has 8 steps"},
        {path, "expanded generated", {.expanded = 9, .generated = 48}, NULL},
        {path,
         "expanded generated",
         {.expanded = 9, .generated = 49},
         "49 nodes were generated, more than 9 expanded ones have successors"},
        {path, "generated max_stored", {.generated = 20, .max_stored = 22}, NULL},
        {path,
         "generated max_stored",
         {.generated = 20, .max_stored = 23},
         "23 nodes were held at once, but 20 generated"},
        {path, "max_stored", {.max_stored = 23}, NULL},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED char *why = impossible(start, cases[i].moves, cases[i].counted, cases[i].known);
        if ((why == NULL) != (cases[i].why == NULL) ||
            (why != NULL && strcmp(why, cases[i].why) != 0))
            fail_msg("case %u: %s", i, why == NULL ? "possible" : why);
    }
}
