/* IDA* below nodes that another search holds. */
#pragma once

#include "search/search.h"

struct idastar_roots {
    uint64_t count;
    /* Makes node number 0 .. count - 1 the E-node: all fields but `state`. False if it is to be
     * passed over. The g + h of the others rises with their numbers. */
    bool (*node)(void *context, uint64_t number, struct enode *enode);
    void *context;
};

/* Rounds of iterative deepening as in idastar.c: each searches depth first below every node of the
 * frontier whose g + h is within the round's threshold; the first threshold is the smallest g + h
 * among them. Counts the rounds as iterations. On success, the first moves of the solution are
 * missing: as many as the g of the last node. */
void idastar_below(struct search *search, const struct idastar_roots *roots);
