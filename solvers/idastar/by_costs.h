/* IDA* by costs: where moves cost different amounts, thresholds are costs, and rounds are those of
 * idastar/cost_round.h.
 *
 * Where many nodes have costs of their own, the smallest g + h above a threshold adds hardly any
 * node, so thresholds may grow faster (IDA*_CR: search/excess.h has the source): the next one keeps
 * at least as many of the nodes that were dropped as the round expanded, so that the next round
 * expands twice as many. A solution then bounds the rest of its round. */
#pragma once

#include "idastar/cost_round.h"

struct idastar_by_costs {
    uint64_t most;   /* no threshold above it is tried */
    bool doubles;    /* thresholds grow as said above; else the smallest g + h is next */
    bool counts_all; /* solutions of the least cost: search->solutions */
    struct transposition *table; /* NULL: none */
};

/* Searches, and sets search->status and the solution. */
void idastar_by_costs(struct search *search, const struct idastar_by_costs *settings);
