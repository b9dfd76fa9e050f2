/* Walking distance: how many arrangements there are, that the links between them are those of the
 * moves of boards, that distances are exact in that graph, where it is defined, and that it is
 * never below the Manhattan distance. TILELAB_LONG=1: the largest shapes, too. */
#include "heuristics/walking_distance.h"
#include "puzzle/moves.h"
#include "tests/support.h"

/* 24,964 on 4x4 is Takahashi's number; the others were counted as contingency tables. */
TEST(test_arrangements)
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
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const struct board goal = goal_of("blank-last", counts[i].width, counts[i].height);
        SCOPED_BY(heuristic_end) struct heuristic heuristic = started("walking_distance", &goal);
        const struct walking *walking = heuristic.data;
        assert_int_equal(walking->rows.numbering->count, counts[i].rows);
        assert_int_equal(walking->columns.numbering->count, counts[i].columns);
    }
}

/* Made once: a goal of the same shape with the blank in the same line has the same. */
TEST(test_arrangements_are_shared)
{
    const struct board goals[2] = {board_of("1 2 3 4 5 6 7 8 0"), board_of("8 7 6 5 4 3 0 2 1")};
    SCOPED_BY(heuristic_end) struct heuristic first = started("walking_distance", &goals[0]);
    SCOPED_BY(heuristic_end) struct heuristic second = started("walking_distance", &goals[1]);
    const struct walking *a = first.data;
    const struct walking *b = second.data;
    assert_ptr_equal(a->rows.distance, a->columns.distance);
    assert_ptr_equal(a->rows.distance, b->rows.distance);
    assert_ptr_not_equal(b->rows.distance, b->columns.distance);
}

TEST(test_hand_worked)
{
    static const struct {
        const char *goal;
        const char *board;
        unsigned h; /* without last moves, with one, with two */
    } cases[] = {
        {"1 2 3 4 5 6 7 8 0", "1 2 3 4 5 6 7 8 0", 0},
        {"1 2 3 4 5 6 7 8 0", "1 2 3 4 5 0 7 8 6", 1},
        {"1 2 3 4 5 6 7 8 0", "1 2 3 4 0 5 7 8 6", 2},
        /* Two and two tiles exchange their rows, four moves, the same as Manhattan's; but the blank
           must come up to them before, and go down after. No tile is in a wrong column. */
        {"1 2 3 4 5 6 7 8 0", "4 5 3 1 2 6 7 8 0", 6},
        {"1 2 3 4 5 0 7 8 6", "4 5 3 1 2 0 7 8 6", 4},
        /* The same on its side: 1 and 2 exchange columns, the blank comes and goes. */
        {"1 2 3 4 5 6 7 8 0", "2 1 3 4 5 6 7 8 0", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct board goal = board_of(cases[i].goal);
        const struct board board = board_of(cases[i].board);
        SCOPED_BY(heuristic_end) struct heuristic heuristic = started("walking_distance", &goal);
        assert_int_equal(heuristic.kind->evaluate(&heuristic, &board), cases[i].h);
    }
}

/* Every arrangement but the goal's has a link that leads nearer, and no link changes the distance
 * by anything but 1: so no distance is too large, and none too small, if all moves have links. */
static void check_links(const struct walking_lines *all)
{
    assert_non_null(all->links);
    const unsigned goal = numbering_goal(all->numbering);
    assert_int_equal(all->distance[goal], 0);
    for (unsigned i = 0; i < all->numbering->count; i++) {
        unsigned nearer = 0;
        for (unsigned way = 0; way < 2; way++)
            for (unsigned line = 0; line < all->numbering->lines; line++) {
                const unsigned link = all->links[i].to[way][line];
                if (link == NO_LINK)
                    continue;
                if (link % 2)
                    assert_int_equal(all->distance[link / 2], all->distance[i] + 1);
                else
                    assert_int_equal(all->distance[link / 2] + 1, all->distance[i]);
                nearer += link % 2 == 0;
            }
        assert_true(nearer > 0 || i == goal);
    }
}

TEST(test_links)
{
    static const char *const sizes[] = {"3x3", "4x4", "4x3", "2x4"};
    gsl_rng *generator = any_generator();
    for (unsigned s = 0; s < 4 * sizeof sizes / sizeof *sizes; s++) {
        const struct shape shape = shape_read(sizes[s / 4]);
        random_stream(generator, 2026, 3, 0, s);
        const struct board goal = any_board(generator, shape);
        SCOPED_BY(heuristic_end) struct heuristic heuristic = started("walking_distance", &goal);
        const struct walking *walking = heuristic.data;
        check_links(&walking->rows);
        check_links(&walking->columns);
        struct board board = any_board(generator, shape);
        for (unsigned step = 0; step < 20000; step++) {
            const unsigned move = (unsigned)gsl_rng_uniform_int(generator, MOVES);
            const unsigned blank = board.blank;
            const unsigned from = move_target(shape, blank, move);
            if (from == NO_CELL)
                continue;
            const unsigned rows = walking_number(&walking->rows, &board);
            const unsigned columns = walking_number(&walking->columns, &board);
            const unsigned home = heuristic.home[board.cell[from]];
            board_slide(&board, from);
            const bool vertical = move == MOVE_U || move == MOVE_D;
            const bool behind = move == MOVE_D || move == MOVE_R;
            const uint16_t link =
                vertical ? walking->rows.links[rows].to[behind][home / shape.width]
                         : walking->columns.links[columns].to[behind][home % shape.width];
            assert_int_equal(walking_number(&walking->rows, &board), vertical ? link / 2U : rows);
            assert_int_equal(walking_number(&walking->columns, &board),
                             vertical ? columns : link / 2U);
        }
    }
}

TEST(test_never_below_manhattan)
{
    enum { BOARDS = 20000 };
    gsl_rng *generator = any_generator();
    const struct board goal = goal_of("blank-first", 4, 4);
    SCOPED_BY(heuristic_end) struct heuristic walking = started("walking_distance", &goal);
    SCOPED_BY(heuristic_end) struct heuristic manhattan = started("manhattan", &goal);
    double sum[2] = {0};
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
}

/* The board turned by half a turn, as are its tiles: the tile of a cell's goal becomes that of the
 * opposite cell's. */
static struct board turned(const struct board *board, const struct board *goal,
                           const struct board *turned_goal)
{
    const unsigned last = board->shape.cells - 1U;
    uint8_t home[MAX_CELLS] = {0};
    struct board other = *board;
    for (unsigned cell = 0; cell <= last; cell++)
        home[goal->cell[cell]] = (uint8_t)cell;
    for (unsigned cell = 0; cell <= last; cell++)
        other.cell[last - cell] = turned_goal->cell[last - home[board->cell[cell]]];
    other.blank = (uint8_t)(last - board->blank);
    return other;
}

/* Along random walks from a goal h changes by 1 with each move, stays below the moves made, and is
 * the same on the board turned with its goal, whose lines are numbered from the other end. */
static void check_walks(unsigned width, unsigned height, unsigned seed)
{
    gsl_rng *generator = any_generator();
    static const char *const goals[][2] = {{"blank-first", "blank-last"},
                                           {"blank-last", "blank-first"}};
    for (unsigned g = 0; g < 2; g++) {
        const struct board goal = goal_of(goals[g][0], width, height);
        const struct board other_goal = goal_of(goals[g][1], width, height);
        SCOPED_BY(heuristic_end) struct heuristic heuristic = started("walking_distance", &goal);
        SCOPED_BY(heuristic_end) struct heuristic other = started("walking_distance", &other_goal);
        SCOPED_BY(heuristic_end) struct heuristic manhattan = started("manhattan", &goal);
        struct board board = goal;
        unsigned h = 0;
        random_stream(generator, 2026, seed, g, 0);
        for (unsigned steps = 1; steps <= 5000; steps++) {
            unsigned from = NO_CELL;
            while (from == NO_CELL)
                from = move_target(goal.shape, board.blank,
                                   (unsigned)gsl_rng_uniform_int(generator, MOVES));
            board_slide(&board, from);
            const unsigned next = heuristic.kind->evaluate(&heuristic, &board);
            const struct board image = turned(&board, &goal, &other_goal);
            assert_true(next == h + 1 || next + 1 == h);
            assert_true(next <= steps && (next + steps) % 2 == 0);
            assert_true(next >= manhattan.kind->evaluate(&manhattan, &board));
            assert_int_equal(other.kind->evaluate(&other, &image), next);
            h = next;
        }
        assert_true(h > width * height);
    }
}

TEST(test_walks_on_large_shapes)
{
    const bool all = getenv("TILELAB_LONG") != NULL;
    check_walks(5, 4, 5);
    if (!all)
        return;
    check_walks(4, 5, 6);
    check_walks(5, 5, 7);
    check_walks(3, 6, 8);
    check_walks(7, 2, 9);
}

/* TILELAB_LONG=1: how many arrangements there are, and never above the known lengths of 24-puzzles.
 */
TEST(test_five_by_five)
{
    if (getenv("TILELAB_LONG") == NULL)
        skip();
    const struct board goal = goal_of("blank-first", 5, 5);
    SCOPED_BY(heuristic_end) struct heuristic heuristic = started("walking_distance", &goal);
    const struct walking *walking = heuristic.data;
    assert_int_equal(walking->rows.numbering->count, 65650495);
    assert_ptr_equal(walking->rows.distance, walking->columns.distance);
    SCOPED_BY(instance_list_end) struct instance_list list = published("korf24_50");
    assert_int_equal(list.count, 50);
    for (size_t i = 0; i < list.count; i++) {
        const unsigned h = heuristic.kind->evaluate(&heuristic, &list.items[i].start);
        const unsigned length = (unsigned)list.items[i].optimal_length;
        assert_true(h <= length && (h + length) % 2 == 0);
    }
}

TEST(test_where_it_is_defined)
{
    const struct heuristic_choice choice = choice_of("walking_distance");
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++)
        for (unsigned height = MIN_SIDE; height <= MAX_SIDE && width * height <= MAX_CELLS;
             height++) {
            const struct board goal = goal_of("blank-last", width, height);
            const unsigned most = width > height ? width : height;
            const unsigned least = width > height ? height : width;
            const bool small = (least == 2 && most <= 7) || (least == 3 && most <= 6) || most <= 5;
            SCOPED char *text = heuristic_refuses(&choice, &goal);
            assert_int_equal(walking_distance_defined(goal.shape), small);
            assert_int_equal(text == NULL, small);
            if (width == 4 && height == 6)
                assert_string_equal(text, "walking_distance is not defined on 4x6: 6 lines of 4 "
                                          "tiles have more than 67108864 arrangements; expected at "
                                          "most 5x5, 6x3, 3x6, 7x2 or 2x7");
        }
}
