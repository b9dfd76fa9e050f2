/* The number of a strip that is the key of boards of 17 to 25 cells (astar/board_128.h): by hand
 * for a few boards; on walks over every shape, what a move adds to it, and the board made of it
 * again. */
#include "astar/board_128.h"
#include "tests/compact_keys.h"

/* The number of a board's strip. */
static uint128 number_of(const struct board *board)
{
    struct board_code code;
    code_make(&code, board);
    return (board_key(&code, board) >> KEY_UNUSED) * code.inverse << KEY_UNUSED >> KEY_UNUSED;
}

static void expect_number(const char *line, uint64_t high, uint64_t low)
{
    const struct board board = board_of(line);
    assert_true(number_of(&board) == ((uint128)high << 64 | low));
}

/* The strip begins at bit 83: on 5x5 it is the blank's row. Digits that share bits: of the tiles 21
 * and 22 of 5x5 (u = 3, 2) at bit 0, below 4 and 3; of 1 and 2 (u = 23, 22) at bit 73, below 24
 * and 23. */
TEST(test_by_hand)
{
    expect_number("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24", 0, 0);
    expect_number("1 2 3 4 0 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24", 0, 0);
    expect_number("1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15 16 17 18 19 20 21 22 23 24", 2 << 19, 0);
    /* 24 before 23 alone is not written */
    expect_number("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 24 23", 0, 0);
    /* 22 after two larger tiles, 21 after three: 2 * 4 + 3 */
    expect_number("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 24 23 22 21", 0, 11);
    /* 1 after 23 larger tiles, 2 after 22: 22 * 24 + 23, in bits 73 to 82 */
    expect_number("0 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 2 1", 551 << 9, 0);
}

/* The number at its largest: each tile after all larger ones, the blank on the last cell. */
TEST(test_the_largest)
{
    const struct board board =
        board_of("24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0");
    uint128 number = (uint128)4 << 83;
    unsigned bit = 0;
    for (unsigned k = 1; k <= CODE_PAIRS; k++) {
        const unsigned numbers = (2 * k + 1) * (2 * k + 2);
        number += (uint128)(numbers - 1) << bit;
        while (numbers > 1U << (bit - code_bit(k)))
            bit++;
        assert_int_equal(bit, code_bit(k + 1));
    }
    assert_true(number_of(&board) == number);
}

TEST(test_every_shape)
{
    walk_every_shape(17);
}
