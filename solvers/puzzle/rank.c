#include "puzzle/rank.h"
#include <assert.h>

bool ranking_make(const struct board *goal, struct ranking *ranking)
{
    if (goal->shape.cells > MAX_RANKED_CELLS)
        return false;
    uint32_t factorial = 1;
    for (unsigned i = 2; i < goal->shape.cells; i++)
        factorial *= i;
    *ranking = (struct ranking){.goal = *goal, .per_cell = factorial / 2};
    ranking->size = ranking->per_cell * goal->shape.cells;
    const unsigned width = goal->shape.width;
    const unsigned height = goal->shape.height;
    for (unsigned i = 0; i < MAX_RANKED_CELLS; i++)
        ranking->cell[i] = (uint8_t)(width <= height ? i : i % height * width + i / height);
    return true;
}

uint32_t ranking_arrangement(const struct ranking *ranking, const struct board *board,
                             unsigned *blank)
{
    /* Lehmer's code in mixed radix: how many of the tiles still to come are smaller. */
    uint32_t rank = 0;
    uint32_t left =
        (1U << board->shape.cells) - 2; /* the tiles not yet seen, as bits; the blank is none */
    uint32_t radix = board->shape.cells - 1U;
    for (unsigned i = 0; i < board->shape.cells; i++) {
        uint32_t tile = board->cell[ranking->cell[i]];
        if (tile == 0) {
            *blank = i;
            continue;
        }
        left &= ~(1U << tile);
        rank = rank * radix-- + (uint32_t)__builtin_popcount(left & ((1U << tile) - 1));
    }
    return rank;
}

uint32_t ranking_rank(const struct ranking *ranking, const struct board *board)
{
    unsigned blank = 0;
    const uint32_t arrangement = ranking_arrangement(ranking, board, &blank);
    return blank * ranking->per_cell + arrangement / 2;
}

void ranking_unrank(const struct ranking *ranking, uint32_t rank, struct board *board)
{
    unsigned cells = ranking->goal.shape.cells;
    uint8_t code[MAX_RANKED_CELLS];
    uint32_t left = (1U << cells) - 2;
    uint32_t lehmer = rank % ranking->per_cell * 2;
    *board = (struct board){.shape = ranking->goal.shape,
                            .blank = ranking->cell[rank / ranking->per_cell]};
    assert(rank < ranking->size);
    for (unsigned i = cells - 1; i-- > 0;) {
        uint32_t radix = cells - 1 - i;
        code[i] = (uint8_t)(lehmer % radix);
        lehmer /= radix;
    }
    unsigned next = 0;
    unsigned last[2] = {0, 0}; /* the cells of the last two tiles */
    for (unsigned i = 0; i < cells; i++) {
        const unsigned cell = ranking->cell[i];
        if (cell == board->blank)
            continue;
        uint32_t rest = left;
        for (unsigned skip = code[next++]; skip > 0; skip--)
            rest &= rest - 1;
        unsigned tile = (unsigned)__builtin_ctz(rest);
        left &= ~(1U << tile);
        board->cell[cell] = (uint8_t)tile;
        last[0] = last[1];
        last[1] = cell;
    }
    if (!board_connected(board, &ranking->goal)) {
        uint8_t tile = board->cell[last[0]];
        board->cell[last[0]] = board->cell[last[1]];
        board->cell[last[1]] = tile;
    }
}
