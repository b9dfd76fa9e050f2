/* The key of boards of up to 16 cells (astar/board_64.h): over all boards of some shapes, states
 * share a key exactly if moves along a row lead from one to the other within their strip; on walks
 * over every shape, the keys of children, and the board made of a word of the open list again. */
#include "astar/board_64.h"
#include "tests/compact_keys.h"

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

TEST(test_all_boards)
{
    expect_strips(2, 2);
    expect_strips(2, 3);
    expect_strips(3, 2);
    expect_strips(2, 4);
    expect_strips(4, 2);
    expect_strips(3, 3);
}

TEST(test_every_shape)
{
    walk_every_shape(MIN_SIDE * MIN_SIDE);
}
