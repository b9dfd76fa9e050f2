/* The body of the layered counter (idastar/layers.h): subtrees on 4x4 below a threshold, compiled
 * for a heuristic (layers_manhattan.h, layers_pdb.h) and a kind of vector (layers_plain.h,
 * layers_avx2.h, layers_avx512.h).
 *
 * A recursion must finish one node before it comes to the next, and waits at each for a branch that
 * no one can predict. But nodes with the blank on the same cell, which came there by the same move,
 * have the same moves to try; and if they have the same slack (idastar/subtree_body.h), the same
 * moves are within the threshold by the same test. So the nodes of one depth, the layer, are kept
 * in lists by slack, cell and move back, and a list is worked off LANES nodes at a time without a
 * branch: a child that is not kept is written too, and the next one over it.
 *
 * A node is NODE_WORDS words. Its depth is that of its layer, its slack that of its list. Whether h
 * falls with a move follows from these words (nearer). A child that is nearer keeps the slack; one
 * that is farther takes 1 from it, and is dropped if there is none.
 *
 * With NODE_LEAPS a new layer is settled before it is counted: what is to be known of its nodes is
 * read from tables, and those whose h changed by more than 1 leave their lists. They are few, and
 * they are the first of the layer to be expanded, one by one: so only the newest layer has any.
 *
 * The deepest layer goes first, at most CHUNK nodes of it at a time, so that its nodes and their
 * children stay in the cache and the layers never hold more than a few chunks. The lists of a layer
 * lie side by side, each with room for all children that may come. Layers of even depth are at one
 * end of the memory, of odd depth at the other: so a layer that is done makes room for the one
 * after the next. As the memory gets full chunks get smaller, and at last the group is refused.
 *
 * The goal has h = 0. If it is within the threshold and was not so in the last round, it is as deep
 * as the threshold. So a node in that layer is the goal, and there is no other test. */
#pragma once

#include "idastar/layers.h"

enum {
    LISTS = CELLS * MOVES, /* by the blank's cell and the move back */
    SLACKS = NODE_LEAPS ? 8 : 6,
    DEPTHS = 96,                           /* layers; no board is farther than 80 from the goal */
    CHUNK = 16384,                         /* nodes */
    ROOM = NODE_LEAPS ? 1 << 17 : 1 << 18, /* for nodes, and what is left between lists */
    PAD = 8,                               /* what a vector may write beyond a list */
    STRIDE = ROOM + PAD,                   /* from a word of a node to its next one */
    LEAPERS = NODE_LEAPS ? 4096 : 1,       /* in a layer */
    SETTLED = 1024, /* nodes, before those that may have leapt are looked at */
    LOOK = 16       /* chunks between two looks at the clock */
};
_Static_assert((int)LANES <= (int)PAD && (int)LISTS == 64, "lists are bits of a word");

struct layer {
    uint64_t used[SLACKS]; /* the lists that are not empty */
    uint32_t begin[SLACKS][LISTS];
    uint32_t end[SLACKS][LISTS];
    uint32_t before; /* where its end of the memory was before it */
};

/* A node whose slack is not that of its list. */
struct leaper {
    word node[NODE_WORDS];
    uint8_t slack;
    uint8_t list;
};

struct layers {
    struct search *search;
    struct tables tables;
    uint64_t next[LISTS];  /* the lists that children go to */
    uint32_t ends[2];      /* of the free memory, for layers of even and odd depth */
    uint64_t nodes[MOVES]; /* kept, by the number of their successors */
    bool beyond;           /* there were more leapers, or farther ones, than there is room for */
    uint32_t leapers;      /* of the layer made last */
    struct leaper leaper[LEAPERS];
    uint32_t room[SLACKS][LISTS];
    struct layer layer[DEPTHS];
    /* The first words of all nodes, then the second ones ..; last, what is read for leaps. */
    word words[(NODE_WORDS + NODE_LEAPS) * STRIDE];
};

KERNEL unsigned list_of(unsigned cell, unsigned back)
{
    return cell * MOVES + back;
}

KERNEL struct nodes load_nodes(const word *from)
{
    struct nodes nodes;
    for (unsigned i = 0; i < NODE_WORDS; i++)
        nodes.word[i] = vector_load(from + i * STRIDE);
    return nodes;
}

/* Writes the nodes that `lanes` selects side by side, and perhaps others after them. Returns where
 * they end. */
KERNEL word *keep_nodes(word *to, struct nodes nodes, unsigned lanes)
{
    for (unsigned i = 1; i < NODE_WORDS; i++)
        vector_keep(to + i * STRIDE, nodes.word[i], lanes);
    return vector_keep(to, nodes.word[0], lanes);
}

KERNEL void get_node(const struct layers *layers, uint32_t at, word node[NODE_WORDS])
{
    for (unsigned i = 0; i < NODE_WORDS; i++)
        node[i] = layers->words[at + i * STRIDE];
}

KERNEL void put_node(struct layers *layers, uint32_t at, const word node[NODE_WORDS])
{
    for (unsigned i = 0; i < NODE_WORDS; i++)
        layers->words[at + i * STRIDE] = node[i];
}

/* Where the children of one move go: those that are nearer, and those that are farther. */
struct ends {
    word *nearer, *farther;
};

/* Makes one child of each of some nodes; `lanes` says which. */
KERNEL void make_children(struct ends *ends, struct nodes nodes, struct hints hints, unsigned lanes,
                          unsigned cell, unsigned back, unsigned move, bool has_slack)
{
    const unsigned from = move_target(shape, cell, move);
    if (move == back || from == NO_CELL)
        return;
    const unsigned falling = nearer(hints, nodes, from, move) & lanes;
    const struct nodes children = children_of(nodes, cell, from);
    ends->nearer = keep_nodes(ends->nearer, children, falling);
    if (has_slack)
        ends->farther = keep_nodes(ends->farther, children, falling ^ lanes);
}

/* Makes all children of `count` nodes of one list; vectors may read beyond its end. */
KERNEL void expand_list(struct layers *layers, struct layer *next, const word *nodes,
                        unsigned count, unsigned slack, unsigned cell, unsigned back,
                        bool has_slack)
{
    const unsigned all = (1U << LANES) - 1;
    struct ends ends[MOVES];
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = move_target(shape, cell, move);
        if (move == back || to == NO_CELL)
            continue;
        const unsigned list = list_of(to, move_undo(move));
        ends[move].nearer = layers->words + next->end[slack][list];
        if (has_slack)
            ends[move].farther = layers->words + next->end[slack - 1][list];
    }
    for (unsigned i = 0; i < count; i += LANES) {
        const unsigned lanes = LIKELY(count - i >= LANES) ? all : (1U << (count - i)) - 1;
        const struct nodes parents = load_nodes(nodes + i);
        const struct hints hints = hints_of(&layers->tables, parents, cell);
        make_children(&ends[MOVE_U], parents, hints, lanes, cell, back, MOVE_U, has_slack);
        make_children(&ends[MOVE_D], parents, hints, lanes, cell, back, MOVE_D, has_slack);
        make_children(&ends[MOVE_L], parents, hints, lanes, cell, back, MOVE_L, has_slack);
        make_children(&ends[MOVE_R], parents, hints, lanes, cell, back, MOVE_R, has_slack);
    }
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned to = move_target(shape, cell, move);
        if (move == back || to == NO_CELL)
            continue;
        const unsigned list = list_of(to, move_undo(move));
        next->end[slack][list] = (uint32_t)(ends[move].nearer - layers->words);
        if (has_slack)
            next->end[slack - 1][list] = (uint32_t)(ends[move].farther - layers->words);
    }
}

/* A function for each list, without slack and with it. */
typedef void expand(struct layers *layers, struct layer *next, const word *nodes, unsigned count,
                    unsigned slack);

#define EACH_CELL(F)                                                                               \
    F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15)
#define DEFINE_BACK(cell, back)                                                                    \
    CALLED static void tight_##cell##_##back(struct layers *layers, struct layer *next,            \
                                             const word *nodes, unsigned count, unsigned slack)    \
    {                                                                                              \
        (void)slack;                                                                               \
        if (move_target(shape, cell, MOVE_##back) != NO_CELL)                                      \
            expand_list(layers, next, nodes, count, 0, cell, MOVE_##back, false);                  \
    }                                                                                              \
    CALLED static void slack_##cell##_##back(struct layers *layers, struct layer *next,            \
                                             const word *nodes, unsigned count, unsigned slack)    \
    {                                                                                              \
        ASSUME(slack > 0);                                                                         \
        if (move_target(shape, cell, MOVE_##back) != NO_CELL)                                      \
            expand_list(layers, next, nodes, count, slack, cell, MOVE_##back, true);               \
    }
#define DEFINE(cell)                                                                               \
    DEFINE_BACK(cell, U) DEFINE_BACK(cell, D) DEFINE_BACK(cell, L) DEFINE_BACK(cell, R)
EACH_CELL(DEFINE)
#define TIGHT(cell) tight_##cell##_U, tight_##cell##_D, tight_##cell##_L, tight_##cell##_R,
#define SLACK(cell) slack_##cell##_U, slack_##cell##_D, slack_##cell##_L, slack_##cell##_R,
static expand *const expand_at[2][LISTS] = {{EACH_CELL(TIGHT)}, {EACH_CELL(SLACK)}};

/* The roots of the group, in order of depth. */
struct pending {
    const struct ahead_root *root[GROUP_ROOTS];
    unsigned count;
    unsigned at; /* those before it are in a layer */
    unsigned threshold;
};

static unsigned root_slack(const struct pending *pending, const struct ahead_root *root)
{
    return (pending->threshold - root->g - root->h) / 2;
}

static unsigned root_list(const struct ahead_root *root)
{
    return list_of(root->board.blank, root->back);
}

/* How many of a list of the layer the next chunk takes, from its end, if `left` more may be. */
KERNEL uint32_t taken(const struct layer *layer, unsigned slack, unsigned list, uint32_t left)
{
    const uint32_t count = layer->end[slack][list] - layer->begin[slack][list];
    return count < left ? count : left;
}

/* Calls F(slack, list) for each bit of used[slack]. */
#define EACH_LIST(used, F)                                                                         \
    for (unsigned slack = 0; slack < SLACKS; slack++)                                              \
        for (uint64_t lists = (used)[slack]; lists != 0; lists &= lists - 1) {                     \
            const unsigned list = (unsigned)__builtin_ctzll(lists);                                \
            F                                                                                      \
        }

/* Counts in `room` what may come into each list from `count` nodes of one list, in wanted[] which
 * lists they are. */
KERNEL void measure_list(struct layers *layers, unsigned slack, unsigned list, uint32_t count,
                         uint64_t wanted[SLACKS])
{
    wanted[slack] |= layers->next[list];
    if (slack > 0)
        wanted[slack - 1] |= layers->next[list];
    for (uint64_t next = layers->next[list]; next != 0; next &= next - 1) {
        const unsigned to = (unsigned)__builtin_ctzll(next);
        layers->room[slack][to] += count;
        if (slack > 0)
            layers->room[slack - 1][to] += count;
    }
}

/* The same for a chunk of a layer. */
CALLED static void measure(struct layers *layers, const struct layer *layer, uint32_t chunk,
                           uint64_t wanted[SLACKS])
{
    for (unsigned i = 0; i < layers->leapers; i++)
        measure_list(layers, layers->leaper[i].slack, layers->leaper[i].list, 1, wanted);
    EACH_LIST(layer->used, {
        const uint32_t count = taken(layer, slack, list, chunk);
        chunk -= count;
        if (count == 0)
            return;
        measure_list(layers, slack, list, count, wanted);
    })
}

/* Gives each list of a new layer its room. False if the memory is full. */
CALLED static bool lay_out(struct layers *layers, struct layer *next, unsigned side,
                           const uint64_t wanted[SLACKS])
{
    uint32_t size = 0;
    EACH_LIST(wanted, size += layers->room[slack][list] + PAD;)
    if (size > layers->ends[1] - layers->ends[0])
        return false;
    next->before = layers->ends[side];
    uint32_t at = side == 0 ? next->before : next->before - size;
    layers->ends[side] = side == 0 ? at + size : at;
    EACH_LIST(wanted, {
        next->begin[slack][list] = next->end[slack][list] = at;
        at += layers->room[slack][list] + PAD;
    })
    return true;
}

/* Adds the roots of this depth to a layer that has room for them. */
static void enter_roots(struct layers *layers, struct layer *next, struct pending *pending,
                        unsigned g)
{
    for (; pending->at < pending->count && pending->root[pending->at]->g == g; pending->at++) {
        const struct ahead_root *root = pending->root[pending->at];
        word node[NODE_WORDS];
        enter_node(&layers->tables, &root->board, node);
        put_node(layers, next->end[root_slack(pending, root)][root_list(root)]++, node);
    }
}

#if NODE_LEAPS
/* Takes a node that leapt out of its list, the last of which takes its place. */
CALLED static void make_leaper(struct layers *layers, struct layer *next, unsigned slack,
                               unsigned list, uint32_t at, int more)
{
    const int now = (int)slack + more;
    word last[NODE_WORDS];
    if (now >= SLACKS || layers->leapers == LEAPERS) {
        layers->beyond = true;
    } else if (now >= 0) {
        struct leaper *leaper = &layers->leaper[layers->leapers++];
        get_node(layers, at, leaper->node);
        leaper->slack = (uint8_t)now;
        leaper->list = (uint8_t)list;
    }
    get_node(layers, --next->end[slack][list], last);
    put_node(layers, at, last);
}

/* Asks for what will be read of a list: asking does not wait. */
CALLED static void ask_for_list(struct layers *layers, const struct layer *next, unsigned slack,
                                unsigned list)
{
    const unsigned cell = move_target(shape, list / MOVES, list % MOVES);
    const word *const end = layers->words + next->end[slack][list];
    for (word *at = layers->words + next->begin[slack][list]; at < end; at += LANES) {
        word *const numbers = at + NODE_WORDS * STRIDE;
        vector_store(numbers, entry_numbers(&layers->tables, load_nodes(at), cell));
        for (unsigned lane = 0; lane < LANES; lane++)
            __builtin_prefetch(layers->tables.falls.entries + (uint32_t)numbers[lane]);
    }
}

/* Brings the nodes begin .. end - 1 of a list up to date, and says which of them may have leapt: a
 * bit for each lane, a byte for each LANES nodes. */
KERNEL void settle_nodes(struct layers *layers, unsigned list, uint32_t begin, uint32_t end,
                         uint8_t may[SETTLED / LANES])
{
    const unsigned all = (1U << LANES) - 1;
    const unsigned cell = move_target(shape, list / MOVES, list % MOVES);
    for (uint32_t i = begin; i < end; i += LANES) {
        const unsigned lanes = LIKELY(end - i >= LANES) ? all : (1U << (end - i)) - 1;
        word *const at = layers->words + i;
        struct nodes nodes = load_nodes(at);
        const vector numbers = vector_load(at + NODE_WORDS * STRIDE);
        *may++ =
            (uint8_t)(read_falls(&layers->tables, &nodes, numbers, cell, list % MOVES) & lanes);
        vector_store(at + FALLING * STRIDE, nodes.word[FALLING]);
    }
}

/* Brings a list up to date, from the last nodes to the first, so that what fills a gap has been. */
CALLED static void settle_list(struct layers *layers, struct layer *next, unsigned slack,
                               unsigned list)
{
    const unsigned from = list / MOVES; /* of the tile that was moved: the blank's cell now */
    const unsigned cell = move_target(shape, from, list % MOVES);
    const uint32_t begin = next->begin[slack][list];
    for (uint32_t end = next->end[slack][list]; end > begin;) {
        const uint32_t first = end - (end - begin - 1) % SETTLED - 1;
        uint8_t may[SETTLED / LANES];
        settle_nodes(layers, list, first, end, may);
        for (uint32_t i = (end - first + LANES - 1) / LANES; i-- > 0;)
            for (unsigned lanes = may[i]; lanes != 0;) {
                const unsigned lane = 31U - (unsigned)__builtin_clz(lanes);
                const uint32_t at = first + i * LANES + lane;
                word node[NODE_WORDS];
                get_node(layers, at, node);
                const int more = leap_of(&layers->tables, node, cell, from);
                if (UNLIKELY(more != 0))
                    make_leaper(layers, next, slack, list, at, more);
                lanes ^= 1U << lane;
            }
        end = first;
    }
}
#endif

/* Brings the nodes of a new layer up to date, if they need it. */
static void settle(struct layers *layers, struct layer *next, const uint64_t wanted[SLACKS])
{
#if NODE_LEAPS
    EACH_LIST(wanted, ask_for_list(layers, next, slack, list);)
    EACH_LIST(wanted, settle_list(layers, next, slack, list);)
#else
    (void)layers;
    (void)next;
    (void)wanted;
#endif
}

/* Makes the children of the leapers of the layer made last. */
CALLED static void expand_leapers(struct layers *layers, struct layer *next)
{
    for (unsigned i = 0; i < layers->leapers; i++) {
        const struct leaper *leaper = &layers->leaper[i];
        put_node(layers, ROOM, leaper->node);
        expand_at[leaper->slack > 0][leaper->list](layers, next, layers->words + ROOM, 1,
                                                   leaper->slack);
    }
    layers->leapers = 0;
}

/* Takes at most `chunk` nodes of a layer (NULL: none), and makes the next one, of depth g, of its
 * children and the roots of that depth. False if the memory is full. */
static bool make_next(struct layers *layers, struct layer *layer, struct layer *next, unsigned g,
                      struct pending *pending, uint32_t chunk)
{
    uint64_t wanted[SLACKS] = {0};
    memset(layers->room, 0, sizeof layers->room);
    if (layer != NULL)
        measure(layers, layer, chunk, wanted);
    for (unsigned i = pending->at; i < pending->count && pending->root[i]->g == g; i++) {
        const unsigned slack = root_slack(pending, pending->root[i]);
        wanted[slack] |= UINT64_C(1) << root_list(pending->root[i]);
        layers->room[slack][root_list(pending->root[i])]++;
    }
    if (!lay_out(layers, next, g % 2, wanted))
        return false;
    expand_leapers(layers, next);
    if (layer != NULL)
        EACH_LIST(layer->used, {
            const uint32_t count = taken(layer, slack, list, chunk);
            if (count == 0)
                break;
            chunk -= count;
            layer->end[slack][list] -= count;
            if (layer->end[slack][list] == layer->begin[slack][list])
                layer->used[slack] &= ~(UINT64_C(1) << list);
            expand_at[slack > 0][list](layers, next, layers->words + layer->end[slack][list], count,
                                       slack);
        })
    settle(layers, next, wanted);
    enter_roots(layers, next, pending, g);
    memset(next->used, 0, sizeof next->used);
    EACH_LIST(wanted, {
        const uint32_t count = next->end[slack][list] - next->begin[slack][list];
        if (count > 0)
            next->used[slack] |= UINT64_C(1) << list;
        layers->nodes[__builtin_popcountll(layers->next[list])] += count;
    })
    for (unsigned i = 0; i < layers->leapers; i++)
        layers->nodes[__builtin_popcountll(layers->next[layers->leaper[i].list])]++;
    return true;
}

static bool is_empty(const struct layer *layer)
{
    uint64_t used = 0;
    for (unsigned slack = 0; slack < SLACKS; slack++)
        used |= layer->used[slack];
    return used == 0;
}

static uint64_t generated(const struct layers *layers)
{
    return layers->nodes[1] + 2 * layers->nodes[2] + 3 * layers->nodes[3];
}

/* Counts everything below the roots of the smallest depth, and below those of other depths that are
 * met on the way. */
static enum subtree_outcome count_from(struct layers *layers, struct pending *pending,
                                       uint64_t left, uint64_t *max_depth)
{
    const unsigned first = pending->root[pending->at]->g;
    struct layer *const bottom = layers->layer;
    struct layer *layer = bottom;
    if (!make_next(layers, NULL, layer, first, pending, 0))
        return SUBTREE_REFUSED;
    for (unsigned looks = 1;; looks++) {
        const unsigned g = first + (unsigned)(layer - bottom);
        if (is_empty(layer) && layers->leapers == 0) {
            layers->ends[g % 2] = layer->before;
            if (layer == bottom)
                return SUBTREE_COUNTED;
            layer--;
            continue;
        }
        raise_to(max_depth, g);
        if (g == pending->threshold || generated(layers) > left || layers->beyond ||
            layer + 1 == bottom + DEPTHS)
            return SUBTREE_REFUSED;
        if (looks % LOOK == 0 && !search_may_go_on(layers->search))
            return SUBTREE_STOPPED;
        uint32_t chunk = CHUNK;
        while (!make_next(layers, layer, layer + 1, g + 1, pending, chunk))
            if ((chunk /= 2) == 0)
                return SUBTREE_REFUSED;
        if (is_empty(layer))
            layers->ends[g % 2] = layer->before;
        layer++;
    }
}

static enum subtree_outcome count(struct layers *layers, const struct ahead_root *roots,
                                  unsigned number, unsigned threshold, uint64_t left,
                                  struct ahead_sum *sum)
{
    struct pending pending = {.threshold = threshold};
    enum subtree_outcome outcome = SUBTREE_COUNTED;
    assert(number <= GROUP_ROOTS);
    for (unsigned i = 0; i < number; i++) {
        unsigned at = pending.count++;
        for (; at > 0 && pending.root[at - 1]->g > roots[i].g; at--)
            pending.root[at] = pending.root[at - 1];
        pending.root[at] = &roots[i];
        if (root_slack(&pending, &roots[i]) >= SLACKS)
            return SUBTREE_REFUSED;
    }
    memset(layers->nodes, 0, sizeof layers->nodes);
    *sum = (struct ahead_sum){.above = threshold + 2}; /* below every node something is dropped */
    layers->ends[0] = 0;
    layers->ends[1] = ROOM;
    layers->leapers = 0;
    layers->beyond = false;
    while (outcome == SUBTREE_COUNTED && pending.at < number)
        outcome = count_from(layers, &pending, left, &sum->max_depth);
    sum->expanded = layers->nodes[1] + layers->nodes[2] + layers->nodes[3];
    sum->generated = generated(layers);
    return outcome;
}

static void prepare(struct layers *layers, struct search *search, const struct falls *falls)
{
    layers->search = search;
    tables_make(&layers->tables, search->heuristic, falls);
    for (unsigned cell = 0; cell < CELLS; cell++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, cell, move);
            for (unsigned back = 0; from != NO_CELL && back < MOVES; back++)
                if (back != move && move_target(shape, cell, back) != NO_CELL)
                    layers->next[list_of(cell, back)] |= UINT64_C(1)
                                                         << list_of(from, move_undo(move));
        }
}

const struct layers_form STAMP = {
    .lanes = LANES,
    .bytes = sizeof(struct layers),
    .make_falls = MAKE_FALLS,
    .prepare = prepare,
    .count = count,
};
