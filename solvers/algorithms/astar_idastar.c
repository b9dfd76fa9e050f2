/* A*+IDA* (Bu and Korf, "A*+IDA*: a simple hybrid search algorithm", IJCAI 2019).
 *
 * A* until it has spent its share of the memory; then rounds of IDA* below each node of its open
 * list, without recognising states. So it recognises the duplicates of as many states as there is
 * memory for, and solves what IDA* solves in any memory from a few kilobytes on.
 *
 * share: how many hundredths of the memory limit A* may hold. The nodes of the open list are taken
 * in its order in every round: by f, of equal f the deepest first.
 *
 * What is counted: the nodes of both; a node of the open list that IDA* expands counts in each
 * round. iterations: 1 if A* finds the solution; if not, the rounds of IDA*, the first of which
 * holds what A* counted. max_open is that of A*, open_at_end its open list. max_stored: the states
 * that A* stored, or the longest path if that is more. Where the memory ends the first part depends
 * on the memory limit, but on nothing else. */
#include "algorithms/partial_expansion.h"
#include "idastar/idastar.h"
#include "search/algorithm.h"
#include "search/store.h"
#include <limits.h>

DECLARE_ALGORITHM(astar_idastar);

enum { SHARE };

const struct option_row astar_idastar_options[] = {
    [SHARE] = {.name = "share",
               .help = "percent of the memory limit that A* may hold before IDA* goes on",
               .kind = OPTION_NUMBER,
               .fallback = 75,
               .min = 1,
               .max = 99},
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

void astar_idastar_run(struct search *search)
{
    const struct partial_expansion settings = {
        .cutoff = INT_MAX / 2, .share = (unsigned)search->options[SHARE], .go_on = go_on};
    partial_expansion(search, &settings);
}
