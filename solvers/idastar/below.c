#include "idastar/idastar.h"
#include "idastar/round.h"
#include <limits.h>

/* Searches below each of the roots that is within the threshold, with room on the path for
 * its depth. False when the search is over. */
static bool search_below(struct round *round, const struct idastar_roots *roots)
{
    struct enode *enode = &round->enode;
    for (uint64_t i = 0; i < roots->count; i++) {
        if (!roots->node(roots->context, i, enode))
            continue;
        if (enode->g + enode->h > round->threshold) {
            if (enode->g + enode->h < round->above)
                round->above = enode->g + enode->h;
            return true; /* as are all that follow */
        }
        round->root_g = enode->g;
        if (!round_search(round))
            return false;
    }
    return true;
}

/* The g + h of the first node, or UINT_MAX. */
static unsigned smallest_cost(const struct idastar_roots *roots, struct enode *enode)
{
    for (uint64_t i = 0; i < roots->count; i++)
        if (roots->node(roots->context, i, enode))
            return enode->g + enode->h;
    return UINT_MAX;
}

/* Makes room on the path for all nodes within the threshold. False when the budget is spent. */
static bool make_path(struct round *round, uint64_t *levels, unsigned spare)
{
    const uint64_t wanted = round->threshold + UINT64_C(1) + spare;
    if (wanted <= *levels)
        return true;
    struct visit *path = arena_resize(&round->search->arena, round->path, wanted * sizeof *path);
    if (path == NULL)
        return false;
    round->path = path;
    *levels = wanted;
    return true;
}

void idastar_below(struct search *search, const struct idastar_roots *roots)
{
    struct round first = {.search = search, .enode.board = search->task->start};
    uint64_t levels = 0;
    first.threshold = smallest_cost(roots, &first.enode);
    search->statistics.iterations = 0;
    search->status = STATUS_exhausted;
    if (first.threshold == UINT_MAX)
        return;
    /* The path goes before the counter's tables, for which less memory will do. */
    search->status = STATUS_memory_limit;
    if (!make_path(&first, &levels, DEEPER) && !make_path(&first, &levels, 0))
        return;
    struct round round = round_start(search);
    round.path = first.path;
    for (round.above = first.threshold; round.above != UINT_MAX;) {
        round.threshold = round.above;
        round.above = UINT_MAX;
        if (!make_path(&round, &levels, 0)) {
            search->status = STATUS_memory_limit;
            return;
        }
        if (!search_begins_round(search, "frontier", round.threshold))
            return;
        if (!search_below(&round, roots))
            return;
    }
    search->status = STATUS_exhausted;
}
