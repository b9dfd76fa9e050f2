/* The number of a strip that is the key of boards of 17 to 25 cells (search/compact_128.h): by hand
 * for a few boards; on walks over every shape, what a move adds to it, and the board made of it
 * again. */
#define COMPACT_128
#include "base/random.h"
#include "search/compact_width.h"
#include "tests/support.h"
#include <gsl/gsl_randist.h>

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
static void test_by_hand(void **state)
{
    (void)state;
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
static void test_the_largest(void **state)
{
    const struct board board =
        board_of("24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0");
    uint128 number = (uint128)4 << 83;
    unsigned bit = 0;
    (void)state;
    for (unsigned k = 1; k <= CODE_PAIRS; k++) {
        const unsigned numbers = (2 * k + 1) * (2 * k + 2);
        number += (uint128)(numbers - 1) << bit;
        while (numbers > 1U << (bit - code_bit(k)))
            bit++;
        assert_int_equal(bit, code_bit(k + 1));
    }
    assert_true(number_of(&board) == number);
}

/* Walks from a random board: the key of each, the keys of its children, and the way back from
 * them. */
static void walk(gsl_rng *generator, struct shape shape)
{
    enum { STEPS = 400 };
    uint8_t tiles[MAX_CELLS];
    struct board board;
    struct board_code code;
    struct operators operators;
    for (unsigned i = 0; i < shape.cells; i++)
        tiles[i] = (uint8_t)i;
    gsl_ran_shuffle(generator, tiles, shape.cells, 1);
    assert_true(board_make(shape, tiles, &board));
    assert_true(operators_make(shape, DEFAULT_ORDER, &operators));
    code_make(&code, &board);
    for (unsigned step = 0; step < STEPS; step++) {
        const unsigned bits = (unsigned)gsl_rng_uniform_int(generator, 16);
        const struct kept_board kept = keep_board(compact_pack(&board), board_key(&code, &board));
        const open_word word = word_of(&code, &kept, board.blank, bits);
        struct kept_board again;
        assert_int_equal(word_board(&code, word, &again), board.blank);
        assert_int_equal(word_bits(word), bits);
        assert_int_equal(word_bits(word_without(word, 4)), bits & 11);
        assert_true(again.board == kept.board && again.key == kept.key);
        const struct exits *exits = &operators.exits[board.blank][MOVE_NONE];
        struct board child = board;
        for (unsigned i = 0; i < exits->count; i++) {
            const unsigned from = exits->exit[i].from;
            const struct way way = way_make(&code, from, board.blank);
            const unsigned tile = way_tile(&way, kept.board);
            child = board;
            board_slide(&child, from);
            assert_int_equal(way_cell(&way), from);
            assert_int_equal(tile, board.cell[from]);
            const compact_board packed = way_board(&way, kept.board, tile);
            assert_true(packed == compact_pack(&child));
            assert_true(way_key(&code, &way, &kept, tile, packed) == board_key(&code, &child));
            assert_int_equal(kept.key == board_key(&code, &child),
                             strip_of(shape, from, STRIP) == strip_of(shape, board.blank, STRIP));
        }
        const unsigned next = (unsigned)gsl_rng_uniform_int(generator, exits->count);
        board_slide(&board, exits->exit[next].from);
    }
}

static void test_every_shape(void **state)
{
    enum { WALKS = 8, FEWEST = 17 };
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    (void)state;
    random_stream(generator, 16, 1, 0, 0);
    for (unsigned width = MIN_SIDE; width <= COMPACT_CELLS / MIN_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= COMPACT_CELLS; height++)
            for (unsigned i = 0; i < WALKS && width * height >= FEWEST; i++)
                walk(generator, goal_of("blank-first", width, height).shape);
    gsl_rng_free(generator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_the_largest),
        cmocka_unit_test(test_every_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
