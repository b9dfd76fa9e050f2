#include "heuristics/judge.h"
#include "base/heap.h"
#include "puzzle/moves.h"

/* By how much the moves of a tile from one cell to another changed h. */
struct changes {
    bool known[MAX_CELLS][MAX_CELLS][MAX_CELLS];
    int by[MAX_CELLS][MAX_CELLS][MAX_CELLS];
};

void judge_start(struct judge *judge, const struct heuristic_choice *choice,
                 const struct board *goal)
{
    *judge = (struct judge){.changes = heap_take(1, sizeof *judge->changes)};
    heuristic_start(&judge->heuristic, choice, goal);
    judge->judgement.at_goal = choice->kind->evaluate(&judge->heuristic, goal);
}

void judge_end(struct judge *judge)
{
    heuristic_end(&judge->heuristic);
    free(judge->changes);
}

static void judge_move(struct judge *judge, struct board *board, unsigned h, unsigned from)
{
    const struct heuristic *heuristic = &judge->heuristic;
    struct judgement *judgement = &judge->judgement;
    const unsigned to = board->blank;
    const unsigned tile = board->cell[from];
    board_slide(board, from);
    const unsigned child = heuristic->kind->evaluate(heuristic, board);
    judgement->unequal += heuristic->kind->step(heuristic, board, h, tile, from, to) != child;
    const struct board next = *board;
    board_slide(board, to);
    if (child + 1 < h && judgement->falls++ == 0)
        judgement->fall =
            (struct counterexample){.board = *board, .h = h, .next = next, .next_h = child};
    const int by = (int)child - (int)h;
    bool *known = &judge->changes->known[tile][from][to];
    int *before = &judge->changes->by[tile][from][to];
    judgement->uneven += *known && *before != by;
    *known = true;
    *before = by;
}

void judge_board(struct judge *judge, const struct board *board, int distance)
{
    const struct heuristic *heuristic = &judge->heuristic;
    const struct board *goal = &heuristic->goal;
    struct judgement *judgement = &judge->judgement;
    struct board moved = *board;
    const unsigned h = heuristic->kind->evaluate(heuristic, board);
    judgement->boards++;
    judgement->sum += h;
    judgement->squares += (uint64_t)h * h;
    judgement->largest = h > judgement->largest ? h : judgement->largest;
    judgement->odd += (h ^ shape_distance(goal->shape, board->blank, goal->blank)) & 1;
    const bool at_goal = board_equal(board, goal);
    judgement->zeros += h == 0 && !at_goal;
    if (distance >= 0) {
        if (h > (unsigned)distance) {
            if (judgement->above++ == 0 || distance < judgement->too_high.distance)
                judgement->too_high =
                    (struct counterexample){.board = *board, .h = h, .distance = distance};
        }
        judgement->sum_at[distance] += h;
        judgement->boards_at[distance]++;
    }
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned from = move_target(board->shape, board->blank, move);
        if (from != NO_CELL)
            judge_move(judge, &moved, h, from);
    }
    /* Other boards were asked for in between. */
    const unsigned again = heuristic->kind->evaluate(heuristic, board);
    if (again != h && judgement->unsteady++ == 0)
        judgement->wavers = (struct counterexample){.board = *board, .h = h, .next_h = again};
}

unsigned judgement_broken(const struct judgement *judgement)
{
    unsigned broken = 0;
    broken |= judgement->above > 0 ? ADMISSIBLE : 0U;
    broken |= judgement->falls > 0 ? CONSISTENT : 0U;
    broken |= judgement->odd > 0 ? KEEPS_PARITY : 0U;
    broken |= judgement->zeros > 0 ? POSITIVE : 0U;
    broken |= judgement->uneven > 0 ? INCREMENTAL : 0U;
    broken |= judgement->at_goal > 0 ? ADMISSIBLE | CONSISTENT | POSITIVE : 0U;
    return broken;
}
