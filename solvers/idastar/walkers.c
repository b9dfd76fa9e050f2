#include "idastar/walkers.h"
#include "heuristics/max.h"
#include "idastar/layers.h"
#include <limits.h>
#include <string.h>

enum {
    AHEAD_FROM = 1 << 21,    /* nodes generated before a round in which it is worth while */
    PDB_AHEAD_FROM = 3 << 18 /* the same for layers below pattern databases, of which a node takes
                                longer */
};

/* One who walks for the search: a thread's walker, or the scout. */
struct walker {
    struct search search;
    struct round round;
    struct layers_counter layers; /* its form is NULL if none fits */
};

static bool scout(void *context)
{
    struct walkers *walkers = context;
    return round_scout(&walkers->walker[walkers->threads].round);
}

static struct enode enode_of(const struct ahead_root *root)
{
    return (struct enode){.board = root->board, .g = root->g, .h = root->h, .undo = root->back};
}

/* Counts the subtrees of a group: at once where that can be done, or one by one, as the search
 * would. */
static enum subtree_outcome count_group(void *context, unsigned number,
                                        const struct ahead_root *roots, const uint32_t *contexts,
                                        unsigned count, uint64_t left, struct ahead_sum *sum)
{
    struct walkers *walkers = context;
    struct round *round = &walkers->walker[number].round;
    struct search *search = round->search;
    search->statistics = (struct statistics){0};
    search->limits.nodes = left;
    /* What layers drop is 2 above the threshold, or more if h may leap: as in count_subtree. */
    if (walkers->layered && (round->steady || round->above == round->threshold + 2)) {
        const enum subtree_outcome outcome = layers_count(&walkers->walker[number].layers, roots,
                                                          count, round->threshold, left, sum);
        if (outcome != SUBTREE_REFUSED)
            return outcome;
    }
    for (unsigned i = 0; i < count; i++) {
        round->enode = enode_of(&roots[i]);
        if (search->pruning != NULL)
            round->enode.context = contexts[i] & MAX_CONTEXTS;
        round->root_g = roots[i].g;
        if (round->subtrees.kind != NULL)
            round->counted_slack = round->subtrees.kind->max_slack;
        if (!round_search(round))
            return search->status == STATUS_solved || search->status == STATUS_node_limit
                       ? SUBTREE_REFUSED
                       : SUBTREE_STOPPED;
    }
    *sum = (struct ahead_sum){search->statistics.expanded, search->statistics.generated,
                              search->statistics.max_depth, round->above};
    return SUBTREE_COUNTED;
}

/* Makes a walker like the search, but without its observers, limits and counters. */
static bool walker_start(struct walkers *walkers, unsigned number)
{
    struct search *search = walkers->round->search;
    struct walker *walker = &walkers->walker[number];
    const bool is_scout = number == walkers->threads;
    walker->search = (struct search){.task = search->task,
                                     .heuristic = search->heuristic,
                                     .options = search->options,
                                     .operators = search->operators,
                                     .pruning = search->pruning,
                                     .limits.nodes = UINT64_MAX};
    walker->round = *walkers->round;
    walker->round.search = &walker->search;
    walker->round.counts_only = true;
    walker->round.ahead = is_scout ? walkers->ahead : NULL;
    walker->round.path = NULL;
    walker->round.contexts = NULL;
    if (!round_make_path(&walker->round, &search->arena, walkers->place.levels))
        return false;
    if (!is_scout) {
        walker->search.deadline = search->deadline;
        walker->search.cpu_deadline = search->cpu_deadline;
        walker->search.cpu_clock = search->cpu_clock;
        walker->search.limits.interrupted = ahead_interrupted(walkers->ahead, number);
        walker->round.subtrees =
            subtree_counter_start(&walker->search, &search->arena, walker->round.falls);
    }
    return is_scout || walkers->round->subtrees.kind == walker->round.subtrees.kind;
}

/* Starts the counters of layers of all threads. False if the budget does not allow them. */
static bool start_layers(struct walkers *walkers)
{
    struct arena *arena = &walkers->round->search->arena;
    unsigned started = 0;
    do {
        struct walker *walker = &walkers->walker[started];
        walker->layers =
            layers_start(&walker->search, arena, started > 0 ? &walkers->walker[0].layers : NULL);
    } while (walkers->walker[started].layers.form != NULL && ++started < walkers->threads);
    if (started == walkers->threads)
        return true;
    while (started > 0)
        layers_end(&walkers->walker[--started].layers, arena);
    return false;
}

/* From this round on subtrees are counted ahead, if the budget allows it. */
static void start_walking(struct walkers *walkers)
{
    static const struct ahead_hands hands = {scout, count_group};
    struct search *search = walkers->round->search;
    const unsigned number = walkers->threads + 1;
    bool fine;
    if (walkers->place.levels == 0)
        walkers->place.levels = walkers->round->threshold + DEEPER;
    walkers->walker = arena_take(&search->arena, number * sizeof *walkers->walker);
    fine = walkers->walker != NULL;
    if (fine)
        walkers->ahead = ahead_start(search, walkers->threads, &hands, walkers);
    fine = fine && walkers->ahead != NULL;
    for (unsigned i = 0; fine && i < number; i++)
        fine = walker_start(walkers, i);
    if (fine && walkers->layered)
        walkers->layered = start_layers(walkers);
    if (fine && (walkers->layered || walkers->threads > 1))
        return;
    ahead_end(walkers->ahead);
    walkers->ahead = NULL;
    walkers->wanted = false;
}

/* A walker reads entries that were made since it started, as the search does. Its old counter
 * serves where the budget does not allow that. */
static void read_falls(const struct walkers *walkers, struct round *round)
{
    struct arena *arena = &walkers->round->search->arena;
    const struct subtree_counter counter =
        subtree_counter_start(round->search, arena, walkers->round->falls);
    if (counter.kind == NULL)
        return;
    subtree_counter_end(&round->subtrees, arena);
    round->subtrees = counter;
    round->falls = walkers->round->falls;
}

void walkers_look_ahead(struct walkers *walkers, bool begins)
{
    struct round *round = walkers->round;
    round->ahead = NULL;
    if (walkers->ahead == NULL && walkers->wanted &&
        (begins ? round->search->statistics.generated >= walkers->from : walkers->place.levels > 0))
        start_walking(walkers);
    if (walkers->ahead == NULL || round->threshold >= walkers->place.levels)
        return;
    for (unsigned i = 0; i <= walkers->threads; i++) {
        struct round *other = &walkers->walker[i].round;
        if (i < walkers->threads && other->falls != round->falls)
            read_falls(walkers, other);
        other->enode = round->enode;
        other->threshold = round->threshold;
        other->above = UINT_MAX;
        other->cut = round->cut;
        other->cut.before = (struct statistics){0};
        other->cut.nodes = UINT64_MAX;
        other->search->statistics = (struct statistics){0};
    }
    /* The scout sets out from where the search is. */
    const struct round *scout = &walkers->walker[walkers->threads].round;
    memcpy(scout->path, round->path, round->enode.g * sizeof *round->path);
    if (round->contexts != NULL)
        memcpy(scout->contexts, round->contexts, (round->enode.g + 1) * sizeof *round->contexts);
    ahead_begin_round(walkers->ahead, begins ? NULL : &walkers->place.ahead);
    round->ahead = walkers->ahead;
    round->refused_g = UINT_MAX;
}

void walkers_note_place(struct walkers *walkers)
{
    walkers->place.ahead =
        walkers->round->ahead == NULL ? (struct ahead_place){0} : ahead_place(walkers->ahead);
}

struct walkers walkers_start(struct round *round, unsigned threads, bool table)
{
    const struct search *search = round->search;
    struct walkers walkers = {.round = round,
                              .threads = threads,
                              .layered = search->pruning == NULL && layers_fit(search->heuristic),
                              .from = AHEAD_FROM};
    if (walkers.layered && pdb_of(search->heuristic) != NULL)
        walkers.from = PDB_AHEAD_FROM;
    /* An observer sees node by node. */
    walkers.wanted = !table && search->observer == NULL && (threads > 1 || walkers.layered);
    return walkers;
}

void walkers_end(struct walkers *walkers)
{
    ahead_end(walkers->ahead);
}
