/* MM and MMe, the searches that meet in the middle (mm.c and mme.c have the sources). A live node
 * of a side, g moves from its root, has the priority max(f, 2 g + margin): at first it is worth as
 * much as in A*, but one that lies beyond the middle waits. The node of the smallest priority C is
 * expanded.
 *
 * The search ends when the best path found is no longer than max(C, minimum f forward, minimum f
 * backward, minimum g forward + minimum g backward + 1), 1 being the cost of a move: any other path
 * must leave both sides by live nodes. So heuristics need be admissible only.
 *
 * Here, where each move costs 1 and all paths between two boards are even, or all are odd, mme and
 * mm with low_g could end at their first meeting: it is a shortest path. For until such a path is
 * found, one is left by live nodes whose g sum to less than C*, so one of them has 2 g < C* and a
 * priority of C* at most, and so has all that is expanded. mme: no g expanded is above (C* - 1) /
 * 2, so no path found is above C* + 1. mm: one of C* + 2 needs nodes of g = C* / 2 expanded on both
 * sides; the live node of smaller g on one of them would have gone first. With high_g it does not,
 * and the first meeting can be too long. The bound says when the proof holds in general, as in the
 * paper, and all counters follow from it.
 *
 * ties: which of the nodes of priority C of a side goes first: low_g (default), that of the
 * smallest g, as in the pseudocode of MM, or high_g; of equal g the newest. side: which side goes
 * if C is the smallest priority of both: start (default), the start's, as in the pseudocode;
 * smaller, that with fewer live nodes (Pohl's cardinality rule), the start's if they are equal. */
#pragma once

#include "bidirectional/both_ends.h"
#include "search/algorithm.h"
#include "search/lists.h"

enum { MM_TIES, MM_SIDE };
enum { MM_LOW_G, MM_HIGH_G };
enum { MM_START, MM_SMALLER };

#define MM_OPTIONS                                                                                 \
    {                                                                                              \
        [MM_TIES] = {.name = "ties",                                                               \
                     .help = "which of two open nodes of equal priority goes first",               \
                     .kind = OPTION_CHOICE,                                                        \
                     .choices = {"low_g", "high_g"}},                                              \
        [MM_SIDE] = {.name = "side",                                                               \
                     .help = "whose node is expanded next where the smallest priorities are "      \
                             "equal: the start's, or that of the side with fewer live nodes",      \
                     .kind = OPTION_CHOICE,                                                        \
                     .choices = {"start", "smaller"}},                                             \
        {.kind = OPTION_END},                                                                      \
    }

struct mm {
    struct both_ends ends; /* the first field: the rules get this */
    struct tally f[SIDES], g[SIDES];
    unsigned margin;
};

static bool mm_enter(struct both_ends *ends, uint32_t id, unsigned behind)
{
    struct mm *mm = (struct mm *)ends;
    struct arena *arena = &ends->search->arena;
    const struct node *node = &ends->store.nodes[id];
    const unsigned f = node->g + node->h, late = 2 * node->g + mm->margin;
    (void)behind;
    return tally_add(arena, &mm->f[node->side], f) &&
           tally_add(arena, &mm->g[node->side], node->g) &&
           both_ends_push(ends, 0, id, f > late ? f : late, node->g);
}

static void mm_leave(struct both_ends *ends, uint32_t id)
{
    struct mm *mm = (struct mm *)ends;
    const struct node *node = &ends->store.nodes[id];
    tally_remove(&mm->f[node->side], node->g + node->h);
    tally_remove(&mm->g[node->side], node->g);
}

static unsigned mm_larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static uint32_t mm_next(struct both_ends *ends)
{
    struct mm *mm = (struct mm *)ends;
    const uint32_t first[SIDES] = {both_ends_first(ends, START, 0), both_ends_first(ends, GOAL, 0)};
    if (first[START] == NO_NODE || first[GOAL] == NO_NODE)
        return NO_NODE;
    const unsigned priority[SIDES] = {node_heap_cost(ends->open[START][0].entries[0]),
                                      node_heap_cost(ends->open[GOAL][0].entries[0])};
    const bool smaller = ends->search->options[MM_SIDE] == MM_SMALLER;
    const unsigned side = priority[START] != priority[GOAL]
                              ? priority[GOAL] < priority[START]
                              : smaller && ends->live[GOAL] < ends->live[START];
    const unsigned f = mm_larger(tally_min(&mm->f[START]), tally_min(&mm->f[GOAL]));
    const unsigned g = tally_min(&mm->g[START]) + tally_min(&mm->g[GOAL]) + 1;
    if (ends->best <= mm_larger(priority[side], mm_larger(f, g)))
        return NO_NODE;
    return first[side];
}

/* Where moves cost different amounts the margin of mme and the last summand of the bound are the
 * cost of the cheapest move. */
enum { MM_BY_PRIORITY, MM_BY_F, MM_BY_G };

struct mm_by_costs {
    struct lists lists;
    uint64_t margin;
};

static uint64_t mm_priority(const struct lists *lists, uint32_t id)
{
    const uint64_t f = lists_f(lists, id);
    const uint64_t late = 2 * lists->labels[id].g + ((const struct mm_by_costs *)lists)->margin;
    return f > late ? f : late;
}

static bool mm_by_priority(const struct lists *lists, uint32_t a, uint32_t b)
{
    const uint64_t of_a = mm_priority(lists, a);
    const uint64_t of_b = mm_priority(lists, b);
    return of_a != of_b ? of_a < of_b : lists_tie(lists, a, b);
}

static uint32_t mm_choose(struct lists *lists)
{
    const uint32_t first[SIDES] = {lists_first(lists, MM_BY_PRIORITY, START),
                                   lists_first(lists, MM_BY_PRIORITY, GOAL)};
    if (first[START] == NO_NODE || first[GOAL] == NO_NODE)
        return NO_NODE;
    const uint64_t priority[SIDES] = {mm_priority(lists, first[START]),
                                      mm_priority(lists, first[GOAL])};
    const bool smaller = lists->search->options[MM_SIDE] == MM_SMALLER;
    const unsigned side = priority[START] != priority[GOAL]
                              ? priority[GOAL] < priority[START]
                              : smaller && lists->live[GOAL] < lists->live[START];
    uint64_t bound = priority[side];
    uint64_t g = least_move_cost(lists->search);
    for (unsigned of = START; of < SIDES; of++) {
        raise_to(&bound, lists_f(lists, lists_first(lists, MM_BY_F, of)));
        g += lists->labels[lists_first(lists, MM_BY_G, of)].g;
    }
    return lists->best <= (g > bound ? g : bound) ? NO_NODE : first[side];
}

static void mm_search_by_costs(struct search *search, uint64_t margin)
{
    struct mm_by_costs mm = {.margin = margin};
    lists_order *const orders[] = {
        [MM_BY_PRIORITY] = mm_by_priority, [MM_BY_F] = lists_by_f, [MM_BY_G] = lists_by_g};
    lists_start_both(&mm.lists, search, MM_BY_G + 1, orders);
    mm.lists.settings.ties = search->options[MM_TIES] == MM_HIGH_G ? TIES_HIGH_G : TIES_LOW_G;
    lists_run(&mm.lists, mm_choose);
}

/* `margin`: 1 for the cost of the cheapest move, or 0. */
KERNEL void mm_with_margin(struct search *search, enum packing packing, unsigned margin)
{
    if (search->costs != NULL) {
        mm_search_by_costs(search, margin * least_move_cost(search));
        return;
    }
    static const struct both_ends_rules rules = {
        .enter = mm_enter, .leave = mm_leave, .next = mm_next};
    const enum ties ties[BOTH_ENDS_LISTS] = {search->options[MM_TIES] == MM_HIGH_G ? TIES_HIGH_G
                                                                                   : TIES_LOW_G};
    struct mm mm = {.margin = margin};
    both_ends_start(&mm.ends, search, ties);
    both_ends_search(&mm.ends, packing, &rules);
    for (unsigned side = START; side < SIDES; side++) {
        arena_release(&search->arena, mm.f[side].count);
        arena_release(&search->arena, mm.g[side].count);
    }
    both_ends_end(&mm.ends);
}
