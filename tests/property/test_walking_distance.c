/* Walking distance: how many arrangements there are, that the links between them are those of the
 * moves of boards, that distances are exact in that graph, where it is defined, and that it is
 * never below the Manhattan distance. */
#include "base/random.h"
#include "heuristics/walking_distance.h"
#include "puzzle/moves.h"
#include "tests/support.h"

/* 24,964 on 4x4 is Takahashi's number; the others were counted as contingency tables. */
static void test_arrangements(void **state)
{
    static const struct {
        unsigned width;
        unsigned height;
        unsigned rows;
        unsigned columns;
    } counts[] = {
        {3, 3, 105, 105},    {4, 4, 24964, 24964}, {3, 4, 4324, 255},
        {5, 3, 525, 352560}, {2, 6, 367560, 12},
    };
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const struct board goal = goal_of("blank-last", counts[i].width, counts[i].height);
        struct heuristic heuristic = started("walking_distance", &goal);
        const struct walking *walking = heuristic.data;
        assert_int_equal(walking->rows->count, counts[i].rows);
        assert_int_equal(walking->columns->count, counts[i].columns);
        heuristic_end(&heuristic);
    }
}

/* Made once: a goal of the same shape with the blank in the same line has the same. */
static void test_arrangements_are_shared(void **state)
{
    const struct board goals[2] = {board_of("1 2 3 4 5 6 7 8 0"), board_of("8 7 6 5 4 3 0 2 1")};
    struct heuristic first = started("walking_distance", &goals[0]);
    struct heuristic second = started("walking_distance", &goals[1]);
    const struct walking *a = first.data;
    const struct walking *b = second.data;
    (void)state;
    assert_ptr_equal(a->rows, a->columns);
    assert_ptr_equal(a->rows, b->rows);
    assert_ptr_not_equal(b->rows, b->columns);
    heuristic_end(&first);
    heuristic_end(&second);
}

static void test_hand_worked(void **state)
{
    static const struct {
        const char *goal;
        const char *board;
        unsigned h;
    } cases[] = {
        {"1 2 3 4 5 6 7 8 0", "1 2 3 4 5 0 7 8 6", 1},
        /* Two and two tiles exchange their rows, four moves, the same as Manhattan's; but the blank
           must come up to them before, and go down after. No tile is in a wrong column. */
        {"1 2 3 4 5 6 7 8 0", "4 5 3 1 2 6 7 8 0", 6},
        {"1 2 3 4 5 0 7 8 6", "4 5 3 1 2 0 7 8 6", 4},
        /* The same on its side: 1 and 2 exchange columns, the blank comes and goes. */
        {"1 2 3 4 5 6 7 8 0", "2 1 3 4 5 6 7 8 0", 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct board goal = board_of(cases[i].goal);
        const struct board board = board_of(cases[i].board);
        struct heuristic heuristic = started("walking_distance", &goal);
        assert_int_equal(heuristic.kind->evaluate(&heuristic, &board), cases[i].h);
        heuristic_end(&heuristic);
    }
}

/* Every arrangement but the goal's has a link that leads nearer, and no link changes the distance
 * by anything but 1: so no distance is too large, and none too small, if all moves have links. */
static void check_links(const struct arrangements *all)
{
    assert_non_null(all->links);
    assert_int_equal(all->distance[0], 0);
    for (unsigned i = 0; i < all->count; i++) {
        unsigned nearer = 0;
        for (unsigned way = 0; way < 2; way++)
            for (unsigned line = 0; line < all->lines; line++) {
                const unsigned link = all->links[i].to[way][line];
                if (link == 0 && all->distance[i] != 1) /* 0 is also the way to the goal's */
                    continue;
                if (link % 2)
                    assert_int_equal(all->distance[link / 2], all->distance[i] + 1);
                else if (link != 0)
                    assert_int_equal(all->distance[link / 2] + 1, all->distance[i]);
                nearer += link % 2 == 0;
            }
        assert_true(nearer > 0 || i == 0);
        assert_true(i == 0 || all->distance[i] >= all->distance[i - 1]);
    }
}

static void test_links(void **state)
{
    static const char *const sizes[] = {"3x3", "4x4", "4x3", "2x4"};
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    (void)state;
    for (unsigned s = 0; s < 4 * sizeof sizes / sizeof *sizes; s++) {
        struct shape shape;
        assert_true(shape_parse(sizes[s / 4], &shape));
        random_stream(generator, 2026, 3, 0, s);
        const struct board goal = any_board(generator, shape);
        struct heuristic heuristic = started("walking_distance", &goal);
        const struct walking *walking = heuristic.data;
        check_links(walking->rows);
        check_links(walking->columns);
        struct board board = any_board(generator, shape);
        for (unsigned step = 0; step < 20000; step++) {
            const unsigned move = (unsigned)gsl_rng_uniform_int(generator, MOVES);
            const unsigned blank = board.blank;
            const unsigned from = move_target(shape, blank, move);
            if (from == NO_CELL)
                continue;
            const unsigned rows = walking_rows(walking, &board);
            const unsigned columns = walking_columns(walking, &board);
            const unsigned home = heuristic.home[board.cell[from]];
            board_slide(&board, from);
            const bool vertical = move == MOVE_U || move == MOVE_D;
            const bool behind = move == MOVE_D || move == MOVE_R;
            const uint16_t link =
                vertical ? walking->rows->links[rows].to[behind][home / shape.width]
                         : walking->columns->links[columns].to[behind][home % shape.width];
            assert_int_equal(walking_rows(walking, &board), vertical ? link / 2U : rows);
            assert_int_equal(walking_columns(walking, &board), vertical ? columns : link / 2U);
        }
        heuristic_end(&heuristic);
    }
    gsl_rng_free(generator);
}

static void test_never_below_manhattan(void **state)
{
    enum { BOARDS = 20000 };
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    const struct board goal = goal_of("blank-first", 4, 4);
    struct heuristic walking = started("walking_distance", &goal);
    struct heuristic manhattan = started("manhattan", &goal);
    double sum[2] = {0};
    (void)state;
    random_stream(generator, 2026, 4, 0, 0);
    for (unsigned i = 0; i < BOARDS; i++) {
        const struct board board = solvable_board(generator, &goal);
        const unsigned far = walking.kind->evaluate(&walking, &board);
        const unsigned near = manhattan.kind->evaluate(&manhattan, &board);
        assert_true(far >= near && far % 2 == near % 2);
        sum[0] += near;
        sum[1] += far;
    }
    printf("means: Manhattan distance %.3f, walking distance %.3f\n", sum[0] / BOARDS,
           sum[1] / BOARDS);
    assert_true(sum[1] > sum[0] + BOARDS);
    heuristic_end(&walking);
    heuristic_end(&manhattan);
    gsl_rng_free(generator);
}

static void test_where_it_is_defined(void **state)
{
    const struct heuristic_choice choice = choice_of("walking_distance");
    (void)state;
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++)
        for (unsigned height = MIN_SIDE; height <= MAX_SIDE && width * height <= MAX_CELLS;
             height++) {
            const struct board goal = goal_of("blank-last", width, height);
            const unsigned most = width > height ? width : height;
            const unsigned least = width > height ? height : width;
            const bool small = (least == 2 && most <= 6) || (least == 3 && most <= 5) || most == 4;
            char *text = heuristic_refuses(&choice, &goal);
            assert_int_equal(walking_distance_defined(goal.shape), small);
            assert_int_equal(text == NULL, small);
            if (width == 5 && height == 5)
                assert_string_equal(
                    text, "walking_distance is not defined on 5x5: 5 lines of 5 tiles have more "
                          "than 1000000 arrangements; expected at most 4x4, 5x3, 3x5, 6x2 or 2x6");
            free(text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrangements),
        cmocka_unit_test(test_arrangements_are_shared),
        cmocka_unit_test(test_hand_worked),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_never_below_manhattan),
        cmocka_unit_test(test_where_it_is_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
