/* The compact form of A* against the general one: the same nodes in the same order, so that every
 * counter (but peak_bytes) and every move is the same, on many boards of every shape of up to 25
 * cells, with several goals, operator orders and heuristics; however large the table is at the
 * start and however far nodes are expanded ahead.
 *
 * TILELAB_LONG=1 takes all boards of the 8-puzzle, more of the other shapes, and larger budgets. */
#include "astar/compact.h"
#include "tests/forms.h"

static const struct compact_pace default_pace = {.lines = 64};

/* The compact form. */
static bool compact_form(struct search *search, const void *pace)
{
    assert_true(compact_fits(search, COMPACT_CONSISTENT));
    return compact_run(search, COMPACT_CONSISTENT, pace);
}

/* Runs one form of A*: without a pace the general one. */
static struct result run(const struct solver *solver, const struct task *task,
                         const struct limits *limits, const struct compact_pace *pace)
{
    struct result result;
    assert_true(run_form(solver, task, limits, pace == NULL ? NULL : compact_form, pace, &result));
    return result;
}

static void compare(const struct solver *solver, const struct task *task, uint64_t nodes,
                    const struct compact_pace *pace)
{
    const struct limits limits = {.bytes = UINT64_C(1) << 32, .nodes = nodes};
    assert_true(forms_agree(solver, task, &limits, compact_form, pace));
}

/* Heuristics that no table of moves holds, so that step() is asked for every child. Half the
 * Manhattan distance rises and falls now by one and now not at all, which no other does. */

static unsigned evaluate_half(const struct heuristic *heuristic, const struct board *board)
{
    return manhattan_evaluate(heuristic, board) / 2;
}

static unsigned evaluate_whole(const struct heuristic *heuristic, const struct board *board)
{
    return manhattan_evaluate(heuristic, board);
}

TEST_HEURISTIC(half, ADMISSIBLE | CONSISTENT);
TEST_HEURISTIC(whole, ADMISSIBLE | CONSISTENT);

/* Every heuristic there is, and those above: A* with number `index`, for that
 * goal, or false. */
static bool solver_number(unsigned index, const struct board *goal, struct solver *solver)
{
    *solver = solver_of("astar(manhattan)");
    if (index >= heuristic_count + 2)
        return false;
    if (index < heuristic_count)
        solver->heuristic = choice_for(&heuristic_kinds[index], goal);
    else
        solver->heuristic.kind = index == heuristic_count ? &half : &whole;
    return true;
}

static const char *const orders[] = {"ULRD", "DRLU", "RUDL", "LDUR"};

/* A goal with the blank in the corner, on the edge, in the middle. */
static const char *const goals_3x3[] = {"1 2 3 4 5 6 7 8 0", "1 0 2 3 4 5 6 7 8",
                                        "1 2 3 8 0 4 7 6 5"};

TEST(boards_of_the_8_puzzle)
{
    /* Boards asked of each heuristic and goal; where nothing is said, as many as of `zero`. */
    enum { OF_MANHATTAN = 300, OF_MISPLACED = 60, OF_OTHERS = 12 };
    const bool all = is_long();
    struct solver solver;
    for (unsigned g = 0; g < 3; g++) {
        struct task task = {.goal = board_of(goals_3x3[g])};
        struct ranking ranking = ranking_of(&task.goal);
        for (unsigned h = 0; solver_number(h, &task.goal, &solver); h++) {
            if ((heuristic_properties(&solver.heuristic) & CONSISTENT) == 0)
                continue;
            const bool strong = solver.heuristic.kind->evaluate == manhattan_evaluate;
            const bool middling = solver.heuristic.kind->evaluate == misplaced_evaluate;
            const uint32_t count = all && strong ? ranking.size
                                   : strong      ? OF_MANHATTAN
                                   : middling    ? OF_MISPLACED
                                                 : OF_OTHERS;
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t rank = (uint32_t)((i * UINT64_C(104729) + h) % ranking.size);
                const struct compact_pace pace = {.lines = 1 + i % 100, .ahead = i % 17};
                ranking_unrank(&ranking, rank, &task.start);
                task.order = orders[i % 4];
                compare(&solver, &task, 0, i % 2 == 0 ? &default_pace : &pace);
            }
        }
    }
}

/* Shapes of every size up to 25 cells, with goals as far from the usual ones as any board; most end
 * at the limit of nodes, where the counters must be the same too. */
TEST(boards_of_every_shape)
{
    enum { CELLS = 25 };
    const unsigned wide_boards = is_long() ? 2 : 1;
    const unsigned nodes = is_long() ? 20000 : 8000;
    struct solver solver;
    gsl_rng *generator = any_generator();
    uint32_t drawn = 0;
    for (unsigned width = MIN_SIDE; width <= CELLS / MIN_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= CELLS; height++)
            for (unsigned h = 0; h < heuristic_count + 2; h++)
                for (unsigned i = 0; i < wide_boards + (width * height <= 16); i++) {
                    random_stream(generator, 15, 1, 0, drawn++);
                    struct board goal = goal_of("blank-first", width, height);
                    struct task task = {.goal = solvable_board(generator, &goal),
                                        .order = orders[drawn % 4]};
                    assert_true(solver_number(h, &task.goal, &solver));
                    if (!is_defined(&solver.heuristic, &task.goal) ||
                        (heuristic_properties(&solver.heuristic) & CONSISTENT) == 0)
                        continue;
                    task.start = solvable_board(generator, &task.goal);
                    const struct compact_pace pace = {.lines = 1 + drawn % 50, .ahead = drawn % 17};
                    compare(&solver, &task, 1 + gsl_rng_uniform_int(generator, nodes), &pace);
                }
}

/* Zero-aware pattern databases of several sums, where the values of all children of a node are read
 * together. */
TEST(zero_aware_databases_of_several_sums)
{
    static const struct {
        unsigned side;
        const char *solver;
    } rows[] = {
        {3, "astar(pdb:4-4:zero:reflect)"},
        {3, "astar(max:pdb:4-4:zero+pdb:5-3:zero)"},
        {3,
         "astar(pdb:1/2/3/4/5/6/7/8;1.2/3.4/5.6/7.8;1.4/2.5/3.6/7/8;1.8/2.7/3/4/5/6:zero:reflect)"},
        {4, "astar(pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:zero:reflect)"},
        {5,
         "astar(pdb:1.2.3/4.5/6.7/8.9/10.15/11.12/13.14/16.17/18.19/20.21/22.23/24:zero:reflect)"},
    };
    enum { BOARDS = 24, NODES = 6000 };
    gsl_rng *generator = any_generator();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned b = 0; b < BOARDS; b++) {
            const struct solver solver = solver_of(rows[i].solver);
            const char *const goal = b % 2 == 0 ? "blank-first" : "blank-last";
            struct task task = {.goal = goal_of(goal, rows[i].side, rows[i].side),
                                .order = orders[b % 4]};
            random_stream(generator, 17, 1, 0, i * BOARDS + b);
            task.start = solvable_board(generator, &task.goal);
            const struct compact_pace pace = {.lines = 1 + b, .ahead = b % 17};
            compare(&solver, &task, 1 + gsl_rng_uniform_int(generator, NODES), &pace);
        }
}

/* Every limit of nodes on one board: what is counted when it is reached in the middle of an
 * expansion. */
TEST(every_limit_of_nodes)
{
    const struct solver solver = solver_of("astar(manhattan)");
    struct task task = {board_of("7 2 4 5 0 6 8 3 1"), board_of("0 1 2 3 4 5 6 7 8"),
                        DEFAULT_ORDER};
    const struct task wide = wide_task();
    for (uint64_t nodes = 1; nodes < 2600; nodes++)
        compare(&solver, &task, nodes, &default_pace);
    for (uint64_t nodes = 1; nodes < 600; nodes++)
        compare(&solver, &wide, nodes, &default_pace);
}

/* The sizes set the pace, nothing else: a search of forty thousand nodes (TILELAB_LONG=1: half a
 * million; fewer where the build is slow), whose table grows many times. */
static void no_counter_depends_on(const struct task *task)
{
#ifdef NDEBUG
    enum { NODES = 40000 };
#else
    enum { NODES = 20000 };
#endif
    const struct solver solver = solver_of("astar(manhattan)");
    const struct limits limits = {.bytes = UINT64_C(1) << 32, .nodes = is_long() ? 500000 : NODES};
    SCOPED_BY(result_end) struct result general = run(&solver, task, &limits, NULL);
    for (uint64_t buckets = 1; buckets <= 1 << 17; buckets = 3 * buckets + 1)
        for (unsigned ahead = 0; ahead <= COMPACT_MAX_AHEAD; ahead += 1 + ahead / 3) {
            const struct compact_pace pace = {.lines = buckets, .ahead = ahead};
            SCOPED_BY(result_end) struct result compact = run(&solver, task, &limits, &pace);
            expect_equal(task, &compact, &general);
        }
    const struct compact_pace large = {.lines = 1 << 19};
    SCOPED_BY(result_end) struct result compact = run(&solver, task, &limits, &large);
    expect_equal(task, &compact, &general);
}

TEST(no_counter_depends_on_the_pace)
{
    const struct task tasks[] = {narrow_task(), wide_task()};
    for (unsigned i = 0; i < 2; i++)
        no_counter_depends_on(&tasks[i]);
}

/* The 4th of Korf's boards until its closed list has just grown to 884,736 lines: a large one is
 * never emptier. */
TEST(a_state_takes_12_bytes)
{
#ifdef NDEBUG
    const struct solver solver = solver_of("astar(manhattan)");
    const struct task task = {board_of("5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6"),
                              goal_of("blank-first", 4, 4), DEFAULT_ORDER};
    const struct limits limits = {.bytes = UINT64_C(1) << 32, .nodes = 7130000};
    SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
    assert_int_equal(result.status, STATUS_node_limit);
    assert_int_equal(result.statistics.expanded, 3597076);
    assert_int_equal(result.statistics.max_stored, 6572819);
    assert_true(result.statistics.peak_bytes <= 12 * result.statistics.max_stored);
#endif
}

static void budgets_are_kept(const struct task *task, uint64_t first, uint64_t bytes_a_state,
                             uint64_t part)
{
    const struct solver solver = solver_of("astar(manhattan)");
    const uint64_t largest = is_long() ? 6000000 : 1500000;
    uint64_t most = 0;
    for (uint64_t bytes = 0; bytes < largest; bytes += 997 + bytes / 16) {
        const uint64_t stored = stored_within(&solver, task, bytes, compact_form, &default_pace);
        assert_true(stored >= most - most / part);
        raise_to(&most, stored);
        assert_true(bytes <= first + bytes_a_state * most);
    }
}

/* What is there before the first state, and bytes for each state, of either width. More memory
 * means more states, or on the wide board, at some budgets, up to one in 16 fewer. */
TEST(any_budget_is_kept)
{
    const struct task narrow = narrow_task();
    const struct task wide = wide_task();
    budgets_are_kept(&narrow, 65536, 16, UINT64_MAX);
    budgets_are_kept(&wide, 120000, 26, 16);
}

/* A heuristic that is declared consistent and is not: it is noticed, and the general form answers,
 * as if nothing had been tried before. */
static unsigned evaluate_thirds(const struct heuristic *heuristic, const struct board *board)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < board->shape.cells; i++)
        sum += i * i * board->cell[i];
    return sum % 3 == 0 ? 0 : manhattan_evaluate(heuristic, board);
}

TEST_HEURISTIC(thirds, ADMISSIBLE | CONSISTENT);

/* The same, of a heuristic that says that a table of moves will do. */
static unsigned evaluate_doubled(const struct heuristic *heuristic, const struct board *board)
{
    return 2 * manhattan_evaluate(heuristic, board);
}

static unsigned step_doubled(const struct heuristic *heuristic, const struct board *child,
                             unsigned h, unsigned tile, unsigned from, unsigned to)
{
    return h + 2 * manhattan_step(heuristic, child, 1, tile, from, to) - 2;
}

static const struct heuristic_kind doubled = {"doubled",
                                              "twice the Manhattan distance",
                                              ADMISSIBLE | CONSISTENT | INCREMENTAL,
                                              NULL,
                                              (const struct option_row[])NO_OPTIONS,
                                              manhattan_prepare,
                                              evaluate_doubled,
                                              step_doubled};

TEST(a_heuristic_is_not_believed)
{
    const struct heuristic_kind *const kinds[] = {&thirds, &doubled};
    const struct limits limits = {.bytes = UINT64_C(1) << 30};
    struct task task = {.goal = board_of("1 2 3 8 0 4 7 6 5"), .order = DEFAULT_ORDER};
    struct ranking ranking = ranking_of(&task.goal);
    for (unsigned k = 0; k < 2; k++) {
        struct solver solver = solver_of("astar(manhattan)");
        solver.heuristic.kind = kinds[k];
        for (uint32_t i = 0; i < 40; i++) {
            ranking_unrank(&ranking, (uint32_t)(i * UINT64_C(104729) % ranking.size), &task.start);
            SCOPED_BY(result_end) struct result general = run(&solver, &task, &limits, NULL);
            SCOPED_BY(result_end) struct result result = result_of(&solver, &task, &limits, NULL);
            expect_equal(&task, &result, &general);
        }
    }
}

/* What an observer sees is the same, node by node. */
struct seen {
    uint64_t count;
    uint64_t sum; /* depends on every board, g and h, and on their order */
};

static void note_expansion(void *context, const struct board *board, unsigned g, unsigned h)
{
    struct seen *seen = context;
    seen->count++;
    seen->sum = (seen->sum + g) * 31 + h;
    for (unsigned i = 0; i < board->shape.cells; i++)
        seen->sum = seen->sum * 31 + board->cell[i];
    seen->sum = seen->sum * 31 + board->blank;
}

TEST(observers_see_the_same)
{
    const struct task tasks[] = {
        {board_of("7 2 4 5 0 6 8 3 1"), board_of("0 1 2 3 4 5 6 7 8"), DEFAULT_ORDER}, wide_task()};
    const struct limits limits = {.bytes = UINT64_C(1) << 30, .nodes = 20000};
    /* A depth limit that is never reached asks for the general form. */
    const char *const forms[] = {"astar(manhattan)", "astar(manhattan, depth_limit=1000)"};
    for (unsigned t = 0; t < 2; t++) {
        struct seen seen[2] = {{0, 0}, {0, 0}};
        for (unsigned i = 0; i < 2; i++) {
            const struct observer observer = {.expands = note_expansion, .context = &seen[i]};
            struct result result = result_by(forms[i], &tasks[t], &limits, &observer);
            assert_int_equal(result.statistics.expanded, seen[i].count);
            result_end(&result);
        }
        assert_int_equal(seen[0].count, seen[1].count);
        assert_int_equal(seen[0].sum, seen[1].sum);
    }
}
