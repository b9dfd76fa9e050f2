/* Misplaced tiles: how many tiles are not on their goal cell (Nilsson's W(n); h1 in Russell and
 * Norvig).
 *
 * With count_blank the blank counts as a tile, as in some teaching programs. One move from the goal
 * the value is then 2: it is not admissible. */
#include "heuristics/heuristic.h"

DECLARE_HEURISTIC(misplaced);

enum { COUNT_BLANK };

const struct option_row misplaced_options[] = {
    [COUNT_BLANK] = {FLAG_OPTION("count_blank", "count the blank as a tile"),
                     .forfeits = ADMISSIBLE | CONSISTENT},
    {.kind = OPTION_END},
};

void misplaced_prepare(struct heuristic *heuristic)
{
    (void)heuristic;
}

unsigned misplaced_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    unsigned misplaced = 0;
    for (unsigned i = 0; i < board->shape.cells; i++)
        if (board->cell[i] != 0 || heuristic->choice.options[COUNT_BLANK])
            misplaced += board->cell[i] != heuristic->goal.cell[i];
    return misplaced;
}

unsigned misplaced_step(const struct heuristic *heuristic, const struct board *child, unsigned h,
                        unsigned tile, unsigned from, unsigned to)
{
    const uint8_t *home = heuristic->home;
    (void)child;
    h = h + (home[tile] != to) - (home[tile] != from);
    if (heuristic->choice.options[COUNT_BLANK])
        h = h + (home[0] != from) - (home[0] != to);
    return h;
}

/* Each of them has to move once at least. */
static uint64_t misplaced_priced(const struct heuristic *heuristic, const struct board *board)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < board->shape.cells; i++)
        if (board->cell[i] != heuristic->goal.cell[i])
            sum += heuristic->costs->of[board->cell[i]];
    return sum;
}

static bool misplaced_unpriced(const struct heuristic_choice *choice)
{
    return choice->options[COUNT_BLANK] != 0;
}

const struct heuristic_extras misplaced_extras = {.priced = misplaced_priced,
                                                  .unpriced = misplaced_unpriced};
