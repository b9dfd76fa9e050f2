/* A* with several threads (astar/distributed_body.h): solutions are as short as those of one
 * thread; counters, peak_bytes and the path do not depend on how many threads there are; with
 * consistent heuristics every state below the length of the solution is expanded once; limits are
 * kept to the node; and where the form cannot search, one thread does.
 *
 * TILELAB_LONG=1 takes more boards of the 8-puzzle. */
#include "astar/compact.h"
#include "tests/forms.h"
#include <signal.h>
#include <sys/time.h>

/* The form for consistent heuristics or, if that does not fit, the one for any. */
static bool distributed(struct search *search, const void *pace)
{
    const bool fits = compact_fits(search, COMPACT_DISTRIBUTED);
    return compact_run(search, fits ? COMPACT_DISTRIBUTED : COMPACT_DISTRIBUTED_ANY, pace);
}

static struct result run_with(const struct solver *solver, const struct task *task,
                              const struct limits *limits, const struct compact_pace *pace)
{
    struct result result;
    assert_true(run_form(solver, task, limits, distributed, pace, &result));
    assert_int_equal(limits->nodes > 0 && result.statistics.generated > limits->nodes, false);
    assert_true(result.statistics.peak_bytes <= limits->bytes);
    if (result.status == STATUS_solved)
        ASSERT_REACHES_GOAL(task, &result);
    return result;
}

static const struct compact_pace alone = {.lines = 16, .threads = 1};

static unsigned evaluate_claimed(const struct heuristic *heuristic, const struct board *board)
{
    return evaluate_patchy(heuristic, board);
}

TEST_HEURISTIC(patchy, ADMISSIBLE);
TEST_HEURISTIC(claimed, ADMISSIBLE | CONSISTENT); /* the same, which it is not */
TEST_HEURISTIC(boastful, 0);
TEST_HEURISTIC(huge, 0);

static struct solver solver_with(const char *text, const struct heuristic_kind *kind)
{
    struct solver solver = solver_of(text);
    solver.heuristic.kind = kind;
    return solver;
}

/* What is expanded of f below the length of the solution, by one thread. */
struct below {
    unsigned length;
    uint64_t count;
};

static void count_below(void *context, UNUSED const struct board *board, unsigned g, unsigned h)
{
    struct below *below = context;
    below->count += g + h < below->length;
}

/* Of a consistent heuristic: all states of f below the length, and of those of that f no more than
 * A* expands that takes the smallest g first. */
static void expect_expanded(const struct solver *solver, const struct task *task,
                            const struct limits *limits, const struct result *result)
{
    struct solver breadth = *solver;
    struct report report = {0};
    struct below below = {.length = (unsigned)result->length};
    const struct observer observer = {.expands = count_below, .context = &below};
    assert_true(solver_set(&breadth, "ties", "low_g", FIRST_PLACE, &report));
    SCOPED_BY(result_end) struct result all = result_of(&breadth, task, limits, &observer);
    assert_int_equal(all.length, result->length);
    assert_in_range(result->statistics.expanded, below.count, all.statistics.expanded);
    assert_int_equal(result->statistics.reopened, 0);
}

static void expect_shortest(const struct solver *solver, const struct task *task)
{
    const struct limits limits = {.bytes = UINT64_C(1) << 28};
    const bool consistent = (heuristic_properties(&solver->heuristic) & CONSISTENT) != 0;
    SCOPED_BY(result_end) struct result result = run_with(solver, task, &limits, &alone);
    assert_int_equal(result.status, STATUS_solved);
    if (consistent) {
        expect_expanded(solver, task, &limits, &result);
    } else {
        SCOPED_BY(result_end) struct result general;
        run_form(solver, task, &limits, NULL, NULL, &general);
        assert_int_equal(result.length, general.length);
    }
    assert_int_equal(result.statistics.open_at_end, result.statistics.max_stored -
                                                        result.statistics.expanded - 1 +
                                                        result.statistics.reopened);
}

TEST(solutions_are_shortest)
{
    const char *const texts[] = {"astar(misplaced)",
                                 "astar(manhattan)",
                                 "astar(pdb:1.2.3.4/5.6.7.8:zero)",
                                 "astar(pdb:1.2.3.4/5.6.7.8)",
                                 "astar(max:manhattan+pdb:1.2.3/4.5.6.7.8)",
                                 "astar(pdb:1.2.3.4/5.6.7.8:reflect)",
                                 "astar(max:pdb:1.2.3.4/5.6.7.8:zero+pdb:1.3.5.7/2.4.6.8:zero)"};
    const struct board goals[] = {goal_of("blank-last", 3, 3), board_of("1 2 3 8 0 4 7 6 5")};
    const uint32_t count = is_long() ? 4000 : 6;
    for (unsigned g = 0; g < 2; g++) {
        struct task task = {.goal = goals[g], .order = g == 0 ? "ULRD" : "RDUL"};
        struct ranking ranking = ranking_of(&goals[g]);
        for (unsigned s = 0; s <= sizeof texts / sizeof *texts; s++) {
            const struct solver solver = s < sizeof texts / sizeof *texts
                                             ? solver_of(texts[s])
                                             : solver_with("astar(manhattan)", &patchy);
            for (uint32_t i = 0; i < count && i < ranking.size; i++) {
                ranking_unrank(&ranking, (uint32_t)(i * UINT64_C(104729) % ranking.size),
                               &task.start);
                expect_shortest(&solver, &task);
            }
        }
    }
}

/* Shapes of every size up to 25 cells, any goal, boards that one thread solves at once. */
TEST(every_shape)
{
    const struct solver solvers[] = {solver_of("astar(manhattan)"),
                                     solver_with("astar(manhattan)", &patchy)};
    gsl_rng *generator = any_generator();
    for (unsigned width = MIN_SIDE; width <= 12; width++)
        for (unsigned height = MIN_SIDE; width * height <= 25; height++)
            for (unsigned s = 0; s < 2; s++) {
                const struct board standard = goal_of("blank-first", width, height);
                random_stream(generator, 31, width, s, height);
                struct task task = {.goal = solvable_board(generator, &standard),
                                    .order = DEFAULT_ORDER};
                task.start = task.goal;
                for (unsigned i = 0; i < 14; i++) {
                    const unsigned move = (unsigned)gsl_rng_uniform_int(generator, MOVES);
                    const unsigned to = move_target(task.start.shape, task.start.blank, move);
                    if (to != NO_CELL)
                        board_slide(&task.start, to);
                }
                expect_shortest(&solvers[s], &task);
            }
}

static void expect_same(const struct result *a, const struct result *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->length, b->length);
    for (unsigned i = 0; i < COUNTERS; i++)
        assert_int_equal(statistics_value(&a->statistics, i), statistics_value(&b->statistics, i));
    if (a->status == STATUS_solved)
        assert_string_equal(a->moves, b->moves);
}

/* Searches that go far enough for all threads to work, and whose tables grow. The limit of nodes
 * ends them, a solution, or one of memory. */
TEST(nothing_depends_on_the_threads)
{
    const struct task narrow = narrow_task();
    const struct task wide = wide_task();
    const struct task solved = {board_of("1 7 15 14 2 6 4 9 12 11 13 3 0 8 5 10"),
                                goal_of("blank-first", 4, 4), DEFAULT_ORDER};
    const struct {
        const char *text;
        const struct task *task;
        struct limits limits;
        enum status status;
        uint64_t expanded; /* as counted when this was written */
        uint64_t duplicates;
    } runs[] = {
        {"astar(manhattan)",
         &narrow,
         {.bytes = 1 << 30, .nodes = 500000},
         STATUS_node_limit,
         254423,
         17090},
        {"astar(manhattan)",
         &wide,
         {.bytes = 1 << 30, .nodes = 500000},
         STATUS_node_limit,
         233280,
         8183},
        {"astar(manhattan)", &wide, {.bytes = 8 << 20}, STATUS_memory_limit, 198520, 6728},
        {"astar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15)",
         &narrow,
         {.bytes = 1 << 30, .nodes = 500000},
         STATUS_node_limit,
         250373,
         17730},
        {"astar(linear_conflict)", &solved, {.bytes = 1 << 30}, STATUS_solved, 149872, 10162},
    };
    for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
        const struct solver solver = solver_of(runs[i].text);
        struct result one = run_with(&solver, runs[i].task, &runs[i].limits, &alone);
        assert_int_equal(one.status, runs[i].status);
        assert_int_equal(one.statistics.expanded, runs[i].expanded);
        assert_int_equal(one.statistics.duplicates, runs[i].duplicates);
        if (one.status == STATUS_node_limit)
            assert_int_equal(one.statistics.generated, runs[i].limits.nodes);
        for (unsigned threads = 2; threads <= 16; threads += 14) {
            const struct compact_pace pace = {.lines = 16, .threads = threads};
            struct result many = run_with(&solver, runs[i].task, &runs[i].limits, &pace);
            expect_same(&one, &many);
            result_end(&many);
        }
        result_end(&one);
    }
}

/* Every limit of nodes is met, and what was counted before it is the same. */
TEST(every_limit_of_nodes)
{
    const struct solver solvers[] = {solver_of("astar(manhattan)"),
                                     solver_of("astar(pdb:1.2.3/4.5.6/7.8)")};
    const struct task task = {board_of("7 2 4 5 0 6 8 3 1"), board_of("0 1 2 3 4 5 6 7 8"),
                              DEFAULT_ORDER};
    for (unsigned s = 0; s < 2; s++) {
        uint64_t expanded = 0;
        for (uint64_t nodes = 1; nodes < 1200; nodes++) {
            const struct limits limits = {.bytes = 1 << 28, .nodes = nodes};
            struct result result = run_with(&solvers[s], &task, &limits, &alone);
            if (result.status != STATUS_solved)
                assert_int_equal(result.status, STATUS_node_limit);
            if (result.status != STATUS_solved) {
                assert_int_equal(result.statistics.generated, nodes);
                assert_int_equal(result.statistics.open_at_end, result.statistics.max_stored -
                                                                    result.statistics.expanded +
                                                                    result.statistics.reopened);
            }
            assert_in_range(result.statistics.expanded, expanded, expanded + 2);
            expanded = result.statistics.expanded;
            result_end(&result);
        }
    }
}

/* Any budget is kept, and more memory means more states, but for a few. */
TEST(any_budget_is_kept)
{
    const struct task tasks[] = {narrow_task(), wide_task()};
    const struct solver solver = solver_of("astar(manhattan)");
    for (unsigned t = 0; t < 2; t++) {
        uint64_t most = 0;
        for (uint64_t bytes = 0; bytes < 6000000; bytes += 9973 + bytes / 8) {
            const struct limits limits = {.bytes = bytes};
            struct result result = run_with(&solver, &tasks[t], &limits, &alone);
            assert_int_equal(result.status, STATUS_memory_limit);
            assert_true(result.statistics.max_stored >= most - most / 4);
            assert_true(result.statistics.peak_bytes >= 8 * result.statistics.max_stored);
            raise_to(&most, result.statistics.max_stored);
            result_end(&result);
        }
        assert_true(most > 6000000 / 40);
    }
}

/* Where f or g is too large, one thread makes the search; so does it for an observer, and where an
 * option asks for another order. A heuristic that is not what it claims gets the form for any. */
TEST(one_thread_where_it_must)
{
    const struct limits limits = {.bytes = 1 << 28, .nodes = 100000};
    struct task task = {.goal = board_of("1 2 3 8 0 4 7 6 5"), .order = DEFAULT_ORDER};
    struct ranking ranking = ranking_of(&task.goal);
    ranking_unrank(&ranking, 104729, &task.start);
    const struct solver pairs[][2] = {
        {solver_with("astar(manhattan, threads=2)", &huge), solver_with("astar(manhattan)", &huge)},
        {solver_of("astar(manhattan, threads=2, ties=fifo)"),
         solver_of("astar(manhattan, ties=fifo)")},
    };
    for (unsigned i = 0; i < 2; i++) {
        SCOPED_BY(result_end) struct result two = result_of(&pairs[i][0], &task, &limits, NULL);
        SCOPED_BY(result_end) struct result one = result_of(&pairs[i][1], &task, &limits, NULL);
        one.statistics.peak_bytes = two.statistics.peak_bytes; /* an attempt was made before */
        expect_same(&one, &two);
    }
    const struct solver claim = solver_with("astar(manhattan, threads=2)", &claimed);
    const struct solver none = solver_with("astar(manhattan, threads=2)", &patchy);
    const struct task large = narrow_task();
    SCOPED_BY(result_end) struct result trusted = result_of(&claim, &large, &limits, NULL);
    SCOPED_BY(result_end) struct result plain = result_of(&none, &large, &limits, NULL);
    plain.statistics.peak_bytes = trusted.statistics.peak_bytes;
    expect_same(&trusted, &plain);
    assert_int_equal(plain.statistics.reopened, 1133);
    /* As counted when this was written. */
    const struct solver wild = solver_with("astar(manhattan, threads=2)", &boastful);
    SCOPED_BY(result_end) struct result result = result_of(&wild, &large, &limits, NULL);
    assert_int_equal(result.statistics.reopened, 232);
}

static volatile sig_atomic_t interrupted;

static void interrupt(UNUSED int signal_number)
{
    interrupted = 1;
}

/* The end of the time, of the processor time, and an interruption are noticed; the last before
 * anything is expanded. */
TEST(it_stops_when_told)
{
    const struct solver solver = solver_of("astar(manhattan, threads=2)");
    const struct task task = wide_task();
    const struct itimerval timer = {.it_value.tv_usec = 30000};
    const struct limits limits[] = {{.bytes = UINT64_C(1) << 32, .seconds = 0.03},
                                    {.bytes = UINT64_C(1) << 32, .cpu_seconds = 0.03},
                                    {.bytes = UINT64_C(1) << 32, .interrupted = &interrupted}};
    const enum status statuses[] = {STATUS_time_limit, STATUS_cpu_limit, STATUS_interrupted};
    signal(SIGVTALRM, interrupt);
    for (unsigned i = 0; i < 3; i++) {
        if (limits[i].interrupted != NULL)
            assert_int_equal(setitimer(ITIMER_VIRTUAL, &timer, NULL), 0);
        SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits[i], NULL);
        assert_int_equal(result.status, statuses[i]);
        assert_true(result.statistics.expanded > 1000);
    }
    const struct compact_pace roomy = {.lines = 1 << 10, .threads = 2};
    SCOPED_BY(result_end) struct result none = run_with(&solver, &task, &limits[2], &roomy);
    assert_int_equal(none.status, STATUS_interrupted);
    assert_int_equal(none.statistics.expanded, 0);
}

AROUND_ALL_TESTS(many_searches, NULL)
