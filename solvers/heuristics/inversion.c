/* Inversion distance: how many moves up and down, and how many to the sides, the tiles' order asks
 * for at least (made known, like walking distance, by Ken'ichiro Takahashi).
 *
 * Read a board row by row, the blank left out. Moves to the sides do not change what is read; a
 * move up or down takes one tile past width - 1 others, and so undoes at most that many inversions
 * (pairs that stand the other way round than in the goal). Inversions / (width - 1), rounded up,
 * moves up and down are needed at least, and their number is odd where the blank's row is an odd
 * number of rows off: so it is rounded up to that parity too. On four columns this is the known
 * inversions / 3 + inversions mod 3; on others it is as far as parity goes. The same by columns
 * gives the moves to the sides, and h is the sum: every move is one or the other. */
#include "base/heap.h"
#include "heuristics/heuristic.h"
#include "heuristics/parity.h"

const struct option_row inversion_options[] = NO_OPTIONS;

/* For both ways of reading: the cells in the order they are read, and the place of each tile in the
 * goal as read, from 0. */
struct reading {
    uint8_t cell[MAX_CELLS];
    uint8_t place[MAX_CELLS];
};
struct readings {
    struct reading by_row, by_column;
};

static void read_goal(const struct board *goal, struct reading *reading)
{
    unsigned places = 0;
    for (unsigned i = 0; i < goal->shape.cells; i++) {
        const unsigned tile = goal->cell[reading->cell[i]];
        if (tile != 0)
            reading->place[tile] = (uint8_t)places++;
    }
}

void inversion_prepare(struct heuristic *heuristic)
{
    const struct shape shape = heuristic->goal.shape;
    struct readings *readings = heap_take(1, sizeof *readings);
    for (unsigned i = 0; i < shape.cells; i++) {
        readings->by_row.cell[i] = (uint8_t)i;
        readings->by_column.cell[i] = (uint8_t)(i % shape.height * shape.width + i / shape.height);
    }
    read_goal(&heuristic->goal, &readings->by_row);
    read_goal(&heuristic->goal, &readings->by_column);
    heuristic->data = readings;
}

static unsigned inversions(const struct reading *reading, const struct board *board)
{
    uint64_t seen = 0; /* the places of the tiles read so far */
    unsigned count = 0;
    for (unsigned i = 0; i < board->shape.cells; i++) {
        const unsigned tile = board->cell[reading->cell[i]];
        if (tile == 0)
            continue;
        const unsigned place = reading->place[tile];
        count += (unsigned)__builtin_popcountll(seen >> place);
        seen |= UINT64_C(1) << place;
    }
    return count;
}

/* Moves across lines of `length` cells, for an odd or even number of lines. */
static unsigned moves(unsigned count, unsigned length, unsigned lines)
{
    return parity_raise((count + length - 2) / (length - 1), lines);
}

unsigned inversion_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct readings *readings = heuristic->data;
    const struct shape shape = board->shape;
    const unsigned home = heuristic->home[0];
    const unsigned rows = board->blank / shape.width + home / shape.width;
    const unsigned columns = board->blank % shape.width + home % shape.width;
    return moves(inversions(&readings->by_row, board), shape.width, rows) +
           moves(inversions(&readings->by_column, board), shape.height, columns);
}

STEP_FROM_SCRATCH(inversion)
