/* Shapes, boards, goals, moves and packed boards. */
#include "puzzle/board.h"
#include "puzzle/hash.h"
#include "puzzle/moves.h"
#include "tests/support.h"

enum { SEED = 20260 };

static void expect_line(const struct board *board, const char *expected)
{
    assert_string_equal(line_of(board), expected);
}

/* Shapes. */

TEST(shapes_have_two_cells_a_side_and_36_at_most)
{
    static const struct {
        unsigned width, height;
        bool fine;
    } cases[] = {{2, 2, true},   {18, 2, true},  {2, 18, true},  {6, 6, true},   {9, 4, true},
                 {4, 9, true},   {12, 3, true},  {5, 7, true},   {1, 5, false},  {5, 1, false},
                 {19, 2, false}, {2, 19, false}, {6, 7, false},  {0, 0, false},  {0, 4, false},
                 {4, 0, false},  {1, 1, false},  {36, 1, false}, {128, 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shape shape;
        if (shape_make(cases[i].width, cases[i].height, &shape) != cases[i].fine)
            fail_msg("%ux%u", cases[i].width, cases[i].height);
        if (cases[i].fine) {
            assert_int_equal(shape.width, cases[i].width);
            assert_int_equal(shape.height, cases[i].height);
            assert_int_equal(shape.cells, cases[i].width * cases[i].height);
        }
    }
}

TEST(no_product_of_sides_is_small_by_overflow)
{
    struct shape shape;
    assert_false(shape_make(65536, 65536, &shape));
    assert_false(shape_make(0x80000002U, 2, &shape));
    assert_false(shape_make(258, 258, &shape)); /* 2x2 in the low bytes */
}

TEST(a_shape_is_read_as_columns_x_rows)
{
    struct shape shape;
    assert_true(shape_parse("4x3", &shape));
    assert_int_equal(shape.width, 4);
    assert_int_equal(shape.height, 3);
    assert_true(shape_parse("2X18", &shape));
    assert_int_equal(shape.height, 18);
    assert_true(shape_parse("03x03", &shape));
    assert_int_equal(shape.cells, 9);
}

TEST(rubbish_is_no_shape)
{
    static const char *const texts[] = {"",
                                        "x",
                                        "3",
                                        "3x",
                                        "x3",
                                        "3x3 ",
                                        " 3x3",
                                        "3 x3",
                                        "3x 3",
                                        "3x3x3",
                                        "3*3",
                                        "-3x3",
                                        "3x-3",
                                        "+3x3",
                                        "3x+3",
                                        "3x3.0",
                                        "0x3",
                                        "3x0",
                                        "1x5",
                                        "5x1",
                                        "19x2",
                                        "6x7",
                                        "0x10",
                                        "axb",
                                        "3x3a",
                                        "3\303\2273",
                                        "4294967299x3",
                                        "3x4294967299",
                                        "99999999999999999999x3",
                                        "258x258"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct shape shape;
        if (shape_parse(texts[i], &shape))
            fail_msg("'%s' was read as %ux%u", texts[i], shape.width, shape.height);
    }
}

TEST(the_distance_of_cells_is_counted_in_steps)
{
    struct shape shape = shape_of(4, 3);
    assert_int_equal(shape_distance(shape, 0, 0), 0);
    assert_int_equal(shape_distance(shape, 0, 11), 5);
    assert_int_equal(shape_distance(shape, 11, 0), 5);
    assert_int_equal(shape_distance(shape, 3, 4),
                     4); /* the end of one row and the start of the next */
    assert_int_equal(shape_distance(shape, 2, 10), 2);
}

/* Boards. */

TEST(a_board_is_a_permutation)
{
    struct board board;
    struct shape shape = shape_of(2, 2);
    assert_true(board_make(shape, (const uint8_t[]){3, 0, 2, 1}, &board));
    assert_int_equal(board.blank, 1);
    expect_line(&board, "3 0 2 1");
    assert_false(board_make(shape, (const uint8_t[]){3, 1, 2, 1}, &board));
    assert_false(board_make(shape, (const uint8_t[]){0, 0, 2, 1}, &board));
    assert_false(board_make(shape, (const uint8_t[]){1, 2, 3, 4}, &board));
    assert_false(board_make(shape, (const uint8_t[]){1, 2, 3, 255}, &board));
    assert_false(board_make(shape, (const uint8_t[]){64, 65, 66, 67}, &board));
}

TEST(cells_beyond_the_board_are_zero)
{
    struct board board;
    memset(&board, 0xff, sizeof board);
    assert_true(board_make(shape_of(2, 2), (const uint8_t[]){3, 0, 2, 1}, &board));
    for (unsigned i = 4; i < MAX_CELLS; i++)
        assert_int_equal(board.cell[i], 0);
}

TEST(boards_are_equal_in_shape_and_cells)
{
    struct board a = board_sized(3, 2, "1 2 3 4 5 0");
    struct board b = board_sized(3, 2, "1 2 3 4 5 0");
    struct board turned = board_sized(2, 3, "1 2 3 4 5 0");
    struct board other = board_sized(3, 2, "1 2 3 4 0 5");
    assert_true(board_equal(&a, &b));
    assert_false(board_equal(&a, &turned));
    assert_false(board_equal(&a, &other));
}

TEST(the_longest_line_fits)
{
    struct board board = goal_of("blank-last", 6, 6);
    const char *line = line_of(&board);
    assert_int_equal(strlen(line), 9 * 2 + 26 * 3 + 1);
    assert_string_equal(line + strlen(line) - 7, "34 35 0");
}

TEST(two_slides_there_and_back_change_nothing)
{
    struct board board = board_sized(3, 3, "1 2 3 4 0 5 6 7 8");
    const struct board before = board;
    board_slide(&board, 1);
    expect_line(&board, "1 0 3 4 2 5 6 7 8");
    assert_int_equal(board.blank, 1);
    board_slide(&board, 4);
    assert_memory_equal(&board, &before, sizeof board);
}

/* Which boards can reach which. */

TEST(parity_on_an_odd_width)
{
    struct board goal = board_sized(3, 3, "1 2 3 4 5 6 7 8 0");
    struct board exchanged = board_sized(3, 3, "1 2 3 4 5 6 8 7 0");
    struct board twice = board_sized(3, 3, "2 1 3 4 5 6 8 7 0");
    struct board cycle = board_sized(3, 3, "2 3 1 4 5 6 7 8 0");
    struct board up = board_sized(3, 3, "1 2 3 4 5 0 7 8 6");
    struct board up_exchanged = board_sized(3, 3, "2 1 3 4 5 0 7 8 6");
    assert_true(board_connected(&goal, &goal));
    assert_false(board_connected(&exchanged, &goal));
    assert_true(board_connected(&twice, &goal));
    assert_true(board_connected(&cycle, &goal));
    assert_true(board_connected(&up, &goal));
    assert_false(board_connected(&up_exchanged, &goal));
}

TEST(parity_on_an_even_width)
{
    struct board goal = board_sized(4, 4, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0");
    struct board loyd = board_sized(4, 4, "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0");
    struct board first = board_sized(4, 4, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
    struct board up = board_sized(4, 4, "1 2 3 4 5 6 7 8 9 10 11 0 13 14 15 12");
    struct board left = board_sized(4, 4, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15");
    struct board jump = board_sized(4, 4, "1 2 3 4 5 6 7 8 9 10 0 12 13 14 15 11");
    assert_false(board_connected(&loyd, &goal));
    assert_true(board_connected(&up, &goal));
    assert_true(board_connected(&left, &goal));
    assert_false(board_connected(&jump, &goal));  /* one exchange over two steps */
    assert_false(board_connected(&first, &goal)); /* 15 exchanges over 6 steps */
    assert_true(board_connected(&first, &loyd));
}

TEST(boards_of_different_shapes_never_connect)
{
    struct board wide = board_sized(3, 2, "1 2 3 4 5 0");
    struct board high = board_sized(2, 3, "1 2 3 4 5 0");
    struct board small = board_sized(2, 2, "1 2 3 0");
    struct board large = goal_of("blank-last", 2, 18);
    assert_false(board_connected(&wide, &high));
    assert_false(board_connected(&small, &wide));
    assert_false(board_connected(&small, &large));
    assert_false(board_connected(&large, &small));
}

/* Two tiles whose exchange makes a board solvable. */

static void expect_exchange(struct board board, const struct board *goal)
{
    uint8_t tiles[2] = {0, 0};
    board_exchange(&board, goal, tiles);
    assert_true(0 < tiles[0] && tiles[0] < tiles[1]);
    for (unsigned i = 0; i < board.shape.cells; i++)
        board.cell[i] = board.cell[i] == tiles[0]   ? tiles[1]
                        : board.cell[i] == tiles[1] ? tiles[0]
                                                    : board.cell[i];
    assert_true(board_connected(&board, goal));
}

TEST(an_exchange_makes_each_board_of_each_shape_solvable)
{
    gsl_rng *generator = any_generator();
    for (unsigned width = 2; width <= MAX_CELLS / 2; width++)
        for (unsigned height = 2; width * height <= MAX_CELLS; height++)
            for (unsigned i = 0; i < 20; i++) {
                const struct shape shape = shape_of(width, height);
                const struct board goal = any_board(generator, shape);
                const struct board board = any_board(generator, shape);
                if (!board_connected(&board, &goal))
                    expect_exchange(board, &goal);
            }
}

TEST(the_exchange_is_one_that_makes_the_goal_if_there_is_one)
{
    static const struct {
        unsigned width, height;
        const char *start, *goal;
        uint8_t tiles[2];
    } cases[] = {{4,
                  4,
                  "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0",
                  "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0",
                  {14, 15}},
                 {3, 3, "1 5 3 4 2 6 7 8 0", "1 2 3 4 5 6 7 8 0", {2, 5}},
                 {3, 3, "2 3 1 4 5 6 8 7 0", "1 2 3 4 5 6 7 8 0", {7, 8}},
                 {3, 3, "3 1 0 4 5 6 7 8 2", "1 2 3 4 5 6 7 8 0", {2, 8}},
                 {2, 2, "2 1 3 0", "1 2 3 0", {1, 2}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct board start = board_sized(cases[i].width, cases[i].height, cases[i].start);
        const struct board goal = board_sized(cases[i].width, cases[i].height, cases[i].goal);
        uint8_t tiles[2];
        assert_false(board_connected(&start, &goal));
        board_exchange(&start, &goal, tiles);
        assert_int_equal(tiles[0], cases[i].tiles[0]);
        assert_int_equal(tiles[1], cases[i].tiles[1]);
    }
}

/* A board of up to 6 cells as a number. */
static unsigned number_of(const uint8_t *cell, unsigned cells)
{
    unsigned number = 0;
    for (unsigned i = 0; i < cells; i++)
        number = 6 * number + cell[i];
    return number;
}

enum { NUMBERS = 6 * 6 * 6 * 6 * 6 * 6 };

/* Marks every board that moves lead to, by a search that shares nothing with the code under test.
 */
static unsigned mark_reachable(const struct board *goal, bool reached[NUMBERS])
{
    static uint8_t queue[720][6];
    const unsigned cells = goal->shape.cells;
    const int width = goal->shape.width;
    const int height = goal->shape.height;
    unsigned count = 1;
    memset(reached, 0, NUMBERS);
    memcpy(queue[0], goal->cell, cells);
    reached[number_of(queue[0], cells)] = true;
    for (unsigned head = 0; head < count; head++) {
        int blank = 0;
        while (queue[head][blank] != 0)
            blank++;
        for (int way = 0; way < 4; way++) {
            int x = blank % width + (way == 0) - (way == 1);
            int y = blank / width + (way == 2) - (way == 3);
            if (x < 0 || y < 0 || x >= width || y >= height)
                continue;
            uint8_t next[6];
            memcpy(next, queue[head], sizeof next);
            next[blank] = next[y * width + x];
            next[y * width + x] = 0;
            if (reached[number_of(next, cells)])
                continue;
            reached[number_of(next, cells)] = true;
            memcpy(queue[count++], next, sizeof next);
        }
    }
    return count;
}

/* The next permutation in lexicographic order; false after the last. */
static bool next_permutation(uint8_t *tiles, unsigned count)
{
    unsigned i = count - 1;
    while (i > 0 && tiles[i - 1] > tiles[i])
        i--;
    if (i == 0)
        return false;
    unsigned j = count - 1;
    while (tiles[j] < tiles[i - 1])
        j--;
    uint8_t kept = tiles[i - 1];
    tiles[i - 1] = tiles[j];
    tiles[j] = kept;
    for (unsigned left = i, right = count - 1; left < right; left++, right--) {
        kept = tiles[left];
        tiles[left] = tiles[right];
        tiles[right] = kept;
    }
    return true;
}

TEST(connected_means_that_moves_lead_there)
{
    static bool reached[NUMBERS];
    static const struct {
        unsigned width, height;
        const char *goal;
        unsigned boards;
    } goals[] = {{2, 2, "1 2 3 0", 12},      {2, 2, "0 1 2 3", 12},      {2, 2, "2 0 3 1", 12},
                 {2, 3, "1 2 3 4 5 0", 360}, {2, 3, "4 0 1 3 5 2", 360}, {3, 2, "1 2 3 4 5 0", 360},
                 {3, 2, "3 0 5 1 4 2", 360}, {3, 2, "0 1 2 3 4 5", 360}};
    for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
        struct board goal = board_sized(goals[g].width, goals[g].height, goals[g].goal);
        assert_int_equal(mark_reachable(&goal, reached), goals[g].boards);
        uint8_t tiles[6] = {0, 1, 2, 3, 4, 5};
        do {
            struct board board;
            assert_true(board_make(goal.shape, tiles, &board));
            bool expected = reached[number_of(tiles, goal.shape.cells)];
            if (board_connected(&board, &goal) != expected ||
                board_connected(&goal, &board) != expected) {
                fail_msg("%s and the goal %s on %ux%u", line_of(&board), goals[g].goal,
                         goals[g].width, goals[g].height);
            }
        } while (next_permutation(tiles, goal.shape.cells));
    }
}

/* Goals. */

TEST(goals_by_name)
{
    static const struct {
        const char *name;
        unsigned width, height;
        const char *board;
    } goals[] = {
        {"blank-last", 2, 2, "1 2 3 0"},
        {"blank-last", 3, 3, "1 2 3 4 5 6 7 8 0"},
        {"blank-last", 5, 2, "1 2 3 4 5 6 7 8 9 0"},
        {"blank-first", 3, 3, "0 1 2 3 4 5 6 7 8"},
        {"blank-first", 2, 3, "0 1 2 3 4 5"},
        {"snail", 2, 2, "1 2 0 3"},
        {"snail", 3, 3, "1 2 3 8 0 4 7 6 5"},
        {"snail", 4, 4, "1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7"},
        {"snail", 2, 5, "1 2 0 3 9 4 8 5 7 6"},
        {"snail", 5, 2, "1 2 3 4 5 0 9 8 7 6"},
        {"snail", 3, 2, "1 2 3 0 5 4"},
        {"snail", 5, 3, "1 2 3 4 5 12 13 14 0 6 11 10 9 8 7"},
        {"snail", 3, 5, "1 2 3 12 13 4 11 14 5 10 0 6 9 8 7"},
        {"snail", 5, 5, "1 2 3 4 5 16 17 18 19 6 15 24 0 20 7 14 23 22 21 8 13 12 11 10 9"},
    };
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        struct board goal = goal_of(goals[i].name, goals[i].width, goals[i].height);
        expect_line(&goal, goals[i].board);
        assert_string_equal(goal_name(&goal), goals[i].name);
    }
}

TEST(every_goal_exists_for_every_shape_and_keeps_its_name)
{
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= MAX_CELLS; height++)
            for (unsigned i = 0; i < GOAL_NAMES; i++) {
                struct board goal = goal_of(goal_names[i], width, height);
                assert_string_equal(goal_name(&goal), goal_names[i]);
            }
}

TEST(other_goals_have_no_name)
{
    struct board board = board_sized(3, 3, "1 2 3 5 8 6 0 7 4");
    struct board goal;
    assert_null(goal_name(&board));
    assert_false(goal_named("", board.shape, &goal));
    assert_false(goal_named("Blank-Last", board.shape, &goal));
    assert_false(goal_named("blank-last ", board.shape, &goal));
    assert_false(goal_named("blank", board.shape, &goal));
}

/* Moves. */

TEST(each_letter_is_a_move)
{
    assert_int_equal(move_parse('U'), MOVE_U);
    assert_int_equal(move_parse('d'), MOVE_D);
    assert_int_equal(move_parse('L'), MOVE_L);
    assert_int_equal(move_parse('r'), MOVE_R);
    for (int letter = 0; letter < 256; letter++)
        if (letter == 0 || strchr("UDLRudlr", letter) == NULL)
            assert_int_equal(move_parse((char)letter), MOVE_NONE);
}

TEST(a_move_undoes_its_opposite)
{
    assert_int_equal(move_undo(MOVE_U), MOVE_D);
    assert_int_equal(move_undo(MOVE_D), MOVE_U);
    assert_int_equal(move_undo(MOVE_L), MOVE_R);
    assert_int_equal(move_undo(MOVE_R), MOVE_L);
    assert_true(move_undo(MOVE_NONE) > MOVE_R);
}

TEST(all_24_orders_are_kept_as_written)
{
    uint8_t moves[MOVES] = {0, 1, 2, 3};
    unsigned orders = 0;
    do {
        struct operators operators;
        const char order[] = {move_letters[moves[0]], move_letters[moves[1]],
                              move_letters[moves[2]], move_letters[moves[3]], '\0'};
        assert_true(operators_make(shape_of(3, 3), order, &operators));
        assert_memory_equal(operators.order, moves, MOVES);
        orders++;
    } while (next_permutation(moves, MOVES));
    assert_int_equal(orders, 24);
}

TEST(other_texts_are_no_order)
{
    static const char *const texts[] = {"",     "ULR",  "ULRDU", "ULRR",    "UUUU",
                                        "ULRX", "ULR ", " ULRD", "U,L,R,D", "ULRD "};
    struct operators operators;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (operators_make(shape_of(3, 3), texts[i], &operators))
            fail_msg("'%s' was taken as an order", texts[i]);
    assert_true(operators_make(shape_of(3, 3), "dRul", &operators)); /* either case */
}

TEST(moves_stop_at_the_edges)
{
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= MAX_CELLS; height++) {
            struct operators operators = operators_of(shape_of(width, height), DEFAULT_ORDER);
            unsigned moves = 0;
            for (unsigned cell = 0; cell < MAX_CELLS; cell++)
                for (unsigned move = 0; move < MOVES; move++) {
                    unsigned target = operators.target[cell][move];
                    if (target == NO_CELL)
                        continue;
                    moves++;
                    assert_true(cell < width * height && target < width * height);
                    assert_int_equal(shape_distance(shape_of(width, height), cell, target), 1);
                    assert_int_equal(operators.target[target][move_undo(move)], cell);
                }
            assert_int_equal(moves, 2 * (width * (height - 1) + height * (width - 1)));
            for (unsigned cell = 0; cell < width * height; cell++)
                for (unsigned without = 0; without < 2 * MOVES; without++) {
                    const struct exits *exits = &operators.exits[cell][without];
                    unsigned count = 0;
                    for (unsigned i = 0; i < MOVES; i++) {
                        const unsigned move = operators.order[i];
                        if (move == without || operators.target[cell][move] == NO_CELL)
                            continue;
                        assert_int_equal(exits->exit[count].move, move);
                        assert_int_equal(exits->exit[count].from, operators.target[cell][move]);
                        count++;
                    }
                    assert_int_equal(exits->count, count);
                }
        }
}

TEST(moves_go_where_their_letters_say)
{
    struct operators operators = operators_of(shape_of(3, 3), DEFAULT_ORDER);
    assert_int_equal(operators.target[4][MOVE_U], 1);
    assert_int_equal(operators.target[4][MOVE_D], 7);
    assert_int_equal(operators.target[4][MOVE_L], 3);
    assert_int_equal(operators.target[4][MOVE_R], 5);
    assert_int_equal(operators.target[3][MOVE_L], NO_CELL);
    assert_int_equal(operators.target[2][MOVE_R], NO_CELL);
}

/* Packed boards. */

TEST(the_packing_follows_from_the_cells)
{
    assert_int_equal(packing_of(shape_of(4, 4)), PACK_64);
    assert_int_equal(packing_of(shape_of(2, 8)), PACK_64);
    assert_int_equal(packing_of(shape_of(6, 3)), PACK_128);
    assert_int_equal(packing_of(shape_of(5, 5)), PACK_128);
    assert_int_equal(packing_of(shape_of(2, 13)), PACK_BYTES);
    assert_int_equal(packing_of(shape_of(6, 6)), PACK_BYTES);
    assert_int_equal(packed_bytes(PACK_64), 8);
    assert_int_equal(packed_bytes(PACK_128), 16);
    assert_int_equal(packed_bytes(PACK_BYTES), 36);
}

TEST(packed_boards_follow_random_walks)
{
    static const unsigned sides[][2] = {{2, 2}, {3, 3}, {4, 4}, {2, 8},  {5, 4},
                                        {5, 5}, {3, 8}, {6, 6}, {2, 18}, {18, 2}};
    srandom(SEED);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const struct shape shape = shape_of(sides[i][0], sides[i][1]);
        const enum packing packing = packing_of(shape);
        struct operators operators = operators_of(shape, DEFAULT_ORDER);
        struct board board = goal_for("snail", shape);
        union packed packed = pack(packing, &board);
        for (unsigned step = 0; step < 3000; step++) {
            unsigned to = operators.target[board.blank][random() % MOVES];
            if (to == NO_CELL)
                continue;
            const unsigned from = board.blank;
            const unsigned tile = board.cell[to];
            const union packed before = packed;
            packed = packed_slide(packing, packed, tile, to, from);
            board_slide(&board, to);
            const union packed expected = pack(packing, &board);
            assert_true(packed_equal(packing, packed, expected));
            assert_false(packed_equal(packing, packed, before));
            assert_int_equal(packed_hash(packing, packed), packed_hash(packing, expected));
            assert_true(packed_hash(packing, packed) != packed_hash(packing, before));
            assert_true(
                packed_equal(packing, packed_slide(packing, packed, tile, from, to), before));
            struct board unpacked = {.shape = shape, .blank = board.blank};
            unpack(packing, packed, &unpacked);
            if (memcmp(&unpacked, &board, sizeof board) != 0)
                fail_msg("%ux%u, seed %d, step %u: unpacking gives another board", sides[i][0],
                         sides[i][1], SEED, step);
        }
    }
}

TEST(packed_boards_are_read_from_tables_as_stored)
{
    static const unsigned sides[][2] = {{4, 4}, {5, 5}, {6, 6}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const struct shape shape = shape_of(sides[i][0], sides[i][1]);
        const enum packing packing = packing_of(shape);
        uint64_t words[GOAL_NAMES * MAX_CELLS]; /* more than enough */
        unsigned char *const table = (unsigned char *)words;
        struct board goals[GOAL_NAMES];
        for (uint32_t g = 0; g < GOAL_NAMES; g++) {
            goals[g] = goal_for(goal_names[g], shape);
            packed_store(packing, table, g, pack(packing, &goals[g]));
        }
        for (uint32_t g = 0; g < GOAL_NAMES; g++)
            for (uint32_t other = 0; other < GOAL_NAMES; other++)
                assert_int_equal(packed_equal(packing, packed_load(packing, table, g),
                                              pack(packing, &goals[other])),
                                 g == other);
    }
}

/* All 181,440 boards of half the 8-puzzle in a table of 2^18 slots: a good hash leaves about half
 * the slots empty (e^-0.69 = 0.50); one that loses a cell leaves far more. */
TEST(hashes_spread)
{
    enum { SLOTS = 1 << 18 };
    static bool taken[SLOTS];
    uint8_t tiles[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    struct board goal = board_sized(3, 3, "0 1 2 3 4 5 6 7 8");
    unsigned slots = 0;
    unsigned boards = 0;
    do {
        struct board board;
        assert_true(board_make(goal.shape, tiles, &board));
        if (!board_connected(&board, &goal))
            continue;
        uint64_t slot = packed_hash(PACK_64, pack(PACK_64, &board)) % SLOTS;
        boards++;
        slots += !taken[slot];
        taken[slot] = true;
    } while (next_permutation(tiles, 9));
    assert_int_equal(boards, 181440);
    assert_in_range(slots, SLOTS * 45 / 100, SLOTS * 60 / 100);
}
