/* DVCBS, dynamic vertex cover bidirectional search (Shperberg, Felner, Sturtevant, Shimony and
 * Hayoun, "Enriching non-parametric bidirectional search algorithms", AAAI 2019).
 *
 * As in nbs (nbs.c), a path that leaves the start's side by its live node u and the goal's side by
 * v costs at least max(f(u), f(v), g(u) + g(v) + epsilon), and one node of each pair whose bound is
 * the minimum must be expanded. nbs expands both; DVCBS finds, among the live nodes, a minimum
 * vertex cover of these pairs, expands a part of it, and looks anew, as there are new nodes now.
 * There is no bound on what it expands, but it is often less.
 *
 * Live nodes of a side that have the same g are a cluster: they are in the same pairs. Minimum
 * covers are the first clusters of each side, by g, up to some g (prediction/cover.h says why). Of
 * the two sides' first clusters, the part that is expanded is the one that belongs to a minimum
 * cover; if both do, to the same or to two, the one with fewer nodes, the goal's if they are equal.
 * It is expanded whole, the smaller f first and then the newer node. The paper weighs several such
 * policies; this is the one that its authors' program has as its default.
 *
 * Nodes are in pairs as soon as their f is below the bound so far, and those of f equal to it once
 * there is no such pair. Heuristics need be admissible only.
 *
 * epsilon: what is known of the cheapest move: 1 (default), or 0. */
#include "bidirectional/both_ends.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(dvcbs);

enum { EPSILON };

const struct option_row dvcbs_options[] = {
    [EPSILON] = PAIR_EPSILON,
    {.kind = OPTION_END},
};

enum { WAITING, READY }; /* the lists */

struct dvcbs {
    struct both_ends ends;        /* the first field: the rules get this */
    struct tally clusters[SIDES]; /* of the ready nodes, by g */
    unsigned bound;               /* no path is shorter, but for those found */
    unsigned below;               /* nodes are ready if their f is below this */
    unsigned side, g;             /* the cluster that is being expanded */
};

static unsigned f_of(const struct both_ends *ends, uint32_t id)
{
    return ends->store.nodes[id].g + ends->store.nodes[id].h;
}

static bool make_ready(struct dvcbs *dvcbs, uint32_t id)
{
    struct both_ends *ends = &dvcbs->ends;
    const struct node *node = &ends->store.nodes[id];
    if (both_ends_push(ends, READY, id, node->g, node->g + node->h) &&
        tally_add(&ends->search->arena, &dvcbs->clusters[node->side], node->g))
        return true;
    ends->search->status = STATUS_memory_limit;
    return false;
}

static bool enter(struct both_ends *ends, uint32_t id, unsigned behind)
{
    struct dvcbs *dvcbs = (struct dvcbs *)ends;
    (void)behind;
    if (f_of(ends, id) < dvcbs->below)
        return make_ready(dvcbs, id);
    return both_ends_push(ends, WAITING, id, f_of(ends, id), ends->store.nodes[id].g);
}

static void leave(struct both_ends *ends, uint32_t id)
{
    struct dvcbs *dvcbs = (struct dvcbs *)ends;
    const struct node *node = &ends->store.nodes[id];
    if (f_of(ends, id) < dvcbs->below)
        tally_remove(&dvcbs->clusters[node->side], node->g);
}

/* Makes all nodes of f below `below` ready. False when memory is spent. */
static bool raise_below(struct dvcbs *dvcbs, unsigned below)
{
    struct both_ends *ends = &dvcbs->ends;
    dvcbs->below = below;
    for (unsigned side = START; side < SIDES; side++)
        while (both_ends_first_f(ends, side, WAITING) < below) {
            const uint32_t id = both_ends_first(ends, side, WAITING);
            node_heap_pop(&ends->open[side][WAITING], false);
            if (!make_ready(dvcbs, id))
                return false;
        }
    return true;
}

/* How many nodes of g up to `last` are ready. */
static uint64_t ready_up_to(const struct tally *clusters, unsigned last)
{
    uint64_t count = 0;
    for (unsigned g = 0; g <= last && g < clusters->values; g++)
        count += clusters->count[g];
    return count;
}

/* The side whose first cluster is expanded, where nodes of g + g up to `sum` are pairs and both
 * first clusters are in some. */
static unsigned choose_side(struct dvcbs *dvcbs, unsigned sum)
{
    const struct tally *forward = &dvcbs->clusters[START], *backward = &dvcbs->clusters[GOAL];
    const unsigned first[SIDES] = {tally_min(&dvcbs->clusters[START]),
                                   tally_min(&dvcbs->clusters[GOAL])};
    const unsigned last = sum - first[GOAL]; /* the largest g forward that is in a pair */
    uint64_t smallest = UINT64_MAX, before = 0;
    bool in_cover[SIDES] = {false, false};
    /* Covers: the start's clusters of g < t, the goal's of g <= sum - t. */
    for (unsigned t = first[START]; t <= last + 1; t++) {
        const bool empty = t <= last && (t >= forward->values || forward->count[t] == 0);
        if (empty) /* t + 1 has the same nodes forward, and no more backward */
            continue;
        const uint64_t after = t > last ? 0 : ready_up_to(backward, sum - t);
        if (before + after < smallest) {
            smallest = before + after;
            in_cover[START] = in_cover[GOAL] = false;
        }
        if (before + after == smallest) {
            in_cover[START] = in_cover[START] || before > 0;
            in_cover[GOAL] = in_cover[GOAL] || after > 0;
        }
        if (t <= last)
            before += forward->count[t];
    }
    if (in_cover[START] != in_cover[GOAL])
        return in_cover[START] ? START : GOAL;
    return forward->count[first[START]] < backward->count[first[GOAL]] ? START : GOAL;
}

static uint32_t next(struct both_ends *ends)
{
    struct dvcbs *dvcbs = (struct dvcbs *)ends;
    const unsigned epsilon = (unsigned)ends->search->options[EPSILON];
    while (ends->live[START] > 0 && ends->live[GOAL] > 0 && dvcbs->bound < ends->best) {
        const uint32_t first[SIDES] = {both_ends_first(ends, START, READY),
                                       both_ends_first(ends, GOAL, READY)};
        unsigned minimum = UINT_MAX;
        if (first[START] != NO_NODE && first[GOAL] != NO_NODE)
            minimum =
                ends->store.nodes[first[START]].g + ends->store.nodes[first[GOAL]].g + epsilon;
        if (minimum <= dvcbs->bound) {
            if (first[dvcbs->side] == NO_NODE ||
                ends->store.nodes[first[dvcbs->side]].g != dvcbs->g) {
                dvcbs->side = choose_side(dvcbs, dvcbs->bound - epsilon);
                dvcbs->g = ends->store.nodes[first[dvcbs->side]].g;
            }
            return first[dvcbs->side];
        }
        dvcbs->g = UINT_MAX; /* no cluster is being expanded */
        for (unsigned side = START; side < SIDES; side++) {
            const unsigned f = both_ends_first_f(ends, side, WAITING);
            minimum = f < minimum ? f : minimum;
        }
        if (minimum == dvcbs->bound) {
            if (!raise_below(dvcbs, dvcbs->bound + 1))
                return NO_NODE;
        } else {
            dvcbs->bound = minimum;
            if (dvcbs->below < minimum && !raise_below(dvcbs, minimum))
                return NO_NODE;
        }
    }
    return NO_NODE;
}

KERNEL void dvcbs_search(struct search *search, enum packing packing)
{
    static const struct both_ends_rules rules = {.enter = enter, .leave = leave, .next = next};
    static const enum ties ties[BOTH_ENDS_LISTS] = {TIES_LOW_G, TIES_LOW_G};
    struct dvcbs dvcbs = {.g = UINT_MAX};
    both_ends_start(&dvcbs.ends, search, ties);
    both_ends_search(&dvcbs.ends, packing, &rules);
    for (unsigned side = START; side < SIDES; side++)
        arena_release(&search->arena, dvcbs.clusters[side].count);
    both_ends_end(&dvcbs.ends);
}

STAMP_ALGORITHM(dvcbs)
