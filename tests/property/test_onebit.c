/* Zero-aware pattern databases in the one-bit form against the whole ones: the same h on every
 * board, from scratch and from the parent, and the same search, node for node. */
#include "heuristics/pdb.h"
#include "puzzle/moves.h"
#include "tests/support.h"

/* A text with ":zero" in place of "*", or with ":zero:onebit"; heap memory. */
static char *form(const char *text, bool onebit)
{
    char *made = heap_text("");
    for (; *text != '\0'; text++) {
        if (*text == '*')
            heap_append(&made, ":zero%s", onebit ? ":onebit" : "");
        else
            heap_append(&made, "%c", *text);
    }
    return made;
}

static struct heuristic heuristic_of(const char *text, bool onebit, const struct board *goal)
{
    SCOPED char *made = form(text, onebit);
    return started(made, goal);
}

/* Boards, which a goal may not reach, and their neighbours. */
static void check_board(const struct heuristic pair[2], struct board board)
{
    const unsigned h = pair[0].kind->evaluate(&pair[0], &board);
    assert_int_equal(pair[1].kind->evaluate(&pair[1], &board), h);
    if (!board_connected(&board, &pair[0].goal))
        return;
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = board.blank;
        const unsigned from = move_target(board.shape, to, move);
        if (from == NO_CELL)
            continue;
        const unsigned tile = board.cell[from];
        board_slide(&board, from);
        const unsigned next = pair[0].kind->evaluate(&pair[0], &board);
        assert_int_equal(pair[1].kind->step(&pair[1], &board, h, tile, from, to), next);
        board_slide(&board, to);
    }
}

TEST(h_is_the_same_on_every_board)
{
    static const struct {
        const char *goal;
        const char *heuristic;
        unsigned step;
    } rows[] = {
        {"1 2 3 4 5 6 7 8 0", "pdb:4-4*", 1},
        {"0 1 2 3 4 5 6 7 8", "pdb:5-3*:reflect", 7},
        {"1 2 3 8 0 4 7 6 5", "pdb:1.2.3/4.5.6/7.8*:reflect", 5},
        {"1 0 2 3 4 5 6 7 8", "pdb:1.2.3.4.5.6.7/8*", 11},
        {"1 2 3 8 0 4 7 6 5", "pdb:1.2.3.4.5.6.7.8*", 31},
        {"0 1 2 3 4 5 6 7 8", "pdb:4-4;5-3;1.2.3/4.5.6/7.8*", 31},
        {"0 1 2 3 4 5 6 7 8", "max:pdb:4-4*+pdb:5-3*:reflect", 31},
        {"0 1 2 3 4 5 6 7 8", "max:pdb:4-4*+pdb:5-3:zero", 31}, /* parts that are not alike */
        {"1 2 3\n4 5 0", "pdb:1.2.3/4.5*", 1},
        {"1 2 3\n4 5 0", "pdb:1.2.3.4.5*", 1},
        {"1 2\n3 4\n5 6\n7 0", "pdb:1.2.3/4.5.6.7*", 1},
        {"1 2 3 4\n5 6 7 0", "pdb:1.2.3.4.5/6.7*", 1},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct board goal = board_of(rows[i].goal);
        const struct heuristic pair[2] = {heuristic_of(rows[i].heuristic, false, &goal),
                                          heuristic_of(rows[i].heuristic, true, &goal)};
        struct ranking ranking = ranking_of(&goal);
        const bool all = is_long() || goal.shape.cells < 9;
        for (uint32_t rank = 0; rank < ranking.size; rank += (all ? 1 : 3) * rows[i].step) {
            struct board board = board_ranked(&ranking, rank);
            check_board(pair, board);
        }
        for (unsigned j = 0; j < 2; j++)
            heuristic_end((struct heuristic *)(uintptr_t)&pair[j]);
    }
}

/* Boards that cannot reach the goal, and larger boards. */
TEST(h_is_the_same_on_some_boards)
{
    static const struct {
        const char *size;
        const char *heuristic;
        unsigned boards;
    } rows[] = {
        {"2x2", "pdb:1.2.3*", 24},
        {"3x3", "pdb:1.2.3.4.5.6.7.8*", 50},
        {"3x3", "pdb:1.2.3.4.5.6.7/8*", 50},
        {"4x4", "pdb:5-5-5*:reflect", 200},
        {"5x3", "pdb:1.2.3.4/5.6.7.8/9.10.11/12.13.14*", 50},
        {"5x5", "pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24*", 50},
    };
    gsl_rng *generator = any_generator();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        random_stream(generator, 2026, 500, i, 0);
        const struct shape shape = shape_read(rows[i].size);
        const struct board goal = goal_of("blank-first", shape.width, shape.height);
        const struct heuristic pair[2] = {heuristic_of(rows[i].heuristic, false, &goal),
                                          heuristic_of(rows[i].heuristic, true, &goal)};
        for (unsigned n = 0; n < rows[i].boards; n++)
            check_board(pair, any_board(generator, shape));
        for (unsigned j = 0; j < 2; j++)
            heuristic_end((struct heuristic *)(uintptr_t)&pair[j]);
    }
}

/* Solves a board with both forms. Returns what was generated. */
static uint64_t check_search(const char *algorithm, const char *heuristic, const struct task *task,
                             uint64_t nodes)
{
    const struct limits limits = {.nodes = nodes, .bytes = UINT64_C(1) << 30};
    struct result result[2];
    for (unsigned i = 0; i < 2; i++) {
        SCOPED char *made = form(heuristic, i == 1);
        const struct solver solver = solver_of(text_of("%s(%s)", algorithm, made));
        solver_run(&solver, task, &limits, NULL, &result[i]);
    }
    struct statistics *one = &result[0].statistics;
    struct statistics *two = &result[1].statistics;
    assert_int_equal(result[0].status, result[1].status);
    assert_int_equal(result[0].h_start, result[1].h_start);
    assert_int_equal(result[0].length, result[1].length);
    if (result[0].status == STATUS_solved)
        assert_string_equal(result[0].moves, result[1].moves);
    const uint64_t generated = one->generated;
    two->peak_bytes = one->peak_bytes; /* idastar's counters differ in size */
    assert_memory_equal(one, two, sizeof *one);
    for (unsigned i = 0; i < 2; i++)
        result_end(&result[i]);
    return generated;
}

static const char *const algorithms_used[] = {"idastar", "astar", "greedy", "rbfs"};

TEST(every_search_is_the_same)
{
    static const struct {
        const char *goal;
        const char *heuristic;
        unsigned step;
    } rows[] = {
        {"1 2 3 4 5 6 7 8 0", "pdb:4-4*", 1499},
        {"0 1 2 3 4 5 6 7 8", "pdb:5-3*:reflect", 1999},
        {"1 2 3 8 0 4 7 6 5", "pdb:1.2.3/4.5.6/7.8*", 1999},
        {"0 1 2 3 4 5 6 7 8", "pdb:4-4;5-3*", 2999},
        {"1 2 3 4\n5 6 7 0", "pdb:1.2.3/4.5.6.7*", 31},
        {"1 2 3\n4 5 0", "pdb:1.2/3.4.5*", 1},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct task task = {.goal = board_of(rows[i].goal), .order = DEFAULT_ORDER};
        struct ranking ranking = ranking_of(&task.goal);
        for (uint32_t rank = 0; rank < ranking.size; rank += rows[i].step)
            for (unsigned a = 0; a < sizeof algorithms_used / sizeof *algorithms_used; a++) {
                ranking_unrank(&ranking, rank, &task.start);
                check_search(algorithms_used[a], rows[i].heuristic, &task, UINT64_MAX);
            }
    }
}

TEST(larger_searches_are_the_same)
{
    static const struct {
        unsigned width, height;
        const char *heuristic;
    } rows[] = {
        {4, 4, "pdb:5-5-5*"},
        {4, 4, "pdb:5-5-5*:reflect"},
        {4, 4, "pdb:5-5-5;1.2.3.4.5/6.7.8.9.10/11.12.13.14.15*:reflect"},
        {5, 3, "pdb:1.2.3.4/5.6.7.8/9.10.11/12.13.14*"},
        {5, 5, "pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24*"},
    };
    enum { STEPS = 5, NODES = 30000 };
    gsl_rng *generator = any_generator();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t generated = 0;
        struct task task = {.goal = goal_of("blank-first", rows[i].width, rows[i].height),
                            .order = DEFAULT_ORDER};
        random_stream(generator, 2026, 501, i, 0);
        for (unsigned n = 1; n <= STEPS; n++) {
            task.start = task.goal;
            for (unsigned step = 0; step < 60 * n; step++) {
                const unsigned from = move_target(task.goal.shape, task.start.blank,
                                                  (unsigned)gsl_rng_uniform_int(generator, MOVES));
                if (from != NO_CELL)
                    board_slide(&task.start, from);
            }
            generated += check_search("idastar", rows[i].heuristic, &task, NODES);
            check_search("astar", rows[i].heuristic, &task, NODES / 30);
            check_search("greedy", rows[i].heuristic, &task, NODES / 30);
        }
        assert_true(generated > NODES / 10);
    }
}

AROUND_ALL_TESTS(no_files, NULL)
