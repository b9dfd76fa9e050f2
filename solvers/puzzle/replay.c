#include "puzzle/replay.h"
#include <limits.h>
#include <string.h>

/* The moves by their letters; 0 is none of them. */
enum { UP = 1, DOWN, LEFT, RIGHT, MOVES };
static const uint8_t move_of[UCHAR_MAX + 1] = {
    ['U'] = UP, ['D'] = DOWN, ['L'] = LEFT, ['R'] = RIGHT};

/* The cells from which a move leads over the edge, a bit each. */
static void find_edges(struct shape shape, uint64_t over[MOVES])
{
    for (unsigned i = 0; i < shape.cells; i++) {
        const unsigned column = i % shape.width;
        over[UP] |= (uint64_t)(i < shape.width) << i;
        over[DOWN] |= (uint64_t)(i + shape.width >= shape.cells) << i;
        over[LEFT] |= (uint64_t)(column == 0) << i;
        over[RIGHT] |= (uint64_t)(column + 1 == shape.width) << i;
    }
}

struct replay replay_path(const struct board *start, const struct board *goal, const char *moves,
                          size_t length)
{
    struct replay replay = {.last = *start};
    const unsigned width = start->shape.width;
    const unsigned steps[MOVES] = {[UP] = -width, [DOWN] = width, [LEFT] = -1U, [RIGHT] = 1};
    uint64_t over[MOVES] = {0};
    unsigned blank = start->blank;
    find_edges(start->shape, over);
    for (replay.moves = 0; replay.moves < length; replay.moves++) {
        const unsigned move = move_of[(unsigned char)moves[replay.moves]];
        if (move == 0) {
            replay.outcome = REPLAY_NOT_A_MOVE;
            break;
        }
        if ((over[move] >> blank & 1) != 0) {
            replay.outcome = REPLAY_LEAVES_BOARD;
            break;
        }
        const unsigned to = blank + steps[move];
        replay.moved[replay.last.cell[to]]++;
        replay.last.cell[blank] = replay.last.cell[to];
        replay.last.cell[to] = 0;
        blank = to;
    }
    replay.last.blank = (uint8_t)blank;
    if (replay.moves < length)
        return replay;
    const bool same = shape_equal(start->shape, goal->shape) &&
                      memcmp(replay.last.cell, goal->cell, start->shape.cells) == 0;
    replay.outcome = same ? REPLAY_REACHES_GOAL : REPLAY_MISSES_GOAL;
    return replay;
}

bool replay_cost(const struct replay *replay, const struct move_costs *costs, uint64_t *cost)
{
    *cost = 0;
    for (unsigned tile = 1; tile < replay->last.shape.cells; tile++) {
        uint64_t of_tile;
        if (__builtin_mul_overflow(replay->moved[tile], costs->of[tile], &of_tile) ||
            __builtin_add_overflow(*cost, of_tile, cost))
            return false;
    }
    return true;
}
