/* Random walks from the goal: `steps` moves, none of which undoes the one before. */
#include "instances/drawing.h"
#include <inttypes.h>

static struct board draw_walk(struct drawing *drawing)
{
    struct board board = drawing->generation->goal;
    unsigned undo = MOVE_NONE;
    for (uint32_t step = 0; step < drawing->generation->steps; step++) {
        unsigned moves[MOVES];
        unsigned count = 0;
        for (unsigned move = 0; move < MOVES; move++)
            if (move != undo && drawing->operators.target[board.blank][move] != NO_CELL)
                moves[count++] = move;
        unsigned move = moves[gsl_rng_uniform_int(drawing->generator, count)];
        board_slide(&board, drawing->operators.target[board.blank][move]);
        undo = move_undo(move);
    }
    return board;
}

/* The number of boards that a walk can reach is unknown: it gives up after this many duplicates in
 * a row, fewer if walks are long. */
static uint32_t max_draws(const struct generation *generation)
{
    enum { MIN_DRAWS = 100, MAX_DRAWS = 100000, MAX_STEPS = 100000000 };
    const uint64_t draws = MAX_STEPS / ((uint64_t)generation->steps + 1);
    return draws < MIN_DRAWS ? MIN_DRAWS : draws > MAX_DRAWS ? MAX_DRAWS : (uint32_t)draws;
}

bool generate_walk(struct drawing *drawing)
{
    const uint32_t steps = drawing->generation->steps;
    const size_t before = drawing->list->count;
    if (draw_batch(drawing, draw_walk, max_draws(drawing->generation)))
        return true;
    const size_t found = drawing->list->count - before;
    return drawing_refuse(drawing,
                          "too few boards: only %zu distinct one%s came up on walks of %" PRIu32
                          " step%s; expected a smaller count, more steps or distinct: false",
                          found, found == 1 ? "" : "s", steps, steps == 1 ? "" : "s");
}
