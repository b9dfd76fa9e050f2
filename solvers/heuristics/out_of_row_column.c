/* Tiles out of their row plus tiles out of their column: a tile out of both counts twice, as it
 * needs at least one move in each direction. */
#include "heuristics/heuristic.h"

DECLARE_HEURISTIC(out_of_row_column);

const struct option_row out_of_row_column_options[] = NO_OPTIONS;

void out_of_row_column_prepare(struct heuristic *heuristic)
{
    (void)heuristic;
}

/* How much a tile on `cell` counts that belongs on `home`. */
static unsigned lines_missed(struct shape shape, unsigned cell, unsigned home)
{
    const bool row = cell / shape.width != home / shape.width;
    const bool column = cell % shape.width != home % shape.width;
    return (unsigned)row + (unsigned)column;
}

unsigned out_of_row_column_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < board->shape.cells; i++)
        if (board->cell[i] != 0)
            sum += lines_missed(board->shape, i, heuristic->home[board->cell[i]]);
    return sum;
}

unsigned out_of_row_column_step(const struct heuristic *heuristic, const struct board *child,
                                unsigned h, unsigned tile, unsigned from, unsigned to)
{
    const unsigned home = heuristic->home[tile];
    return h + lines_missed(child->shape, to, home) - lines_missed(child->shape, from, home);
}
