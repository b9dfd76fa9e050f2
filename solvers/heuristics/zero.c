/* h = 0: an informed algorithm becomes an uninformed one. */
#include "heuristics/heuristic.h"

DECLARE_HEURISTIC(zero);

const struct option_row zero_options[] = NO_OPTIONS;

void zero_prepare(struct heuristic *heuristic)
{
    (void)heuristic;
}

unsigned zero_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    (void)heuristic;
    (void)board;
    return 0;
}

unsigned zero_step(const struct heuristic *heuristic, const struct board *child, unsigned h,
                   unsigned tile, unsigned from, unsigned to)
{
    (void)heuristic;
    (void)child;
    (void)tile;
    (void)from;
    (void)to;
    return h;
}

static uint64_t zero_priced(const struct heuristic *heuristic, const struct board *board)
{
    (void)heuristic;
    (void)board;
    return 0;
}

const struct heuristic_extras zero_extras = {.priced = zero_priced};
