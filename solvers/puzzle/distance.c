#include "puzzle/distance.h"
#include "base/heap.h"
#include "puzzle/moves.h"
#include <assert.h>
#include <string.h>

enum { UNSEEN = 255 };

bool distances_make(const struct board *goal, struct distances *distances)
{
    struct operators operators;
    *distances = (struct distances){0};
    if (goal->shape.cells > MAX_TABLE_CELLS || !ranking_make(goal, &distances->ranking))
        return false;
    const struct ranking *ranking = &distances->ranking;
    operators_make(goal->shape, DEFAULT_ORDER, &operators);
    uint32_t *queue = heap_take(ranking->size, sizeof *queue);
    uint8_t *depth = memset(heap_take(ranking->size, 1), UNSEEN, ranking->size);
    uint32_t head = 0;
    uint32_t tail = 0;
    queue[tail] = ranking_rank(ranking, goal);
    depth[queue[tail++]] = 0;
    while (head < tail) {
        struct board board;
        uint8_t at = depth[queue[head]];
        ranking_unrank(ranking, queue[head++], &board);
        distances->states[at]++;
        distances->deepest = at;
        unsigned from = board.blank;
        for (unsigned move = 0; move < MOVES; move++) {
            unsigned to = operators.target[from][move];
            if (to == NO_CELL)
                continue;
            board_slide(&board, to);
            uint32_t rank = ranking_rank(ranking, &board);
            if (depth[rank] == UNSEEN) {
                depth[rank] = (uint8_t)(at + 1);
                queue[tail++] = rank;
            }
            board_slide(&board, from);
        }
    }
    assert(tail == ranking->size);
    free(queue);
    distances->depth = depth;
    return true;
}

int distances_of(const struct distances *distances, const struct board *board)
{
    if (!board_connected(board, &distances->ranking.goal))
        return -1;
    return distances->depth[ranking_rank(&distances->ranking, board)];
}

void distances_end(struct distances *distances)
{
    free(distances->depth);
    distances->depth = NULL;
}
