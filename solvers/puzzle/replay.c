#include "puzzle/replay.h"
#include <string.h>

struct replay replay_path(const struct board *start, const struct board *goal, const char *moves,
                          size_t length)
{
    struct replay replay = {.last = *start};
    uint8_t *cell = replay.last.cell;
    const int width = start->shape.width;
    const int height = start->shape.height;
    for (replay.moves = 0; replay.moves < length; replay.moves++) {
        int column = replay.last.blank % width;
        int row = replay.last.blank / width;
        switch (moves[replay.moves]) {
        case 'U':
            row--;
            break;
        case 'D':
            row++;
            break;
        case 'L':
            column--;
            break;
        case 'R':
            column++;
            break;
        default:
            replay.outcome = REPLAY_NOT_A_MOVE;
            return replay;
        }
        if (column < 0 || column >= width || row < 0 || row >= height) {
            replay.outcome = REPLAY_LEAVES_BOARD;
            return replay;
        }
        int to = row * width + column;
        cell[replay.last.blank] = cell[to];
        cell[to] = 0;
        replay.last.blank = (uint8_t)to;
    }
    bool same =
        shape_equal(start->shape, goal->shape) && memcmp(cell, goal->cell, start->shape.cells) == 0;
    replay.outcome = same ? REPLAY_REACHES_GOAL : REPLAY_MISSES_GOAL;
    return replay;
}
