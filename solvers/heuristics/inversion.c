/* Inversion distance: a lower bound on the vertical moves plus one on the horizontal moves, from
 * the sequence of the tiles (made known, like walking distance, by Ken'ichiro Takahashi).
 *
 * Read the tiles row by row. Horizontal moves do not change what is read; a vertical move takes one
 * tile past width - 1 others, and so undoes at most that many inversions (pairs in the opposite
 * sequence from the goal's). So at least inversions / (width - 1), rounded up, vertical moves are
 * needed. Their number is odd if the blank is an odd number of rows from its goal row, so the bound
 * is rounded up to that parity. On four columns this is the well-known inversions / 3 + inversions
 * mod 3. Reading by columns gives the horizontal moves in the same way, and h is the sum: each move
 * is one or the other. */
#include "base/heap.h"
#include "heuristics/heuristic.h"
#include "heuristics/parity.h"

DECLARE_HEURISTIC(inversion);

const struct option_row inversion_options[] = NO_OPTIONS;

/* One way of reading a board: its cells in sequence, and the place of each tile in the goal, from
 * 0. */
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

/* The minimum number of moves across lines of `length` cells that undo `count` inversions; odd if
 * `lines`, which the blank must cross, is. */
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
