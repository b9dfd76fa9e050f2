/* The key of boards of up to 16 cells (search/compact_64.h): over all boards of some shapes, states
 * share a key exactly if moves along a row lead from one to the other within their strip; on walks
 * over every shape, the keys of children, and the board made of a word of the open list again. */
#include "base/random.h"
#include "puzzle/rank.h"
#include "search/compact_width.h"
#include "tests/support.h"
#include <gsl/gsl_randist.h>

enum { MOST_STATES = 362880 / 2 };

/* A state's key and where the blank is. */
struct keyed {
    uint64_t key;
    uint8_t cell;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *one = a;
    const struct keyed *other = b;
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return one->cell - other->cell;
}

/* How many cells the strip of a cell has. */
static unsigned strip_length(struct shape shape, unsigned cell)
{
    unsigned length = 0;
    for (unsigned i = 0; i < shape.cells; i++)
        length += strip_of(shape, i, STRIP) == strip_of(shape, cell, STRIP);
    return length;
}

/* Each key must be that of as many states as its strip has cells, with the blank on each of them
 * once; that moves along a row keep the key is for walk() to say. */
static void expect_strips(unsigned width, unsigned height)
{
    static struct keyed states[MOST_STATES];
    struct board board = goal_of("blank-first", width, height);
    struct ranking ranking;
    struct board_code code;
    assert_true(ranking_make(&board, &ranking) && ranking.size <= MOST_STATES);
    code_make(&code, &board);
    for (uint32_t i = 0; i < ranking.size; i++) {
        ranking_unrank(&ranking, i, &board);
        states[i] = (struct keyed){board_key(&code, &board), board.blank};
    }
    qsort(states, ranking.size, sizeof *states, by_key);
    for (uint32_t i = 0; i < ranking.size;) {
        const unsigned length = strip_length(board.shape, states[i].cell);
        for (unsigned k = 0; k < length; k++)
            if (i + k >= ranking.size || states[i + k].key != states[i].key ||
                states[i + k].cell != states[i].cell + k)
                fail_msg("%ux%u, state %u", width, height, i);
        i += length;
        assert_true(i == ranking.size || states[i].key != states[i - 1].key);
    }
}

static void test_all_boards(void **state)
{
    (void)state;
    expect_strips(2, 2);
    expect_strips(2, 3);
    expect_strips(3, 2);
    expect_strips(2, 4);
    expect_strips(4, 2);
    expect_strips(3, 3);
}

/* Walks from a random board: the key of each, the keys of its children, and the way back from a
 * word. */
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

static void test_every_shape(void **state)
{
    enum { WALKS = 8 };
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    (void)state;
    random_stream(generator, 16, 2, 0, 0);
    for (unsigned width = MIN_SIDE; width <= COMPACT_CELLS / MIN_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= COMPACT_CELLS; height++)
            for (unsigned i = 0; i < WALKS; i++)
                walk(generator, goal_of("blank-first", width, height).shape);
    gsl_rng_free(generator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_boards),
        cmocka_unit_test(test_every_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
