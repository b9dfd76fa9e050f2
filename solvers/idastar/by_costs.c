#include "idastar/by_costs.h"

static void search_rounds(struct cost_round *round, const struct idastar_by_costs *settings)
{
    struct search *search = round->search;
    const uint64_t most = settings->most;
    uint64_t floor = priced_start_h(search);
    uint64_t limit = floor;
    while (floor <= most) {
        if (cost_round_walk(round, floor, limit < most ? limit : most, UINT64_MAX) !=
            COST_ROUND_WHOLE)
            return;
        if (round->best != NO_COST) {
            search->status = STATUS_solved;
            return;
        }
        floor = round->above;
        limit = settings->doubles ? cost_round_next(round, round->expanded) : floor;
    }
    search->status = floor == NO_COST ? STATUS_exhausted : search_none_within(search);
}

void idastar_by_costs(struct search *search, const struct idastar_by_costs *settings)
{
    struct cost_round round;
    if (cost_round_start(&round, search)) {
        round.counts_all = settings->counts_all;
        round.table = settings->table;
        search_rounds(&round, settings);
    }
    cost_round_end(&round);
}
