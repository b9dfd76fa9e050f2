/* Dual look-ups: on every board of 3x3 and 2x4 with the blank at home, the dual board is as far
 * from the goal as the board; elsewhere it need not be. h is the larger sum of the two boards. */
#include "base/heap.h"
#include "heuristics/pdb.h"
#include "pdb/pattern_store.h"
#include "puzzle/distance.h"
#include "puzzle/moves.h"
#include "tests/support.h"
#include <stdlib.h>
#include <string.h>

/* The dual board: where the goal has tile t on cell c, and the board has t on cell d, it has on c
 * the tile that the goal has on d. */
static struct board dual_of(const struct board *board, const struct board *goal)
{
    struct board dual = *goal;
    for (unsigned c = 0; c < goal->shape.cells; c++)
        for (unsigned d = 0; d < goal->shape.cells; d++)
            if (board->cell[d] == goal->cell[c]) {
                dual.cell[c] = goal->cell[d];
                if (dual.cell[c] == 0)
                    dual.blank = (uint8_t)c;
            }
    return dual;
}

/* From the goal, the blank goes round a square: R, D, L, U. The same walk back, D, R, U, L, leads
 * to the dual board. */
static void a_walk_by_hand(void **state)
{
    const struct board goal = board_of("0 1 2\n3 4 5");
    const struct board board = board_of("0 4 2\n1 3 5");
    const struct board dual = board_of("0 3 2\n4 1 5");
    const struct board made = dual_of(&board, &goal);
    const struct board back = dual_of(&dual, &goal);
    (void)state;
    assert_true(board_equal(&made, &dual));
    assert_true(board_equal(&back, &board));
}

/* Three tiles of a row in a circle. On the board, tiles 1 and 2 are each one cell from home, 2
 * moves, and 3 two cells: 4. On its dual, "2 3 1", tile 1 has two cells to go and tile 2 one, and
 * one of them must leave the row and come back, 5 moves; 3 has one: 6. */
static void look_ups_by_hand(void **state)
{
    static const struct {
        const char *heuristic;
        unsigned h;
    } rows[] = {{"pdb:1.2/3/4.5", 4}, {"pdb:1.2/3/4.5:dual", 6}};
    const struct board goal = board_of("1 2 3\n4 5 0");
    const struct board board = board_of("3 1 2\n4 5 0");
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct heuristic heuristic = started(rows[i].heuristic, &goal);
        assert_int_equal(heuristic.kind->evaluate(&heuristic, &board), rows[i].h);
        heuristic_end(&heuristic);
    }
}

static const struct {
    const char *goal;
    const char *heuristic; /* a star for ":dual" */
} rows[] = {
    {"1 2 3 4 5 6 7 8 0", "pdb:4-4*"},
    {"0 1 2 3 4 5 6 7 8", "pdb:5-3*:reflect"},
    {"1 0 2 3 4 5 6 7 8", "pdb:1.2.3/4.5.6/7.8*"},
    {"1 2 3 8 0 4 7 6 5", "pdb:1.2.3.4/5.6.7.8;1.2.3/4.5.6/7.8:zero*"},
    {"1 2 3 4\n5 6 7 0", "pdb:1.2.3/4.5.6.7*"},
    {"1 2\n3 4\n0 5\n6 7", "pdb:1.2.3/4.5.6.7:zero*"},
    {"5 0 2 3\n4 1 6 7", "pdb:1.2.3/4.5.6.7:min2*"},
    {"0 1 2 7\n4 5 6 3", "pdb:1.2.3.4.5.6/7:zero:onebit*"},
};

static struct heuristic heuristic_of(const char *text, const char *word, const struct board *goal)
{
    const char *star = strchr(text, '*');
    char *made = heap_format("%.*s%s%s", (int)(star - text), text, word, star + 1);
    const struct heuristic heuristic = started(made, goal);
    free(made);
    return heuristic;
}

static void h_on_every_board(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct board goal = board_of(rows[i].goal);
        struct heuristic plain = heuristic_of(rows[i].heuristic, "", &goal);
        struct heuristic dual = heuristic_of(rows[i].heuristic, ":dual", &goal);
        struct distances distances;
        unsigned home = 0;
        unsigned higher = 0;
        unsigned wrong = 0; /* boards with the blank elsewhere that have no dual */
        assert_true(distances_make(&goal, &distances));
        for (uint32_t rank = 0; rank < distances.ranking.size; rank++) {
            struct board board;
            ranking_unrank(&distances.ranking, rank, &board);
            const struct board other = dual_of(&board, &goal);
            const bool connected = board_connected(&other, &goal);
            const unsigned away =
                connected ? distances.depth[ranking_rank(&distances.ranking, &other)] : UINT_MAX;
            unsigned h = plain.kind->evaluate(&plain, &board);
            if (board.blank == goal.blank) {
                const unsigned h2 = plain.kind->evaluate(&plain, &other);
                assert_int_equal(away, distances.depth[rank]);
                home++;
                higher += h2 > h;
                h = h2 > h ? h2 : h;
            } else {
                wrong += away != distances.depth[rank];
            }
            assert_int_equal(dual.kind->evaluate(&dual, &board), h);
            assert_in_range(h, 0, distances.depth[rank]);
        }
        if (getenv("TILELAB_PRINT") != NULL)
            printf("%s: the blank is home on %u boards, h is larger on %u; no duals: %u\n",
                   rows[i].heuristic, home, higher, wrong);
        assert_int_equal(home * goal.shape.cells, distances.ranking.size);
        assert_true(higher > home / 10 && wrong > 0);
        distances_end(&distances);
        heuristic_end(&plain);
        heuristic_end(&dual);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_by_hand),
        cmocka_unit_test(look_ups_by_hand),
        cmocka_unit_test(h_on_every_board),
    };
    return cmocka_run_group_tests(tests, no_files, NULL);
}
