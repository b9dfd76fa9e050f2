/* The sum of the straight-line distances of the tiles from their goal cells, rounded up to the next
 * whole number that is odd if the distance is.
 *
 * The sum never exceeds the Manhattan distance, a whole number of the right parity, so it stays
 * admissible when it is rounded. Nothing else is added (some programs multiply such sums; then it
 * is not admissible). A move changes the sum by at most 1, and the parity too, so the value falls
 * by at most 1: it is consistent.
 *
 * Lengths are kept in units of 2^-32, rounded down, so that the sum is the same on every machine
 * and never too large. */
#include "base/heap.h"
#include "heuristics/heuristic.h"
#include "heuristics/parity.h"
#include "puzzle/pack.h"

DECLARE_HEURISTIC(euclidean);

const struct option_row euclidean_options[] = NO_OPTIONS;

enum { UNIT_BITS = 32 };

/* From each cell to each tile's goal cell; none for the blank. */
struct lines {
    uint64_t of[MAX_CELLS][MAX_CELLS];
};

/* The square root in units of 2^-32, rounded down. */
static uint64_t square_root(unsigned number)
{
    const uint128 square = (uint128)number << 2 * UNIT_BITS;
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << (UNIT_BITS + 16); bit > 0; bit >>= 1)
        if ((uint128)(root + bit) * (root + bit) <= square)
            root += bit;
    return root;
}

void euclidean_prepare(struct heuristic *heuristic)
{
    const struct shape shape = heuristic->goal.shape;
    uint64_t line[MAX_CELLS]; /* by how many columns and rows it spans, numbered as cells */
    struct lines *lines = heap_take(1, sizeof *lines);
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        const unsigned columns = cell % shape.width;
        const unsigned rows = cell / shape.width;
        line[cell] = square_root(columns * columns + rows * rows);
    }
    for (unsigned tile = 1; tile < shape.cells; tile++)
        for (unsigned cell = 0; cell < shape.cells; cell++) {
            const unsigned home = heuristic->home[tile];
            const int columns = abs((int)(cell % shape.width) - (int)(home % shape.width));
            const int rows = abs((int)(cell / shape.width) - (int)(home / shape.width));
            lines->of[tile][cell] = line[rows * shape.width + columns];
        }
    heuristic->data = lines;
}

unsigned euclidean_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    const struct lines *lines = heuristic->data;
    uint64_t sum = (UINT64_C(1) << UNIT_BITS) - 1; /* to round up */
    for (unsigned i = 0; i < board->shape.cells; i++)
        sum += lines->of[board->cell[i]][i];
    return parity_raise((unsigned)(sum >> UNIT_BITS),
                        shape_distance(board->shape, board->blank, heuristic->home[0]));
}

STEP_FROM_SCRATCH(euclidean)
