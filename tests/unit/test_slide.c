/* Slides on codes are the slides of boards. */
#include "puzzle/slide.h"
#include "tests/support.h"

enum { SEED = 31 };

static const char *const orders[] = {"ULRD", "DRLU", "LURD", "RDUL"};

/* The board of a rank: each legal move on its code is the move on the board, and no code has a rank
 * or an arrangement that another board has. */
static void expect_slides_of(const struct slides *slides, const struct operators *operators,
                             uint32_t rank)
{
    const struct ranking *ranking = &slides->ranking;
    struct board board = board_ranked(ranking, rank);
    const unsigned from = board.blank;
    const uint32_t code = slides_code(slides, &board, MOVE_U);
    assert_int_equal(slides_rank(slides, code), rank);
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = operators->target[from][move];
        if (to == NO_CELL)
            continue;
        board_slide(&board, to);
        const uint32_t moved = slides_move(slides, code, move);
        assert_int_equal(moved, slides_code(slides, &board, move));
        assert_int_equal(slides_rank(slides, moved), ranking_rank(ranking, &board));
        board_slide(&board, from);
    }
}

static void make(const char *goal, unsigned width, unsigned height, const char *order,
                 struct slides *slides, struct operators *operators)
{
    const struct board board = goal_of(goal, width, height);
    struct ranking ranking = ranking_of(&board);
    assert_true(operators_make(board.shape, order, operators));
    slides_make(&ranking, operators, slides);
}

TEST(slides_are_those_of_boards)
{
    static const unsigned sides[][2] = {{2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}, {3, 3},
                                        {2, 5}, {5, 2}, {2, 6}, {6, 2}, {3, 4}, {4, 3}};
    static struct slides slides;
    struct operators operators;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (unsigned g = 0; g < GOAL_NAMES; g++) {
            make(goal_names[g], sides[i][0], sides[i][1], DEFAULT_ORDER, &slides, &operators);
            const uint32_t size = slides.ranking.size;
            const uint32_t step = size < 200000 ? 1 : size / 50021;
            for (uint32_t rank = 0; rank < size; rank += step)
                expect_slides_of(&slides, &operators, rank);
            expect_slides_of(&slides, &operators, size - 1);
        }
}

/* Children come in operator order, parent by parent, without the move that takes back the last. */
TEST(children_come_in_order)
{
    static struct slides slides;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        struct operators operators;
        uint32_t codes[SLIDES_CHUNK];
        uint32_t children[SLIDES_CHILDREN];
        uint8_t parents[SLIDES_CHILDREN];
        srandom(SEED);
        make("snail", 4, 3, orders[o], &slides, &operators);
        /* A walk: the last move of every code is one that led there. */
        struct board board = slides.ranking.goal;
        unsigned last = MOVE_D;
        for (unsigned i = 0; i < SLIDES_CHUNK; i++) {
            do
                last = (unsigned)random() % MOVES;
            while (operators.target[board.blank][last] == NO_CELL);
            board_slide(&board, operators.target[board.blank][last]);
            codes[i] = slides_code(&slides, &board, last);
        }
        for (unsigned count = 0; count <= SLIDES_CHUNK; count++) {
            unsigned made = 0;
            const unsigned all = slides_expand(&slides, codes, count, children, parents);
            for (unsigned i = 0; i < count; i++)
                for (unsigned turn = 0; turn < MOVES; turn++) {
                    const unsigned move = operators.order[turn];
                    ranking_unrank(&slides.ranking, slides_rank(&slides, codes[i]), &board);
                    if (operators.target[board.blank][move] == NO_CELL ||
                        move == move_undo(codes[i] % MOVES))
                        continue;
                    assert_true(made < all);
                    assert_int_equal(parents[made], i);
                    assert_int_equal(children[made++], slides_move(&slides, codes[i], move));
                }
            assert_int_equal(made, all);
        }
    }
}
