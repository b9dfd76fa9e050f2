/* What searches that count costs share, whatever the costs: 1 a move, or those of the tiles
 * (puzzle/costs.h). All numbers are in the scale of the costs, 64 bits. */
#pragma once

#include "search/search.h"

/* No cost at all: more than each. */
#define NO_COST UINT64_MAX

/* What a node costs so far, and its heuristic's value. */
struct price {
    uint64_t g;
    uint64_t h;
};

/* What moving a tile costs. */
KERNEL uint64_t move_cost(const struct search *search, unsigned tile)
{
    return search->costs == NULL ? 1 : search->costs->of[tile];
}

/* What the cheapest move costs. */
static inline uint64_t least_move_cost(const struct search *search)
{
    return search->costs == NULL ? 1 : search->costs->least;
}

/* The value of the search's heuristic at the start; 0 without a heuristic. */
static inline uint64_t priced_start_h(const struct search *search)
{
    return search->heuristic == NULL ? 0
                                     : heuristic_priced(search->heuristic, &search->task->start);
}

/* A heuristic's value of a successor of the E-node, whose own value is `h`. The E-node's board is
 * changed and changed back; its g and h are not looked at. */
static inline uint64_t priced_value(const struct heuristic *heuristic, struct enode *enode,
                                    uint64_t h, const struct successor *successor)
{
    board_slide(&enode->board, successor->from);
    const uint64_t value = heuristic_priced_step(heuristic, &enode->board, h, successor->tile,
                                                 successor->from, successor->to);
    board_slide(&enode->board, successor->to);
    return value;
}

/* The same of the search's own heuristic; 0 without one. */
static inline uint64_t priced_successor_h(const struct search *search, struct enode *enode,
                                          uint64_t h, const struct successor *successor)
{
    return search->heuristic == NULL ? 0 : priced_value(search->heuristic, enode, h, successor);
}

/* The cost of a path, of letters, from the task's start. */
uint64_t path_cost(const struct search *search, const char *moves, size_t length);
