/* The verifier: where a path leads, and what is wrong with one that leads nowhere. */
#include "tests/support.h"

enum { SEED = 77 };

static void expect(const char *moves, enum replay_outcome outcome, size_t played, const char *last)
{
    struct board start = board_sized(3, 3, "1 2 3 4 5 6 7 0 8");
    struct board goal = board_sized(3, 3, "1 2 3 4 5 6 7 8 0");
    struct replay replay = replay_path(&start, &goal, moves, strlen(moves));
    struct board expected = board_sized(3, 3, last);
    assert_int_equal(replay.outcome, outcome);
    assert_int_equal(replay.moves, played);
    assert_memory_equal(&replay.last, &expected, sizeof expected);
}

TEST(a_path_to_the_goal)
{
    expect("R", REPLAY_REACHES_GOAL, 1, "1 2 3 4 5 6 7 8 0");
    expect("UDR", REPLAY_REACHES_GOAL, 3, "1 2 3 4 5 6 7 8 0");
}

TEST(a_path_that_ends_elsewhere)
{
    expect("", REPLAY_MISSES_GOAL, 0, "1 2 3 4 5 6 7 0 8");
    expect("L", REPLAY_MISSES_GOAL, 1, "1 2 3 4 5 6 0 7 8");
    expect("RU", REPLAY_MISSES_GOAL, 2, "1 2 3 4 5 0 7 8 6"); /* over the goal and away again */
    expect("UUL", REPLAY_MISSES_GOAL, 3, "0 1 3 4 2 6 7 5 8");
}

TEST(a_path_that_leaves_the_board)
{
    expect("D", REPLAY_LEAVES_BOARD, 0, "1 2 3 4 5 6 7 0 8");
    expect("RR", REPLAY_LEAVES_BOARD, 1, "1 2 3 4 5 6 7 8 0");
    expect("LL", REPLAY_LEAVES_BOARD, 1, "1 2 3 4 5 6 0 7 8");
    expect("UUU", REPLAY_LEAVES_BOARD, 2, "1 0 3 4 2 6 7 5 8");
    expect("RRL", REPLAY_LEAVES_BOARD, 1, "1 2 3 4 5 6 7 8 0"); /* it would end at the goal */
}

TEST(a_letter_that_is_no_move)
{
    expect("X", REPLAY_NOT_A_MOVE, 0, "1 2 3 4 5 6 7 0 8");
    expect("r", REPLAY_NOT_A_MOVE, 0, "1 2 3 4 5 6 7 0 8");
    expect("R ", REPLAY_NOT_A_MOVE, 1, "1 2 3 4 5 6 7 8 0");
    expect("R\n", REPLAY_NOT_A_MOVE, 1, "1 2 3 4 5 6 7 8 0");
    expect("L\xff", REPLAY_NOT_A_MOVE, 1, "1 2 3 4 5 6 0 7 8");
}

TEST(only_so_many_letters_are_played)
{
    struct board start = board_sized(3, 3, "1 2 3 4 5 6 7 0 8");
    struct board goal = board_sized(3, 3, "1 2 3 4 5 6 7 8 0");
    assert_int_equal(replay_path(&start, &goal, "RUX", 1).outcome, REPLAY_REACHES_GOAL);
    assert_int_equal(replay_path(&start, &goal, "RUX", 2).outcome, REPLAY_MISSES_GOAL);
    assert_int_equal(replay_path(&start, &goal, "R\0U", 3).outcome, REPLAY_NOT_A_MOVE);
}

TEST(the_empty_path_solves_the_goal)
{
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= MAX_CELLS; height++) {
            struct shape shape = shape_of(width, height);
            struct board goal = goal_for("blank-last", shape);
            struct board other = goal_for("blank-first", shape);
            assert_int_equal(replay_path(&goal, &goal, "", 0).outcome, REPLAY_REACHES_GOAL);
            assert_int_equal(replay_path(&other, &goal, "", 0).outcome, REPLAY_MISSES_GOAL);
        }
}

TEST(another_shape_is_not_the_goal)
{
    struct board wide = board_sized(3, 2, "1 2 3 4 5 0");
    struct board high = board_sized(2, 3, "1 2 3 4 5 0");
    assert_int_equal(replay_path(&wide, &high, "", 0).outcome, REPLAY_MISSES_GOAL);
    assert_int_equal(replay_path(&high, &wide, "", 0).outcome, REPLAY_MISSES_GOAL);
}

/* Walks on boards of several shapes, made here cell by cell: the verifier plays the letters to the
 * same board, back again, and sees a tile exchanged on the way. */
TEST(random_walks_are_played_alike)
{
    static const unsigned sides[][2] = {{2, 2}, {3, 3}, {4, 3},  {4, 4},
                                        {5, 5}, {6, 6}, {2, 18}, {18, 2}};
    enum { STEPS = 1500 };
    srandom(SEED);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const int width = (int)sides[i][0];
        const int height = (int)sides[i][1];
        char moves[STEPS];
        char back[STEPS];
        size_t count = 0;
        struct shape shape = shape_of(sides[i][0], sides[i][1]);
        struct board start = goal_for("snail", shape);
        struct board end = start;
        int x = start.blank % width;
        int y = start.blank / width;
        while (count < STEPS) {
            const char letter = "UDLR"[random() % 4];
            int next_x = x + (letter == 'R') - (letter == 'L');
            int next_y = y + (letter == 'D') - (letter == 'U');
            if (next_x < 0 || next_y < 0 || next_x >= width || next_y >= height)
                continue;
            end.cell[y * width + x] = end.cell[next_y * width + next_x];
            end.cell[next_y * width + next_x] = 0;
            x = next_x;
            y = next_y;
            moves[count] = letter;
            back[STEPS - 1 - count++] = letter == 'U'   ? 'D'
                                        : letter == 'D' ? 'U'
                                        : letter == 'L' ? 'R'
                                                        : 'L';
        }
        end.blank = (uint8_t)(y * width + x);
        struct replay there = replay_path(&start, &end, moves, STEPS);
        if (there.outcome != REPLAY_REACHES_GOAL || there.moves != STEPS)
            fail_msg("%dx%d, seed %d: outcome %d after %zu moves", width, height, SEED,
                     (int)there.outcome, there.moves);
        assert_memory_equal(&there.last, &end, sizeof end);
        assert_int_equal(replay_path(&end, &start, back, STEPS).outcome, REPLAY_REACHES_GOAL);
        struct board wrong = end; /* two tiles exchanged */
        unsigned a = wrong.blank == 0 ? 1 : 0;
        unsigned b = wrong.blank == shape.cells - 1 ? shape.cells - 2U : shape.cells - 1U;
        wrong.cell[a] = end.cell[b];
        wrong.cell[b] = end.cell[a];
        assert_int_equal(replay_path(&start, &wrong, moves, STEPS).outcome, REPLAY_MISSES_GOAL);
    }
}
