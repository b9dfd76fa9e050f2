/* BS* (Kwa, "BS*: an admissible bidirectional staged heuristic search algorithm", Artificial
 * Intelligence 38, 1989): A* from both ends, with four ways of doing less once the sides have met,
 * which need a consistent heuristic.
 *
 * The side with fewer live nodes goes next, the start's if they are equal, and takes its node of
 * the minimum f = g + h.
 *   - Nipping: if the other side has closed the node's state, the node is not expanded. Both paths
 *     to it are shortest, so none through it is shorter than the best path found.
 *   - Pruning: nor are the other side's nodes whose paths lead through that state.
 *   - Trimming: nor is a live node of f no less than the length of the best path.
 *   - Screening: nor does such a node become live.
 * The search ends when one side has no live node of f below the best path's length.
 *
 * What nipping, pruning and trimming take away is taken when it comes first on its side's list;
 * until then it counts as live, also in the choice of the side. (The paper removes it at once.)
 *
 * Of equal f, the node of the largest g goes first, and of these the newest. */
#include "bidirectional/both_ends.h"
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(bsstar);

const struct option_row bsstar_options[] = NO_OPTIONS;

/* What `closed` is at a node whose state the other side has nipped. */
enum { NIPPED = 2 };

static bool enter(struct both_ends *ends, uint32_t id, unsigned behind)
{
    const struct node *node = &ends->store.nodes[id];
    (void)behind;
    return both_ends_push(ends, 0, id, node->g + node->h, node->g);
}

/* Whether the path to a node leads through a state that the other side has nipped. */
static bool is_pruned(const struct node *nodes, uint32_t id)
{
    for (id = nodes[id].parent; id != NO_NODE; id = nodes[id].parent)
        if (nodes[id].closed == NIPPED)
            return true;
    return false;
}

static uint32_t next(struct both_ends *ends);

static const struct both_ends_rules rules = {.enter = enter, .next = next, .screens = true};

static uint32_t next(struct both_ends *ends)
{
    struct node *nodes = ends->store.nodes;
    for (;;) {
        const uint32_t first[SIDES] = {both_ends_first(ends, START, 0),
                                       both_ends_first(ends, GOAL, 0)};
        for (unsigned side = START; side < SIDES; side++)
            if (first[side] == NO_NODE || nodes[first[side]].g + nodes[first[side]].h >= ends->best)
                return NO_NODE;
        const uint32_t id = first[ends->live[GOAL] < ends->live[START]];
        const uint32_t twin = both_ends_twin(ends, id);
        const bool nipped = twin != NO_NODE && nodes[twin].closed;
        if (!nipped && !is_pruned(nodes, id))
            return id;
        if (nipped)
            nodes[twin].closed = NIPPED;
        both_ends_drop(ends, &rules, id, FATE_MEETS);
    }
}

/* The same where moves cost different amounts. */
static uint32_t choose(struct lists *lists)
{
    for (;;) {
        struct node *nodes = lists->store.nodes;
        const uint32_t first[SIDES] = {lists_first(lists, BY_F, START),
                                       lists_first(lists, BY_F, GOAL)};
        for (unsigned side = START; side < SIDES; side++)
            if (first[side] == NO_NODE || lists_f(lists, first[side]) >= lists->best)
                return NO_NODE;
        const uint32_t id = first[lists->live[GOAL] < lists->live[START]];
        const uint32_t twin = lists_twin(lists, id);
        const bool nipped = twin != NO_NODE && nodes[twin].closed;
        if (!nipped && !is_pruned(nodes, id))
            return id;
        if (nipped)
            nodes[twin].closed = NIPPED;
        lists_drop(lists, id, FATE_MEETS);
    }
}

static void search_by_costs(struct search *search)
{
    struct lists lists;
    lists_start_both(&lists, search, 1, (lists_order *const[]){lists_by_f});
    lists.screens = true;
    lists_run(&lists, choose);
}

KERNEL void bsstar_search(struct search *search, enum packing packing)
{
    if (search->costs != NULL) {
        search_by_costs(search);
        return;
    }
    static const enum ties ties[BOTH_ENDS_LISTS] = {TIES_HIGH_G, TIES_HIGH_G};
    struct both_ends ends;
    both_ends_start(&ends, search, ties);
    both_ends_search(&ends, packing, &rules);
    both_ends_end(&ends);
}

STAMP_ALGORITHM(bsstar)
