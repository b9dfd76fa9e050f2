#include "idastar/idastar.h"
#include "idastar/pdb_falls.h"
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

/* Roots of one round that follow each other. */
struct group {
    struct enode root[MANY_ROOTS];
    uint64_t number[MANY_ROOTS];
    unsigned count;
};

/* Collects roots within the threshold from number `next` on, which is then the one after them. Of
 * the rest, which are all above it, the first lowers `above`. */
static void collect(struct round *round, const struct idastar_roots *roots, uint64_t *next,
                    struct group *group)
{
    const unsigned most =
        round->subtrees.kind != NULL && round->subtrees.kind->count_many != NULL ? MANY_ROOTS : 1;
    struct enode *enode = &round->enode;
    for (group->count = 0; *next < roots->count && group->count < most; ++*next) {
        if (!roots->node(roots->context, *next, enode))
            continue;
        if (round->search->pruning != NULL)
            enode->context = root_context(round->search->pruning, enode->board.blank, enode->undo) &
                             MAX_CONTEXTS;
        if (enode->g + enode->h > round->threshold) {
            if (enode->g + enode->h < round->above)
                round->above = enode->g + enode->h;
            *next = roots->count;
            return;
        }
        group->root[group->count] = *enode;
        group->number[group->count++] = *next;
    }
}

/* Counts the subtrees of a group at once, as round_search would one by one. False if that cannot be
 * done: then nothing has changed. */
static bool count_group(struct round *round, const struct group *group)
{
    const struct subtree_kind *kind = round->subtrees.kind;
    const unsigned next = round->threshold + 2;
    if (group->count < 2 || !round->counts_flat || (round->above != next && !round->steady))
        return false;
    for (unsigned i = 0; i < group->count; i++) {
        const struct enode *root = &group->root[i];
        if ((round->threshold - root->g - root->h) / 2 > round->counted_slack ||
            root->undo == MOVE_NONE)
            return false;
    }
    const bool counted = kind->count_many(round->subtrees.data, group->root, group->count,
                                          round->threshold) == SUBTREE_COUNTED;
    if (counted)
        round->above = next;
    round->search->paused = false; /* one root alone can be paused at */
    return counted;
}

/* Searches below each of the roots that is within the threshold, with room on the path for
 * its depth; `resumed`: one of them is under way. False when the search is over. */
static bool search_below(struct round *round, const struct idastar_roots *roots, bool resumed)
{
    struct group group;
    if (resumed && !search_root(round))
        return false;
    for (uint64_t next = resumed ? round->root + 1 : 0; next < roots->count;) {
        collect(round, roots, &next, &group);
        if (count_group(round, &group))
            continue;
        for (unsigned i = 0; i < group.count; i++) {
            round->enode = group.root[i];
            round->root_g = round->enode.g;
            round->root = group.number[i];
            if (!search_root(round))
                return false;
        }
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
    if (!round_make_path(round, &round->search->arena, wanted))
        return false;
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
    round.contexts = first.contexts;
    round.above = first.threshold;
    struct walkers_place none;
    bool resumed = round_resumes(&round) && round_restore(&round, roots, levels, &none);
    if (resumed && round.threshold >= levels)
        levels = round.threshold + UINT64_C(1);
    for (; resumed || round.above != UINT_MAX; resumed = false) {
        if ((!resumed && !begin_round(&round, &levels)) || !pdb_falls_look(&round))
            return;
        if (!search_below(&round, roots, resumed)) {
            if (search->status == STATUS_solved) /* the last node is that of the solution */
                roots->node(roots->context, round.root, &first.enode);
            return;
        }
    }
    search->status = STATUS_exhausted;
}
