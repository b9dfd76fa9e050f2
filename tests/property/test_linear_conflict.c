/* Linear conflict against its definition: in each line the fewest tiles that must go for the
 * others to stand in the order of their goals, found by trying all subsets; on shapes whose lines
 * are looked up and on shapes whose lines are computed. And its published mean. */
#include "heuristics/heuristic.h"
#include "tests/support.h"

static unsigned value(const char *name, const struct board *goal, const struct board *board)
{
    SCOPED_BY(heuristic_end) struct heuristic heuristic = started(name, goal);
    return heuristic.kind->evaluate(&heuristic, board);
}

/* The fewest of these places to leave out for the rest to rise. */
static unsigned fewest(const unsigned *places, unsigned count)
{
    unsigned least = count;
    for (uint32_t gone = 0; gone < UINT32_C(1) << count; gone++) {
        unsigned out = 0;
        unsigned last = 0;
        bool rises = true;
        for (unsigned i = 0; i < count; i++)
            if (gone >> i & 1) {
                out++;
            } else {
                rises = rises && places[i] >= last;
                last = places[i];
            }
        if (rises && out < least)
            least = out;
    }
    return least;
}

/* The heuristic as it is defined. */
static unsigned defined(const struct board *goal, const struct board *board)
{
    const unsigned width = goal->shape.width;
    unsigned home[MAX_CELLS];
    unsigned sum = 0;
    for (unsigned i = 0; i < goal->shape.cells; i++)
        home[goal->cell[i]] = i;
    for (unsigned i = 0; i < board->shape.cells; i++)
        if (board->cell[i] != 0)
            sum += shape_distance(board->shape, i, home[board->cell[i]]);
    for (unsigned line = 0; line < width + goal->shape.height; line++) {
        unsigned places[MAX_SIDE];
        unsigned count = 0;
        for (unsigned i = 0; i < goal->shape.cells; i++) {
            const unsigned at = home[board->cell[i]];
            if (board->cell[i] == 0)
                continue;
            if (line < width && i % width == line && at % width == line)
                places[count++] = at / width;
            if (line >= width && i / width == line - width && at / width == line - width)
                places[count++] = at % width;
        }
        sum += 2 * fewest(places, count);
    }
    return sum;
}

TEST(test_small_cases)
{
    static const struct {
        const char *goal;
        const char *board;
        unsigned h;
    } cases[] = {
        {"1 2 3 4 5 6 7 8 0", "2 1 3 4 5 6 7 8 0", 4},
        {"1 2 3 4 5 6 7 8 0", "3 2 1 4 5 6 7 8 0", 8}, /* two of three must leave */
        {"1 2 3 4 5 6 7 8 0", "1 8 3 4 5 6 7 2 0",
         8}, /* the same in a column, where 5 is passed twice */
        {"1 2 3 4 5 6 7 8 0", "2 3 1 4 5 6 7 8 0", 6}, /* one lets two pass */
        {"1 2 3 4 5 6 7 8 0", "4 1 3 2 5 6 7 8 0", 4}, /* turned, not in conflict */
        {"0 1 2 3 4 5 6 7 8", "2 0 1 3 4 5 6 7 8", 5}, /* the blank is no tile */
        {"1 2 3 8 0 4 7 6 5", "1 2 3 4 0 8 7 6 5", 6}, /* nor is its goal cell in the way */
        {"1 2 3 4\n5 6 7 0", "4 3 2 1\n5 6 7 0", 14},  /* three of four */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct board goal = board_of(cases[i].goal);
        const struct board board = board_of(cases[i].board);
        assert_int_equal(value("linear_conflict", &goal, &board), cases[i].h);
    }
}

/* Tiles change places within their line only: so that many are in conflict. */
static struct board with_shuffled_lines(gsl_rng *generator, const struct board *goal)
{
    struct board board = *goal;
    const struct shape shape = goal->shape;
    uint8_t tiles[MAX_CELLS];
    memcpy(tiles, goal->cell, sizeof tiles);
    if (gsl_rng_uniform_int(generator, 2))
        for (unsigned row = 0; row < shape.height; row++)
            gsl_ran_shuffle(generator, tiles + row * shape.width, shape.width, 1);
    else
        for (unsigned i = 0; i < 4U * shape.cells; i++) {
            const unsigned a = (unsigned)gsl_rng_uniform_int(generator, shape.cells);
            const unsigned b = a % shape.width +
                               shape.width * (unsigned)gsl_rng_uniform_int(generator, shape.height);
            const uint8_t tile = tiles[a];
            tiles[a] = tiles[b];
            tiles[b] = tile;
        }
    assert_true(board_make(shape, tiles, &board));
    return board;
}

TEST(test_definition)
{
    static const char *const sizes[] = {"2x2", "3x3", "4x4", "5x5", "6x6",
                                        "5x3", "3x6", "7x2", "2x10"};
    gsl_rng *generator = any_generator();
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const struct shape shape = shape_read(sizes[s]);
        random_stream(generator, 2026, 1, 0, s);
        for (unsigned g = 0; g < 3; g++) {
            const struct board goal = any_board(generator, shape);
            SCOPED_BY(heuristic_end) struct heuristic heuristic = started("linear_conflict", &goal);
            for (unsigned i = 0; i < 200; i++) {
                const struct board board =
                    i % 2 ? any_board(generator, shape) : with_shuffled_lines(generator, &goal);
                assert_int_equal(heuristic.kind->evaluate(&heuristic, &board),
                                 defined(&goal, &board));
            }
        }
    }
}

/* Over 1000 boards of the 15-puzzle Felner, Korf and Hanan ("Additive pattern database heuristics",
 * Journal of Artificial Intelligence Research 22, 2004) have a mean of 38.788. Values of single
 * boards vary by some 6.5, so that theirs is within 0.6 of the mean over all boards, and this one
 * within 0.1. For the Manhattan distance it is 37: 40, all cells' mean distances from all, less the
 * 3 of the blank's corner. */
TEST(test_mean)
{
    enum { BOARDS = 40000 };
    gsl_rng *generator = any_generator();
    const struct board goal = goal_of("blank-first", 4, 4);
    SCOPED_BY(heuristic_end) struct heuristic conflict = started("linear_conflict", &goal);
    SCOPED_BY(heuristic_end) struct heuristic manhattan = started("manhattan", &goal);
    double sum[2] = {0};
    random_stream(generator, 2026, 2, 0, 0);
    for (unsigned i = 0; i < BOARDS; i++) {
        const struct board board = solvable_board(generator, &goal);
        sum[0] += manhattan.kind->evaluate(&manhattan, &board);
        sum[1] += conflict.kind->evaluate(&conflict, &board);
    }
    printf("means: Manhattan distance %.3f, linear conflict %.3f\n", sum[0] / BOARDS,
           sum[1] / BOARDS);
    assert_float_equal(sum[0] / BOARDS, 37, 0.1);
    assert_float_equal(sum[1] / BOARDS, 38.788, 0.6);
}
