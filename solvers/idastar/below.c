#include "idastar/idastar.h"
#include "idastar/resume.h"
#include <limits.h>

/* Searches below a root, or what is left of that, and writes checkpoints on the way. False when the
 * search is over. */
static bool search_root(struct round *round)
{
    const struct search *search = round->search;
    while (!round_search(round)) {
        if (!search->paused)
            return false;
        round_save(round, &(struct walkers_place){0});
        if (search->status == STATUS_interrupted)
            return false;
    }
    return true;
}

/* Searches below each of the roots that is within the threshold, with room on the path for
 * its depth; `resumed`: one of them is under way. False when the search is over. */
static bool search_below(struct round *round, const struct idastar_roots *roots, bool resumed)
{
    struct enode *enode = &round->enode;
    if (resumed && !search_root(round))
        return false;
    for (uint64_t i = resumed ? round->root + 1 : 0; i < roots->count; i++) {
        if (!roots->node(roots->context, i, enode))
            continue;
        if (enode->g + enode->h > round->threshold) {
            if (enode->g + enode->h < round->above)
                round->above = enode->g + enode->h;
            return true; /* as are all that follow */
        }
        round->root_g = enode->g;
        round->root = i;
        if (!search_root(round))
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

/* Begins the next round. False when the search is over. */
static bool begin_round(struct round *round, uint64_t *levels)
{
    struct search *search = round->search;
    round->threshold = round->above;
    round->above = UINT_MAX;
    if (!make_path(round, levels, 0)) {
        search->status = STATUS_memory_limit;
        return false;
    }
    return search_begins_round(search, "frontier", round->threshold);
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
    round.counts_flat = round.subtrees.kind != NULL && search->observer == NULL;
    round.path = first.path;
    round.above = first.threshold;
    struct walkers_place none;
    bool resumed = round_resumes(&round) && round_restore(&round, roots, levels, &none);
    if (resumed && round.threshold >= levels)
        levels = round.threshold + UINT64_C(1);
    for (; resumed || round.above != UINT_MAX; resumed = false) {
        if (!resumed && !begin_round(&round, &levels))
            return;
        if (!search_below(&round, roots, resumed))
            return;
    }
    search->status = STATUS_exhausted;
}
