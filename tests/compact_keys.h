/* What the tests of the keys of both widths share (astar/compact.h; the header of the width comes
 * before): walks over boards, on which a child's key, and the board made of a word of the open
 * list, are held against what they are from scratch. */
#pragma once

#include "tests/support.h"

/* Walks from a random board: the key of each, the keys of its children, and the way back from a
 * word. */
static inline void walk(gsl_rng *generator, struct shape shape)
{
    enum { STEPS = 400 };
    struct board board = any_board(generator, shape);
    struct board_code code;
    struct operators operators = operators_of(shape, DEFAULT_ORDER);
    code_make(&code, &board);
    for (unsigned step = 0; step < STEPS; step++) {
        const unsigned bits = (unsigned)gsl_rng_uniform_int(generator, 16);
        const compact_key own = board_key(&code, &board);
        const struct kept_board kept = keep_board(compact_pack(&board), own);
        const open_word word = word_of(&code, &kept, board.blank, bits);
        struct kept_board again;
        assert_int_equal(word_board(&code, word, &again), board.blank);
        assert_int_equal(word_bits(word), bits);
        assert_int_equal(word_bits(word_without(word, 4)), bits & 11);
        assert_true(again.board == kept.board && kept_key(&code, &again, board.blank) == own &&
                    own != 0);
        const struct exits *exits = &operators.exits[board.blank][MOVE_NONE];
        for (unsigned i = 0; i < exits->count; i++) {
            const unsigned from = exits->exit[i].from;
            const struct way way = way_make(&code, from, board.blank);
            const unsigned tile = way_tile(&way, kept.board);
            struct board child = board;
            board_slide(&child, from);
            assert_int_equal(way_cell(&way), from);
            assert_int_equal(tile, board.cell[from]);
            const compact_board packed = way_board(&way, kept.board, tile);
            assert_true(packed == compact_pack(&child));
            const compact_key key = way_key(&code, &way, &kept, tile, packed);
            assert_true(key == board_key(&code, &child));
            assert_int_equal(key == own,
                             strip_of(shape, from, STRIP) == strip_of(shape, board.blank, STRIP));
        }
        const unsigned next = (unsigned)gsl_rng_uniform_int(generator, exits->count);
        board_slide(&board, exits->exit[next].from);
    }
}

/* Walks over every shape of the width that has so many cells at least. */
static inline void walk_every_shape(unsigned cells)
{
    enum { WALKS = 8 };
    gsl_rng *generator = any_generator();
    random_stream(generator, 16, 1, 0, 0);
    for (unsigned width = MIN_SIDE; width <= COMPACT_CELLS / MIN_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= COMPACT_CELLS; height++)
            for (unsigned i = 0; i < WALKS && width * height >= cells; i++)
                walk(generator, goal_of("blank-first", width, height).shape);
}
