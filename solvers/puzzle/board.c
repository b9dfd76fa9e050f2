#include "puzzle/board.h"
#include <assert.h>
#include <string.h>

bool board_make(struct shape shape, const uint8_t *tiles, struct board *board)
{
    uint64_t seen = 0;
    *board = (struct board){.shape = shape};
    for (unsigned i = 0; i < shape.cells; i++) {
        if (tiles[i] >= shape.cells || (seen >> tiles[i] & 1) != 0)
            return false;
        seen |= (uint64_t)1 << tiles[i];
        board->cell[i] = tiles[i];
        if (tiles[i] == 0)
            board->blank = (uint8_t)i;
    }
    return true;
}

bool board_equal(const struct board *a, const struct board *b)
{
    return shape_equal(a->shape, b->shape) && memcmp(a->cell, b->cell, a->shape.cells) == 0;
}

bool board_connected(const struct board *start, const struct board *goal)
{
    uint8_t home[MAX_CELLS];
    uint64_t seen = 0;
    const unsigned cells = start->shape.cells;
    int parity = (int)shape_distance(start->shape, start->blank, goal->blank);
    if (!shape_equal(start->shape, goal->shape))
        return false;
    for (unsigned i = 0; i < cells; i++)
        home[goal->cell[i]] = (uint8_t)i;
    /* Inversions: those before it whose home is behind its own. */
    for (unsigned i = 0; i < cells; i++) {
        const unsigned at = home[start->cell[i]];
        parity += __builtin_parityll(seen >> at);
        seen |= (uint64_t)1 << at;
    }
    return parity % 2 == 0;
}

unsigned board_manhattan(const struct board *board, const struct board *goal)
{
    uint8_t home[MAX_CELLS] = {0};
    unsigned sum = 0;
    for (unsigned i = 0; i < goal->shape.cells; i++)
        home[goal->cell[i]] = (uint8_t)i;
    for (unsigned i = 0; i < board->shape.cells; i++)
        if (board->cell[i] != 0)
            sum += shape_distance(board->shape, i, home[board->cell[i]]);
    return sum;
}

void board_exchange(const struct board *start, const struct board *goal, uint8_t tiles[2])
{
    bool swapped = false;
    for (unsigned i = 0; i < start->shape.cells; i++)
        for (unsigned j = i + 1; j < start->shape.cells; j++) {
            const uint8_t a = start->cell[i];
            const uint8_t b = start->cell[j];
            const bool swaps = goal->cell[i] == b && goal->cell[j] == a;
            const bool beside = j == i + 1 && j % start->shape.width != 0;
            if (a == 0 || b == 0 || !(swaps || (beside && !swapped)))
                continue;
            swapped = swaps || swapped;
            tiles[0] = a < b ? a : b;
            tiles[1] = a < b ? b : a;
        }
}

void board_line(const struct board *board, char text[BOARD_LINE])
{
    static_assert(MAX_CELLS <= 100, "tiles have two digits at most");
    char *at = text;
    for (unsigned i = 0; i < board->shape.cells; i++) {
        const unsigned tile = board->cell[i];
        if (i > 0)
            *at++ = ' ';
        if (tile >= 10)
            *at++ = (char)('0' + tile / 10);
        *at++ = (char)('0' + tile % 10);
    }
    *at = '\0';
}
