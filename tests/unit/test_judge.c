/* The judge finds what is wrong: heuristics that break one claim each, on all boards of 2x3, and
 * the Manhattan distance, which breaks none. */
#include "heuristics/judge.h"
#include "tests/support.h"

static const struct option_row no_options[] = NO_OPTIONS;

static unsigned twice(const struct heuristic *heuristic, const struct board *board)
{
    return 2 * manhattan_evaluate(heuristic, board);
}

/* 0 where the blank lies in the upper row. */
static unsigned patchy(const struct heuristic *heuristic, const struct board *board)
{
    return board->blank < board->shape.width ? 0 : manhattan_evaluate(heuristic, board);
}

static unsigned one_more(const struct heuristic *heuristic, const struct board *board)
{
    const unsigned h = manhattan_evaluate(heuristic, board);
    return h > 4 ? h - 1 : h;
}

/* 1 too many, but not at the goal. */
static unsigned one_above(const struct heuristic *heuristic, const struct board *board)
{
    const unsigned h = manhattan_evaluate(heuristic, board);
    return h > 0 ? h + 1 : 0;
}

static unsigned none(UNUSED const struct heuristic *heuristic, UNUSED const struct board *board)
{
    return 0;
}

static unsigned (*evaluate_now)(const struct heuristic *, const struct board *);

static unsigned step_again(const struct heuristic *heuristic, const struct board *child,
                           UNUSED unsigned h, UNUSED unsigned tile, UNUSED unsigned from,
                           UNUSED unsigned to)
{
    return evaluate_now(heuristic, child);
}

static unsigned step_wrong(UNUSED const struct heuristic *heuristic,
                           UNUSED const struct board *child, unsigned h, UNUSED unsigned tile,
                           UNUSED unsigned from, UNUSED unsigned to)
{
    return h + 1;
}

static struct judgement judge_all(unsigned (*evaluate)(const struct heuristic *,
                                                       const struct board *),
                                  unsigned (*step)(const struct heuristic *, const struct board *,
                                                   unsigned, unsigned, unsigned, unsigned))
{
    const struct heuristic_kind kind = {"judged",   "judged",          0,        NULL,
                                        no_options, manhattan_prepare, evaluate, step};
    const struct heuristic_choice choice = {.kind = &kind};
    const struct board goal = goal_of("blank-last", 3, 2);
    SCOPED_BY(judge_end) struct judge judge;
    SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
    evaluate_now = evaluate;
    judge_start(&judge, &choice, &goal);
    for (uint32_t rank = 0; rank < distances.ranking.size; rank++) {
        struct board board = board_ranked(&distances.ranking, rank);
        judge_board(&judge, &board, distances.depth[rank]);
    }
    const struct judgement judgement = judge.judgement;
    assert_int_equal(judgement.boards, 360);
    return judgement;
}

TEST(each_broken_claim_is_found)
{
    struct judgement judgement = judge_all(manhattan_evaluate, manhattan_step);
    assert_int_equal(judgement_broken(&judgement), 0);
    assert_int_equal(judgement.unequal, 0);
    assert_int_equal(judgement.sum_at[1], 2); /* of the two boards at distance 1 */
    judgement = judge_all(twice, step_again);
    assert_int_equal(judgement_broken(&judgement), ADMISSIBLE | CONSISTENT | KEEPS_PARITY);
    judgement = judge_all(patchy, step_again);
    assert_int_equal(judgement_broken(&judgement),
                     CONSISTENT | KEEPS_PARITY | POSITIVE | INCREMENTAL);
    judgement = judge_all(one_more, step_again);
    assert_int_equal(judgement_broken(&judgement), KEEPS_PARITY | INCREMENTAL);
    judgement = judge_all(one_above, step_again);
    assert_int_equal(judgement_broken(&judgement),
                     ADMISSIBLE | CONSISTENT | KEEPS_PARITY | INCREMENTAL);
    judgement = judge_all(none, step_again);
    assert_int_equal(judgement_broken(&judgement), KEEPS_PARITY | POSITIVE);
    assert_int_equal(judgement.zeros, 359);
    judgement = judge_all(manhattan_evaluate, step_wrong);
    assert_int_equal(judgement_broken(&judgement), 0);
    assert_true(judgement.unequal > 0);
}
