/* Gaschnig's heuristic, also n-max-swap: the number of moves to the goal if any tile could jump to
 * the blank's cell from any other (J. Gaschnig, "Performance measurement and analysis of certain
 * search algorithms", thesis, Carnegie Mellon University, 1979).
 *
 * As a permutation of the cells, a board consists of cycles. The cycle with the blank takes one
 * jump for each of its tiles; any other cycle takes one more, to bring the blank in. Jumps can be
 * undone, so the value changes by exactly 1 with each move, and is odd if the distance is. */
#include "heuristics/heuristic.h"

DECLARE_HEURISTIC(gaschnig);

const struct option_row gaschnig_options[] = NO_OPTIONS;

void gaschnig_prepare(struct heuristic *heuristic)
{
    (void)heuristic;
}

unsigned gaschnig_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    uint64_t seen = 0;
    unsigned jumps = 0;
    for (unsigned first = 0; first < board->shape.cells; first++) {
        unsigned length = 0;
        bool blank = false;
        for (unsigned cell = first; (seen >> cell & 1) == 0;
             cell = heuristic->home[board->cell[cell]]) {
            seen |= UINT64_C(1) << cell;
            blank |= cell == board->blank;
            length++;
        }
        if (length > 1)
            jumps += blank ? length - 1 : length + 1;
    }
    return jumps;
}

STEP_FROM_SCRATCH(gaschnig)
