/* BAE* (Sadhukhan, "Bidirectional heuristic search based on error estimate", CSI Journal of
 * Computing 2, 2013; the same search was found again as DIBBS: Sewell and Jacobson, "Dynamically
 * improved bounds bidirectional search", Artificial Intelligence 291, 2021).
 *
 * At a node n of the start's side, g(n) - h'(n) is by how much the other side's heuristic h'
 * underestimates the way back to the start. If heuristics are consistent, whatever lies behind n as
 * seen from the goal is underestimated by as much: so a path that leaves the start's side by u and
 * the goal's by v is at least as long as (b(u) + b(v)) / 2, with b = f + g - h' = 2 g + h - h'.
 * Each side expands the node of its minimum b, until the best path found is no longer than half the
 * sum of the two minimum b, rounded up.
 *
 * Nodes of f no less than the best path are not kept, or not expanded if they were, nor are those
 * whose state the other side has closed, as in BS*: no path through them is shorter than the best.
 *
 * With consistent heuristics no state is expanded with a g that is too large. Without, solutions
 * may be too long.
 *
 * side: whose node is next. alternate (default): in turn, the start's first; smaller: that of the
 * side with fewer live nodes, the start's if they are equal. bounds: when the search may end. b
 * (default): as above; all: also when another bound of Alcazar, Riddle and Barley ("A unifying view
 * on individual bounds and heuristic inaccuracies in bidirectional search", AAAI 2020) says so:
 * minimum f of a side + minimum g - h' of the other (Kaindl and Kainz 1997), or minimum g + minimum
 * g + 1.
 *
 * Of equal b, the node of the largest g goes first, and of these the newest. */
#include "bidirectional/bae_costs.h"
#include "bidirectional/both_ends.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(bae);

enum { SIDE, BOUNDS };
enum { ALTERNATE, SMALLER };
enum { BOUND_B, BOUND_ALL };

const struct option_row bae_options[] = {
    [SIDE] = {CHOICE_OPTION(
        "side",
        "whose node is expanded next: each in turn, or that of the side with fewer live nodes",
        "alternate", "smaller")},
    [BOUNDS] = {CHOICE_OPTION("bounds", "which bounds may end the search: that of b alone, or all",
                              "b", "all")},
    {.kind = OPTION_END},
};

struct bae {
    struct both_ends ends; /* the first field: the rules get this */
    uint16_t *behind;      /* in the arena, by node: h' */
    uint32_t capacity;
    struct tally f[SIDES], g[SIDES], error[SIDES];
    unsigned last; /* whose node was expanded last */
};

/* g - h'. Less than 0 only with heuristics that overestimate, for which nothing is promised. */
static unsigned error_of(const struct bae *bae, uint32_t id)
{
    const struct node *node = &bae->ends.store.nodes[id];
    return node->g > bae->behind[id] ? node->g - bae->behind[id] : 0;
}

static bool enter(struct both_ends *ends, uint32_t id, unsigned behind)
{
    struct bae *bae = (struct bae *)ends;
    struct arena *arena = &ends->search->arena;
    const struct node *node = &ends->store.nodes[id];
    const unsigned f = node->g + node->h;
    if (bae->capacity < ends->store.capacity) {
        const uint32_t capacity = ends->store.capacity;
        uint16_t *resized = arena_resize(arena, bae->behind, capacity * sizeof *resized);
        if (resized == NULL)
            return false;
        bae->behind = resized;
        bae->capacity = capacity;
    }
    bae->behind[id] = (uint16_t)behind;
    return tally_add(arena, &bae->f[node->side], f) &&
           tally_add(arena, &bae->g[node->side], node->g) &&
           tally_add(arena, &bae->error[node->side], error_of(bae, id)) &&
           both_ends_push(ends, 0, id, f + error_of(bae, id), node->g);
}

static void leave(struct both_ends *ends, uint32_t id)
{
    struct bae *bae = (struct bae *)ends;
    const struct node *node = &ends->store.nodes[id];
    tally_remove(&bae->f[node->side], node->g + node->h);
    tally_remove(&bae->g[node->side], node->g);
    tally_remove(&bae->error[node->side], error_of(bae, id));
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* No path that has not been found is shorter. Both sides have live nodes. */
static unsigned lower_bound(struct bae *bae)
{
    struct both_ends *ends = &bae->ends;
    const unsigned b = node_heap_cost(ends->open[START][0].entries[0]) +
                       node_heap_cost(ends->open[GOAL][0].entries[0]);
    unsigned bound = (b + 1) / 2;
    if (ends->search->options[BOUNDS] == BOUND_ALL) {
        for (unsigned side = START; side < SIDES; side++)
            bound = larger(bound, tally_min(&bae->f[side]) + tally_min(&bae->error[!side]));
        bound = larger(bound, tally_min(&bae->g[START]) + tally_min(&bae->g[GOAL]) + 1);
    }
    return bound;
}

static uint32_t next(struct both_ends *ends);

static const struct both_ends_rules rules = {
    .enter = enter, .leave = leave, .next = next, .looks_behind = true, .screens = true};

static uint32_t next(struct both_ends *ends)
{
    struct bae *bae = (struct bae *)ends;
    const bool smaller = ends->search->options[SIDE] == SMALLER;
    for (;;) {
        const uint32_t first[SIDES] = {both_ends_first(ends, START, 0),
                                       both_ends_first(ends, GOAL, 0)};
        if (first[START] == NO_NODE || first[GOAL] == NO_NODE || ends->best <= lower_bound(bae))
            return NO_NODE;
        const unsigned side = smaller ? ends->live[GOAL] < ends->live[START] : !bae->last;
        const uint32_t id = first[side];
        const struct node *nodes = ends->store.nodes;
        const uint32_t twin = both_ends_twin(ends, id);
        if (nodes[id].g + nodes[id].h >= ends->best) {
            both_ends_drop(ends, &rules, id, FATE_BOUNDED);
        } else if (twin != NO_NODE && nodes[twin].closed) {
            both_ends_drop(ends, &rules, id, FATE_MEETS);
        } else {
            bae->last = side;
            return id;
        }
    }
}

KERNEL void bae_search(struct search *search, enum packing packing)
{
    if (search->costs != NULL) {
        bae_by_costs(search, search->options[SIDE] == SMALLER,
                     search->options[BOUNDS] == BOUND_ALL);
        return;
    }
    static const enum ties ties[BOTH_ENDS_LISTS] = {TIES_HIGH_G, TIES_HIGH_G};
    struct bae bae = {.last = GOAL};
    both_ends_start(&bae.ends, search, ties);
    both_ends_search(&bae.ends, packing, &rules);
    arena_release(&search->arena, bae.behind);
    for (unsigned side = START; side < SIDES; side++) {
        arena_release(&search->arena, bae.f[side].count);
        arena_release(&search->arena, bae.g[side].count);
        arena_release(&search->arena, bae.error[side].count);
    }
    both_ends_end(&bae.ends);
}

STAMP_ALGORITHM(bae)
