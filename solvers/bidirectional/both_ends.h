/* Best-first search from both ends, front to end: from the start, guided by estimates of the
 * distance to the goal, and from the goal, guided by estimates of the distance to the start. mm,
 * nbs and the others are this loop with rules of their own: which live node goes next, and when no
 * path shorter than the best one found can be left.
 *
 * Each side has nodes of its own in one store, and a state is stored at most once for each side. As
 * in algorithms/best_first.h a node is a path: a shorter path to a state is a new node that takes
 * the place of the old one, and reopens the state if it was closed. So heuristics need not be
 * consistent for the search to be right; some rules ask for more.
 *
 * Whenever a node is kept whose state the other side holds too, open or closed, the two paths make
 * one from the start to the goal. The shortest of these is `best`. The rules end the search when
 * they know that no path is shorter, hence at the latest when it is proven.
 *
 * Counters are sums over both sides. Both roots are generated, and so counted, unless the start is
 * the goal. */
#pragma once

#include "search/store.h"

enum { BOTH_ENDS_LISTS = 2 };

#define NO_LENGTH UINT32_MAX

/* The option epsilon of those whose rules look at pairs of nodes, one of each side. */
#define PAIR_EPSILON                                                                               \
    {                                                                                              \
        .name = "epsilon", .kind = OPTION_NUMBER, .fallback = 1, .max = 1,                         \
        .help = "what a pair's bound adds to g + g: the cost of the cheapest move, 1, or 0",       \
    }

struct both_ends {
    struct search *search;
    const struct heuristic *heuristic[SIDES]; /* what guides each side */
    struct store store;                       /* the nodes of both sides */
    struct node_heap open[SIDES]
                         [BOTH_ENDS_LISTS]; /* for the rules: may hold nodes that are closed */
    uint64_t live[SIDES];
    uint32_t best;          /* the length of the shortest path found; NO_LENGTH before the first */
    uint32_t joined[SIDES]; /* the nodes of each side that it is made of */
};

/* What makes an algorithm of it. */
struct both_ends_rules {
    /* Puts a node that has become live on the lists. False when memory is spent.
     * `behind` is the estimate of its distance from its own root, by the other side's heuristic, or
     * 0 unless the rules look behind. */
    bool (*enter)(struct both_ends *ends, uint32_t id, unsigned behind);
    /* A node is no longer live: it is being expanded, or a shorter path replaces it. May be NULL.
     */
    void (*leave)(struct both_ends *ends, uint32_t id);
    /* The live node that is expanded next. NO_NODE if the best path is a shortest one, if one side
     * has no live node left, or, search->status then says so, if memory is spent. */
    uint32_t (*next)(struct both_ends *ends);
    bool looks_behind;
    /* A child of f no less than the length of the best path is not kept. */
    bool screens;
};

/* How many live nodes have each value of something small, such as g or f; gives the minimum. */
struct tally {
    uint64_t *count; /* in the arena, by value */
    unsigned values;
    unsigned minimum; /* no smaller value has a node */
};

/* False when memory is spent. */
bool tally_add(struct arena *arena, struct tally *tally, unsigned value);
void tally_remove(struct tally *tally, unsigned value);

/* The minimum value; UINT_MAX if there is none. */
unsigned tally_min(struct tally *tally);

/* Starts a search whose open lists break ties in these ways. */
void both_ends_start(struct both_ends *ends, struct search *search,
                     const enum ties ties[BOTH_ENDS_LISTS]);

/* Gives back what the search took from the arena. */
void both_ends_end(struct both_ends *ends);

/* The first live node of a list of a side; NO_NODE if it has none. */
uint32_t both_ends_first(struct both_ends *ends, unsigned side, unsigned list);

/* The f of the first live node of a list of a side; UINT_MAX if it has none. */
unsigned both_ends_first_f(struct both_ends *ends, unsigned side, unsigned list);

/* Puts a node on a list of its side. False when memory is spent; the search has then ended. */
bool both_ends_push(struct both_ends *ends, unsigned list, uint32_t id, unsigned cost,
                    unsigned tie);

/* The node of the other side that has the same state; NO_NODE if there is none. */
uint32_t both_ends_twin(const struct both_ends *ends, uint32_t id);

/* A live node will not be expanded, for this reason: FATE_MEETS, or FATE_BOUNDED, as its f is not
 * below the length of the best path. */
void both_ends_drop(struct both_ends *ends, const struct both_ends_rules *rules, uint32_t id,
                    enum fate fate);

/* What only the loop below calls. */
bool both_ends_keep(struct both_ends *ends, const struct both_ends_rules *rules, uint32_t id,
                    uint32_t other, unsigned behind);
void both_ends_close(struct both_ends *ends, const struct both_ends_rules *rules, uint32_t id);
void both_ends_solution(const struct both_ends *ends);
SELDOM void both_ends_show_child(struct both_ends *ends, const struct both_ends_rules *rules,
                                 struct enode *enode, struct successor successor,
                                 const uint32_t found[SIDES], unsigned side);
SELDOM void both_ends_show_live(struct both_ends *ends, uint32_t next);

/* Generates the root of a side. False when the search is over. */
KERNEL bool both_ends_root(struct both_ends *ends, enum packing packing,
                           const struct both_ends_rules *rules, unsigned side)
{
    struct search *search = ends->search;
    const struct board *board = side == START ? &search->task->start : &search->task->goal;
    const struct heuristic *guide = ends->heuristic[side], *back = ends->heuristic[!side];
    const union packed state = pack(packing, board);
    uint32_t found[SIDES] = {NO_NODE, NO_NODE};
    if (!search_generates(search))
        return false;
    search->sides[side].generated++;
    const struct node node = {.parent = NO_NODE,
                              .h = (uint16_t)guide->kind->evaluate(guide, board),
                              .blank = board->blank,
                              .move = MOVE_NONE,
                              .side = side & 1};
    view_root(search, board, node.h, side);
    if (side == GOAL)
        store_look_sides(&ends->store, packing, state, side, found);
    const uint32_t id = store_add(&ends->store, packing, state, node);
    search->status = STATUS_memory_limit;
    return id != NO_NODE && store_enter(&ends->store, packing, id) &&
           both_ends_keep(ends, rules, id, found[!side],
                          rules->looks_behind ? back->kind->evaluate(back, board) : 0);
}

/* Makes a live node of a successor whose state is new to the side or was reached by a longer path.
 * `behind`: of the E-node. False when memory is spent. */
KERNEL bool both_ends_relax(struct both_ends *ends, enum packing packing,
                            const struct both_ends_rules *rules, uint32_t parent,
                            struct enode *enode, unsigned behind, const struct successor *successor)
{
    struct statistics *statistics = &ends->search->statistics;
    struct store *store = &ends->store;
    const unsigned side = store->nodes[parent].side;
    struct node node = {.parent = parent,
                        .g = enode->g + 1,
                        .blank = (uint8_t)successor->from,
                        .move = (uint8_t)(successor->move & 15),
                        .side = side & 1};
    uint32_t found[SIDES];
    const struct place place = store_look_sides(store, packing, successor->state, side, found);
    const uint32_t known = place.id;
    if (viewed(ends->search))
        both_ends_show_child(ends, rules, enode, *successor, found, side);
    if (known != NO_NODE && store->nodes[known].g <= node.g) {
        statistics->duplicates++;
        return true;
    }
    node.h = known != NO_NODE
                 ? store->nodes[known].h
                 : (uint16_t)successor_value(ends->heuristic[side], enode, enode->h, successor);
    if (rules->screens && node.g + node.h >= ends->best)
        return true;
    if (known != NO_NODE) {
        if (store->nodes[known].closed)
            statistics->reopened++;
        else
            both_ends_close(ends, rules, known);
    }
    const uint32_t id = store_add(store, packing, successor->state, node);
    if (id == NO_NODE || !store_put(store, packing, id, place))
        return false;
    return both_ends_keep(ends, rules, id, found[!side],
                          rules->looks_behind
                              ? successor_value(ends->heuristic[!side], enode, behind, successor)
                              : 0);
}

/* Expands a live node. False when the search is over. */
KERNEL bool both_ends_expand(struct both_ends *ends, enum packing packing,
                             const struct both_ends_rules *rules, uint32_t id, struct enode *enode)
{
    struct search *search = ends->search;
    const unsigned side = ends->store.nodes[id].side;
    both_ends_close(ends, rules, id);
    store_unpack(&ends->store, packing, id, true, enode);
    enode->side = side & 1;
    if (!search_expands(search, enode))
        return false;
    search->sides[side].expanded++;
    const struct heuristic *back = ends->heuristic[!side];
    const unsigned behind = rules->looks_behind ? back->kind->evaluate(back, &enode->board) : 0;
    const struct exits *exits = enode_exits(search, enode);
    for (unsigned i = 0; i < exits->count; i++) {
        const struct successor successor = successor_by(packing, enode, exits->exit[i]);
        if (!search_generates(search))
            return false;
        search->sides[side].generated++;
        if (!both_ends_relax(ends, packing, rules, id, enode, behind, &successor)) {
            search->status = STATUS_memory_limit;
            return false;
        }
    }
    return true;
}

KERNEL void both_ends_search(struct both_ends *ends, enum packing packing,
                             const struct both_ends_rules *rules)
{
    struct search *search = ends->search;
    struct enode enode = {.board = search->task->start};
    if (!both_ends_root(ends, packing, rules, START))
        return;
    if (board_equal(&search->task->start, &search->task->goal)) {
        search_solved(search, 0);
        return;
    }
    if (!both_ends_root(ends, packing, rules, GOAL))
        return;
    search->status = STATUS_exhausted;
    for (uint32_t id = rules->next(ends); id != NO_NODE;) {
        if (!both_ends_expand(ends, packing, rules, id, &enode))
            return;
        id = rules->next(ends);
        if (viewed(search))
            both_ends_show_live(ends, id);
    }
    if (search->status == STATUS_exhausted && ends->best != NO_LENGTH)
        both_ends_solution(ends);
}
