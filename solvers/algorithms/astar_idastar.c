/* A*+IDA* (Bu and Korf, "A*+IDA*: a simple hybrid search algorithm", IJCAI 2019).
 *
 * A* until it has spent its share of the memory; then rounds of IDA* below each node of its open
 * list, without recognising states. So it recognises the duplicates of as many states as there is
 * memory for, and solves what IDA* solves in any memory from a few kilobytes on.
 *
 * share: how many hundredths of the memory limit A* may hold. The nodes of the open list are taken
 * in its order in every round: by f, of equal f the deepest first.
 *
 * prune: of the sequences of moves from a node of the open list to one board only the first is
 * searched (idastar/pruning.h). None begins with the node's last move: that is of one path to it,
 * which need not be the first.
 *
 * What is counted: the nodes of both; a node of the open list that IDA* expands counts in each
 * round. iterations: 1 if A* finds the solution; if not, the rounds of IDA*, the first of which
 * holds what A* counted. max_open is that of A*, open_at_end its open list. max_stored: the states
 * that A* stored, or the longest path if that is more. Where the memory ends the first part depends
 * on the memory limit and on the form of A*, but on nothing else: with enough memory, and unless an
 * observer looks on, that is a compact one (astar/compact.h).
 *
 * A search whose limits have a checkpoint goes on after a kill (idastar/resume.h): A* is repeated,
 * and IDA* goes on where it was.
 *
 * Where moves cost different amounts A* is search/lists.h and a round of IDA* idastar/cost_round.h.
 * The node whose expansion A* could not finish is on its open list again. */
#include "algorithms/partial_expansion.h"
#include "astar/compact.h"
#include "idastar/cost_round.h"
#include "idastar/idastar.h"
#include "search/algorithm.h"
#include "search/lists.h"
#include <limits.h>

DECLARE_ALGORITHM(astar_idastar);

enum { SHARE, PRUNE };

const struct option_row astar_idastar_options[] = {
    [SHARE] = {NUMBER_OPTION(
        "share", "percent of the memory limit that A* may hold before IDA* goes on", 75, 1, 99)},
    [PRUNE] = PRUNE_OPTION,
    {.kind = OPTION_END},
};

/* What A* leaves. */
struct live_nodes {
    const struct store *nodes;
    const uint64_t *entries; /* of the open list, the last one first */
    uint64_t count;
    const struct node_heap *open;
    uint32_t id; /* of the node that was asked for last */
};

static bool live_node(void *context, uint64_t number, struct enode *enode)
{
    struct live_nodes *live = context;
    const uint32_t id = node_heap_id(live->open, live->entries[live->count - 1 - number]);
    const struct node *node = &live->nodes->nodes[id];
    if (node->closed) /* replaced by a shorter path */
        return false;
    live->id = id;
    store_unpack(live->nodes, packing_of(enode->board.shape), id, true, enode);
    return true;
}

/* The part of IDA*. The open list is taken apart; each entry waits in the place that became free at
 * the heap's end. */
static void go_on(struct search *search, const struct store *nodes, struct node_heap *open)
{
    struct live_nodes live = {
        .nodes = nodes, .entries = open->entries, .count = open->count, .open = open};
    while (open->count > 0) {
        const uint64_t entry = node_heap_pop(open, false);
        open->entries[open->count] = entry;
    }
    idastar_below(search, &(struct idastar_roots){live.count, live_node, &live});
    if (search->status != STATUS_solved)
        return;
    uint32_t id = live.id;
    for (size_t g = nodes->nodes[id].g; g > 0; g--) {
        search->moves[g - 1] = move_letters[nodes->nodes[id].move];
        id = nodes->nodes[id].parent;
    }
}

struct by_costs {
    struct lists lists;
    uint32_t taken; /* the node that was expanded last */
};

static uint32_t choose(struct lists *lists)
{
    return ((struct by_costs *)lists)->taken = list_first(&lists->of[BY_F]);
}

/* Walks the round below a node of A*. */
static enum cost_outcome walk_below(struct cost_round *round, const struct lists *lists,
                                    uint32_t id)
{
    const struct node *nodes = lists->store.nodes;
    const struct label *label = &lists->labels[id];
    unsigned depth = 0;
    for (uint32_t at = id; nodes[at].parent != NO_NODE; at = nodes[at].parent)
        depth++;
    if (!cost_round_reserve(round, depth))
        return COST_ROUND_OVER;
    store_unpack(&lists->store, lists->packing, id, true, &round->enode);
    round->enode.g = depth;
    for (uint32_t at = id; nodes[at].parent != NO_NODE; at = nodes[at].parent)
        round->path[depth--].undo = (uint8_t)node_undo(&nodes[at]);
    return cost_round_below(
        round,
        (struct cost_visit){.g = label->g, .h = label->h, .undo = (uint8_t)round->enode.undo},
        round->limit, UINT64_MAX);
}

/* The part of IDA*, on the open list from its last node to its first. */
static void walk_rounds(struct cost_round *round, const struct lists *lists,
                        const uint32_t *entries, uint32_t count)
{
    struct search *search = round->search;
    uint64_t limit = lists_f(lists, entries[count - 1]);
    search->statistics.iterations = 0;
    for (; limit != NO_COST; limit = round->above) {
        if (!cost_round_begin(round, "frontier", limit))
            return;
        for (uint32_t i = count; i-- > 0;) {
            const uint64_t f = lists_f(lists, entries[i]);
            if (f > limit) { /* as are all that follow */
                round->above = f < round->above ? f : round->above;
                break;
            }
            if (walk_below(round, lists, entries[i]) != COST_ROUND_WHOLE || search->moves != NULL)
                return;
        }
    }
    search->status = STATUS_exhausted;
}

static void go_on_by_costs(struct lists *lists)
{
    struct search *search = lists->search;
    struct open_list *list = &lists->of[BY_F];
    struct cost_round round = {
        .search = search, .best = NO_COST, .enode.board = search->task->start};
    search->arena.budget = lists->budget;
    if (!lists_put(lists, list, ((struct by_costs *)lists)->taken))
        return;
    const uint32_t count = list->count;
    while (list->count > 0) {
        const uint32_t id = list_first(list);
        lists_remove(lists, list, id);
        list->entries[list->count] = id;
    }
    walk_rounds(&round, lists, list->entries, count);
    cost_round_end(&round);
}

static void search_by_costs(struct search *search)
{
    struct by_costs by;
    lists_start(&by.lists, search, 1, (lists_order *const[]){lists_by_f});
    by.lists.spent = go_on_by_costs;
    by.lists.budget = search->arena.budget;
    search->arena.budget = partial_expansion_share(search, (unsigned)search->options[SHARE]);
    lists_run(&by.lists, choose);
    search->arena.budget = by.lists.budget;
}

static void go_on_below(struct search *search, const struct compact_live *live)
{
    idastar_below(search, &(struct idastar_roots){live->count, live->node, live->context});
    if (search->status == STATUS_solved)
        live->path(live->context, search->moves);
}

/* The same with a compact A*. False, and nothing is done, where that is not to be had. */
static bool search_compactly(struct search *search)
{
    enum { ENOUGH = 1 << 20 }; /* bytes: with fewer, the plain form makes better use of them */
    const uint64_t budget = search->arena.budget;
    const uint64_t share = partial_expansion_share(search, (unsigned)search->options[SHARE]);
    const struct compact_pace pace = {.lines = 256, .go_on = go_on_below, .budget = budget};
    bool decided = false;
    if (share < ENOUGH || search->observer != NULL)
        return false;
    for (enum compact_form form = COMPACT_CONSISTENT; form <= COMPACT_REOPENING && !decided;
         form++) {
        search->arena.budget = share;
        decided = compact_fits(search, form) && compact_run(search, form, &pace);
        search->arena.budget = budget;
    }
    return decided;
}

void astar_idastar_run(struct search *search)
{
    struct pruning pruning;
    if (search->costs != NULL) {
        search_by_costs(search);
        return;
    }
    if (!pruning_start(&pruning, search, search->options[PRUNE]) || search_compactly(search))
        return;
    const struct partial_expansion settings = {
        .cutoff = INT_MAX / 2, .share = (unsigned)search->options[SHARE], .go_on = go_on};
    partial_expansion(search, &settings);
}
