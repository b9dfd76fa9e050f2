/* What the heuristics table claims, held against every solvable board of the 8-puzzle and of 2x3,
 * for goals with the blank in a corner, at an edge and in the middle: admissible, consistent, zero
 * at the goal, and the incremental value equal to the one from scratch. On larger shapes, where not
 * every board can be looked at, the same along random walks. */
#include "base/random.h"
#include "heuristics/heuristic.h"
#include "puzzle/distance.h"
#include "puzzle/moves.h"
#include "tests/support.h"

static const char *const goals[] = {
    "1 2 3 4 5 6 7 8 0", /* corner */
    "0 1 2 3 4 5 6 7 8", /* corner */
    "1 0 2 3 4 5 6 7 8", /* edge */
    "1 2 3 8 0 4 7 6 5", /* middle */
    "1 2 3\n4 5 0",      "0 1 2\n3 4 5", "1 2\n3 0\n4 5",
};

/* One heuristic with one setting of its options, over all boards of one goal. Says which of its
 * claims failed. */
static unsigned broken_claims(const struct heuristic_kind *kind, const int64_t *options,
                              const struct distances *distances)
{
    const struct ranking *ranking = &distances->ranking;
    struct operators operators;
    struct heuristic heuristic;
    unsigned broken = 0;
    operators_make(ranking->goal.shape, DEFAULT_ORDER, &operators);
    heuristic_start(&heuristic, kind, options, &ranking->goal);
    assert_int_equal(kind->evaluate(&heuristic, &ranking->goal), 0);
    for (uint32_t rank = 0; rank < ranking->size; rank++) {
        struct board board;
        ranking_unrank(ranking, rank, &board);
        unsigned h = kind->evaluate(&heuristic, &board);
        if (h > distances->depth[rank])
            broken |= ADMISSIBLE;
        unsigned blank = board.blank;
        for (unsigned move = 0; move < MOVES; move++) {
            unsigned from = operators.target[blank][move];
            if (from == NO_CELL)
                continue;
            unsigned tile = board.cell[from];
            board_slide(&board, from);
            unsigned child = kind->evaluate(&heuristic, &board);
            assert_int_equal(kind->step(&heuristic, &board, h, tile, from, blank), child);
            if (child + 1 < h || h + 1 < child)
                broken |= CONSISTENT;
            board_slide(&board, blank);
        }
    }
    heuristic_end(&heuristic);
    return broken;
}

/* Every heuristic with its defaults and with each flag set, against its claims: true where claimed,
 * and for options that forfeit a claim, false somewhere, so that nothing is given up without need.
 */
static void test_claims_on_all_boards(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
        struct board goal = board_of(goals[g]);
        struct distances distances;
        assert_true(distances_make(&goal, &distances));
        for (unsigned i = 0; i < heuristic_count; i++) {
            const struct heuristic_kind *kind = &heuristic_kinds[i];
            int64_t options[MAX_OPTIONS] = {0};
            for (unsigned k = 0; kind->options[k].kind != OPTION_END; k++)
                options[k] = kind->options[k].fallback;
            assert_int_equal(broken_claims(kind, options, &distances) & kind->properties, 0);
            for (unsigned k = 0; kind->options[k].kind != OPTION_END; k++) {
                const struct option_row *option = &kind->options[k];
                if (option->kind != OPTION_FLAG)
                    continue;
                options[k] = !option->fallback;
                assert_int_equal(broken_claims(kind, options, &distances) & kind->properties,
                                 option->forfeits);
                options[k] = option->fallback;
            }
        }
        distances_end(&distances);
    }
}

static void test_step_equals_evaluate_on_walks(void **state)
{
    (void)state;
    const char *const sizes[] = {"2x2", "4x2", "2x5", "4x3",  "4x4", "5x4",
                                 "5x5", "6x5", "6x6", "2x18", "18x2"};
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct shape shape;
        struct operators operators;
        assert_true(shape_parse(sizes[s], &shape));
        operators_make(shape, DEFAULT_ORDER, &operators);
        random_stream(generator, 2026, 1, 0, (uint32_t)s);
        for (unsigned i = 0; i < heuristic_count; i++)
            for (int64_t flag = 0; flag < 2; flag++) {
                const struct heuristic_kind *kind = &heuristic_kinds[i];
                int64_t options[MAX_OPTIONS] = {kind->options[0].kind == OPTION_FLAG ? flag : 0};
                uint8_t tiles[MAX_CELLS];
                struct board goal;
                struct heuristic heuristic;
                for (unsigned c = 0; c < shape.cells; c++)
                    tiles[c] = (uint8_t)c;
                tiles[0] = 1;
                tiles[1] = 0;
                assert_true(board_make(shape, tiles, &goal));
                heuristic_start(&heuristic, kind, options, &goal);
                struct board board = goal;
                unsigned h = kind->evaluate(&heuristic, &board);
                for (unsigned step = 0; step < 2000; step++) {
                    unsigned blank = board.blank;
                    unsigned from = operators.target[blank][gsl_rng_uniform_int(generator, MOVES)];
                    if (from == NO_CELL)
                        continue;
                    unsigned tile = board.cell[from];
                    board_slide(&board, from);
                    h = kind->step(&heuristic, &board, h, tile, from, blank);
                    assert_int_equal(h, kind->evaluate(&heuristic, &board));
                }
                heuristic_end(&heuristic);
            }
    }
    gsl_rng_free(generator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims_on_all_boards),
        cmocka_unit_test(test_step_equals_evaluate_on_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
