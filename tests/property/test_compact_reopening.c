/* The compact form of A* that reopens closed nodes against the general one: every counter (but
 * peak_bytes) and every move is the same, on many boards of 2x4, of the 8-puzzle and of every
 * shape of up to 25 cells, with pattern databases, maxima of them, and heuristics that know no
 * bounds between neighbours; and it decides nothing where it cannot.
 *
 * TILELAB_LONG=1 takes all boards of 2x4 and of the 8-puzzle. */
#include "astar/compact.h"
#include "tests/forms.h"

static bool compact_form(struct search *search, const void *lines)
{
    assert_true(compact_fits(search, COMPACT_REOPENING));
    return compact_run(search, COMPACT_REOPENING,
                       &(struct compact_pace){.lines = *(const uint64_t *)lines});
}

static const uint64_t usual_lines = 256;

/* Any number of 0 .. m. */
static unsigned evaluate_wild(const struct heuristic *heuristic, const struct board *board)
{
    return hash_of(board) % (manhattan_evaluate(heuristic, board) + 1);
}

TEST_HEURISTIC(patchy, 0);
TEST_HEURISTIC(wild, 0);
TEST_HEURISTIC(boastful, 0);

/* A walk that comes by no board twice, and a heuristic that leads along it: it knows how far its
 * end is, and says FAR of all other boards. */
enum { LONGEST = 255, FAR = 250 };

static struct {
    struct board board[LONGEST];
    unsigned length;
} path;

static unsigned evaluate_trail(UNUSED const struct heuristic *heuristic, const struct board *board)
{
    for (unsigned i = 0; i <= path.length; i++)
        if (board_equal(board, &path.board[i]))
            return path.length - i;
    return FAR;
}

TEST_HEURISTIC(trail, 0);

TEST_HEURISTIC(huge, 0);

static struct solver solver_with(const struct heuristic_kind *kind)
{
    struct solver solver = solver_of("astar(manhattan)");
    solver.heuristic.kind = kind;
    return solver;
}

/* Whether the compact form decides it; if so, as the general one does. */
static bool agree(const struct solver *solver, const struct task *task, uint64_t nodes,
                  uint64_t lines)
{
    const struct limits limits = {.bytes = UINT64_C(1) << 32, .nodes = nodes};
    return forms_agree(solver, task, &limits, compact_form, &lines);
}

static const char *const orders[] = {"ULRD", "DRLU", "RUDL", "LDUR"};

/* Some boards that can reach a goal, `count` of them or all, spread over the space. */
static void boards_of(const struct solver *solver, const struct board *goal, uint32_t count)
{
    struct task task = {.goal = *goal};
    struct ranking ranking = ranking_of(goal);
    if (count > ranking.size)
        count = ranking.size;
    for (uint32_t i = 0; i < count; i++) {
        ranking_unrank(&ranking, (uint32_t)(i * UINT64_C(104729) % ranking.size), &task.start);
        task.order = orders[i % 4];
        assert_true(agree(solver, &task, 0, usual_lines));
    }
}

TEST(boards_of_2x4)
{
    const struct board goals[] = {goal_of("blank-last", 4, 2), goal_of("blank-first", 2, 4)};
    const struct solver solvers[] = {solver_with(&wild), solver_of("astar(pdb:1.2.3/4.5.6.7)")};
    for (unsigned g = 0; g < 2; g++)
        for (unsigned s = 0; s < 2; s++)
            boards_of(&solvers[s], &goals[g], is_long() ? UINT32_MAX : 400);
}

TEST(boards_of_the_8_puzzle)
{
    const char *const solvers[] = {
        "astar(pdb:4-4)",
        "astar(pdb:5-3:reflect)",
        "astar(max:pdb:4-4+manhattan)",
        "astar(max:pdb:4-4+pdb:5-3)",
        "astar(pdb:1.2.3.4/5.6.7.8)",
        /* More than 16 groups, which are ranked together, and some in several sums. */
        "astar(pdb:1/2/3/4/5/6/7/8;1.2/3.4/5.6/7.8;1.4/2.5/3.6/7/8;1.8/2.7/3/4/5/6:reflect)",
    };
    const char *const goals[] = {"1 2 3 4 5 6 7 8 0", "1 0 2 3 4 5 6 7 8", "1 2 3 8 0 4 7 6 5"};
    const uint32_t count = is_long() ? UINT32_MAX : 250;
    for (unsigned g = 0; g < 3; g++) {
        const struct board goal = board_of(goals[g]);
        for (unsigned s = 0; s < sizeof solvers / sizeof *solvers; s++) {
            const struct solver solver = solver_of(solvers[s]);
            if (is_defined(&solver.heuristic, &goal))
                boards_of(&solver, &goal, count);
        }
        const struct heuristic_kind *const kinds[] = {&patchy, &wild, &boastful};
        for (unsigned k = 0; k < 3; k++) {
            const struct solver solver = solver_with(kinds[k]);
            boards_of(&solver, &goal, is_long() ? 2000 : 20);
        }
    }
}

/* Shapes of every size up to 25 cells, with any board as the goal; most end at the limit of nodes,
 * where the counters must be the same too. */
TEST(boards_of_every_shape)
{
    enum { NODES = 5000, CELLS = 25 };
    gsl_rng *generator = any_generator();
    uint32_t drawn = 0;
    for (unsigned width = MIN_SIDE; width <= CELLS / MIN_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= CELLS; height++)
            for (unsigned i = 0; i < 4; i++) {
                random_stream(generator, 16, 1, 0, drawn++);
                struct board goal = goal_of("blank-first", width, height);
                struct task task = {.goal = solvable_board(generator, &goal),
                                    .order = orders[drawn % 4]};
                struct solver solver = solver_with(i == 0 ? &patchy : i == 1 ? &wild : &boastful);
                if (i == 2)
                    solver.heuristic = choice_for(heuristic_find("pdb"), &task.goal);
                task.start = solvable_board(generator, &task.goal);
                const uint64_t nodes = 1 + gsl_rng_uniform_int(generator, NODES);
                assert_true(agree(&solver, &task, nodes, 1 + drawn % 50));
            }
}

/* Every limit of nodes: what is counted when it is reached in the middle of an expansion. */
TEST(every_limit_of_nodes)
{
    const struct solver solvers[] = {solver_with(&wild), solver_of("astar(pdb:1.2.3/4.5.6/7.8)")};
    const struct solver wide_solver = solver_with(&wild);
    const struct task task = {board_of("7 2 4 5 0 6 8 3 1"), board_of("0 1 2 3 4 5 6 7 8"),
                              DEFAULT_ORDER};
    const struct task wide = wide_task();
    for (unsigned s = 0; s < 2; s++)
        for (uint64_t nodes = 1; nodes < 1500; nodes++)
            assert_true(agree(&solvers[s], &task, nodes, usual_lines));
    for (uint64_t nodes = 1; nodes < 300; nodes++)
        assert_true(agree(&wide_solver, &wide, nodes, usual_lines));
}

/* A closed list that grows many times, and one whose entries are the short ones of a large list. */
TEST(no_counter_depends_on_the_closed_list)
{
#ifdef NDEBUG
    enum { NODES = 200000 };
#else
    enum { NODES = 20000 };
#endif
    const uint64_t large = 1 << 19;
    const struct task tasks[] = {narrow_task(), wide_task()};
    const struct solver solver = solver_with(&wild);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(agree(&solver, &tasks[i], NODES, usual_lines));
        assert_true(agree(&solver, &tasks[i], NODES, large));
    }
}

/* It takes at most three fifths of what the general form takes. */
TEST(fewer_bytes)
{
#ifdef NDEBUG
    const struct limits limits = {.bytes = UINT64_C(1) << 32, .nodes = 500000};
    const struct task tasks[] = {narrow_task(), wide_task()};
    for (unsigned i = 0; i < 2; i++) {
        struct solver solver = solver_of("astar(manhattan)");
        SCOPED_BY(result_end) struct result general;
        solver.heuristic = choice_for(heuristic_find("pdb"), &tasks[i].goal);
        run_form(&solver, &tasks[i], &limits, NULL, NULL, &general);
        SCOPED_BY(result_end) struct result result = result_of(&solver, &tasks[i], &limits, NULL);
        expect_equal(&tasks[i], &result, &general);
        assert_true(5 * result.statistics.peak_bytes <= 3 * general.statistics.peak_bytes);
    }
#endif
}

static void budgets_are_kept(const struct task *task, uint64_t first, uint64_t bytes_a_state)
{
    struct solver solver = solver_of("astar(manhattan)");
    uint64_t most = 0;
    solver.heuristic = choice_for(heuristic_find("pdb"), &task->goal);
    for (uint64_t bytes = 0; bytes < 3000000; bytes += 1997 + bytes / 8) {
        raise_to(&most, stored_within(&solver, task, bytes, compact_form, &usual_lines));
        assert_true(bytes <= first + bytes_a_state * most);
    }
}

TEST(any_budget_is_kept)
{
    const struct task narrow = narrow_task();
    const struct task wide = wide_task();
    budgets_are_kept(&narrow, 65536, 16);
    budgets_are_kept(&wide, 120000, 26);
}

/* Along the trail g and its note become as large as they can; one step more is not decided. */
static void make_path(unsigned width, unsigned height, unsigned length)
{
    gsl_rng *generator = any_generator();
    const struct board first = goal_of("blank-first", width, height);
    bool made = false;
    for (uint32_t stream = 0; !made; stream++) {
        random_stream(generator, 16, 2, 0, stream);
        path.board[0] = first;
        made = true;
        for (path.length = 0; path.length < length && made;) {
            struct board next = path.board[path.length];
            unsigned to;
            do
                to = move_target(next.shape, next.blank,
                                 (unsigned)gsl_rng_uniform_int(generator, MOVES));
            while (to == NO_CELL);
            board_slide(&next, to);
            for (unsigned i = 0; i < path.length; i++)
                to = board_equal(&next, &path.board[i]) ? NO_CELL : to;
            if (to != NO_CELL)
                path.board[++path.length] = next;
        }
    }
}

TEST(long_paths)
{
    const struct solver solver = solver_with(&trail);
    for (unsigned width = 4; width <= 5; width++)
        for (unsigned length = 252; length <= 254; length++) {
            make_path(width, width, length);
            const struct task task = {path.board[0], path.board[length], DEFAULT_ORDER};
            assert_int_equal(agree(&solver, &task, 100000, usual_lines), length < 254);
        }
}

/* What it does not decide, the general form does, as if nothing had been tried before. */
TEST(too_large_costs)
{
    const struct solver solver = solver_with(&huge);
    const struct limits limits = {.bytes = UINT64_C(1) << 30};
    const struct task task = {board_of("7 2 4 5 0 6 8 3 1"), board_of("0 1 2 3 4 5 6 7 8"),
                              DEFAULT_ORDER};
    SCOPED_BY(result_end) struct result general;
    assert_false(agree(&solver, &task, 0, usual_lines));
    run_form(&solver, &task, &limits, NULL, NULL, &general);
    SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
    expect_equal(&task, &result, &general);
}

AROUND_ALL_TESTS(no_files, NULL)
