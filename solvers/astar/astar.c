/* A* (Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost
 * paths", IEEE Transactions on Systems Science and Cybernetics 4, 1968).
 *
 * The open list holds the live nodes, the smallest f = g + h first. A node taken from it becomes
 * closed and is expanded. Each state is stored once, open or closed: a shorter path to it makes a
 * new node that takes the place of the old one, and reopens the state if it was closed. So
 * heuristics need not be consistent. The goal test is made when a node is taken from the open list.
 *
 * ties: which of two live nodes of equal f goes first. high_g (default) takes the one of larger g,
 * and of equal g the newer one. depth_limit: nodes of that depth are not expanded.
 *
 * Where moves cost different amounts the loop is search/lists.h, and depth_limit counts
 * moves.
 *
 * On boards of up to 25 cells and with the default options the same search is made in less memory
 * and time, unless an observer wants to see it all (astar/compact.h). */
#include "astar/compact.h"
#include "search/algorithm.h"
#include "search/lists.h"

DECLARE_ALGORITHM(astar);

enum { DEPTH_LIMIT, TIES, THREADS };

const struct option_row astar_options[] = {
    [DEPTH_LIMIT] = DEPTH_LIMIT_OPTION("nodes of this depth are not expanded", 1000000),
    [TIES] = {CHOICE_OPTION("ties", "which of two open nodes of equal f goes first", "high_g",
                            "low_g", "fifo", "lifo"),
              .fallback = TIES_HIGH_G},
    [THREADS] = {NUMBER_OPTION("threads",
                               "how many threads search one board; with two and more counters are "
                               "their own, the same for every number",
                               1, 1, 16),
                 .spreads = true, .unpriced = 1},
    {.kind = OPTION_END},
};

/* What becomes of a child, and what a node costs; ties are an option. */
static const struct best_first a_star = {.counts_g = true, .duplicates = DUPLICATES_STORED};

KERNEL void astar_loop(struct expansion *expansion, enum packing packing, bool is_viewed)
{
    struct search *search = expansion->search;
    struct store *nodes = &expansion->store;
    const int64_t option = search->options[DEPTH_LIMIT];
    const uint32_t depth_limit = option == OPTION_UNSET ? UINT32_MAX : (uint32_t)option;
    const union packed goal = pack(packing, &search->task->goal);
    uint32_t id;
    if (!expansion_root(expansion))
        return;
    search->status = STATUS_exhausted;
    while (expansion_take(expansion, &a_star, &id)) {
        if (packed_equal(packing, store_state(nodes, packing, id), goal)) {
            store_solution(nodes, id, search);
            return;
        }
        if (nodes->nodes[id].g >= depth_limit) {
            nodes->nodes[id].closed = 1;
            store_drop(nodes, id, search, FATE_DEPTH, depth_limit);
        } else if (!expand_node(expansion, search, packing, &a_star, is_viewed, id, goal)) {
            return;
        }
    }
}

/* The loop for an observer: one for all, as it need not be fast. */
static SELDOM void loop_viewed(struct expansion *expansion)
{
    astar_loop(expansion, packing_of(expansion->search->task->start.shape), true);
}

KERNEL void astar_search(struct search *search, enum packing packing)
{
    struct best_first settings = a_star;
    struct expansion expansion;
    settings.ties = (enum ties)search->options[TIES];
    if (search->costs != NULL) {
        const int64_t limit = search->options[DEPTH_LIMIT];
        lists_best_first(search, &settings, limit == OPTION_UNSET ? UINT64_MAX : (uint64_t)limit);
        return;
    }
    const bool defaults =
        search->options[TIES] == TIES_HIGH_G && search->options[DEPTH_LIMIT] == OPTION_UNSET;
    if (packing != PACK_BYTES && defaults && !viewed(search)) {
        const unsigned threads = (unsigned)search->options[THREADS];
        const struct compact_pace pace = {.lines = threads > 1 ? 16 : 256, /* of each closed list */
                                          .threads = threads};
        for (enum compact_form form = 0; form < COMPACT_FORMS; form++)
            if ((form >= COMPACT_DISTRIBUTED) == (threads > 1) && compact_fits(search, form) &&
                compact_run(search, form, &pace))
                return;
    }
    expansion_start(&expansion, search, &settings);
    if (viewed(search))
        loop_viewed(&expansion);
    else
        astar_loop(&expansion, packing, false);
    expansion_end(&expansion);
}

STAMP_ALGORITHM(astar)
