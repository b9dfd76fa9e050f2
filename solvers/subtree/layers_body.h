/* The body of the layered counter (subtree/layers.h): subtrees of the 4x4 Manhattan distance below
 * a threshold, compiled for one kind of vector (layers_plain.h, layers_avx2.h, layers_avx512.h).
 *
 * A recursion must finish one node before it comes to the next, and waits at each for a branch that
 * no one can predict. But nodes with the blank on the same cell, which came there by the same move,
 * have the same moves to try; and if they have the same slack (subtree/subtree_body.h), the same
 * moves are within the threshold by the same test. So the nodes of one depth, the layer, are kept
 * in lists by slack, cell and move back, and a list is worked off LANES nodes at a time without a
 * branch: a child that is not kept is written too, and the next one over it.
 *
 * A node is its tiles, four bits for each cell, and nothing else. Its depth is that of its layer,
 * its slack that of its list. Whether h falls when a tile slides onto the blank's cell depends on
 * the tile and the neighbour that it comes from: for each cell there is a table, tile -> a bit for
 * each neighbour, and one shuffle of bytes looks up all tiles of a node in it. A child that is
 * nearer keeps the slack; one that is farther takes 1 from it, and is dropped if there is none.
 *
 * The deepest layer goes first, at most CHUNK nodes of it at a time, so that its nodes and their
 * children stay in the cache and the layers never hold more than a few chunks. The lists of a layer
 * lie side by side, each with room for all children that may come. Layers of even depth are at one
 * end of the memory, of odd depth at the other: so a layer that is done makes room for the one
 * after the next. As the memory gets full chunks get smaller, and at last the group is refused.
 *
 * The goal has h = 0. If it is within the threshold and was not so in the last round, it is as deep
 * as the threshold. So a node in that layer is the goal, and there is no other test. */
#ifndef SUBTREE_LAYERS_BODY_H
#define SUBTREE_LAYERS_BODY_H

#include "subtree/layers.h"

enum {
    WIDTH = 4,
    CELLS = 16,
    TILE_BITS = 4,
    LISTS = CELLS * MOVES, /* by the blank's cell and the move back */
    SLACKS = 6,
    DEPTHS = 96,     /* layers; no board is farther than 80 from the goal */
    CHUNK = 16384,   /* nodes */
    WORDS = 1 << 18, /* nodes, and what is left between lists */
    PAD = 8,         /* what a vector may write beyond a list */
    LOOK = 16        /* chunks between two looks at the clock */
};
_Static_assert((int)LANES <= (int)PAD && (int)LISTS == 64, "lists are bits of a word");

typedef uint64_t word;

static const struct shape shape = {WIDTH, CELLS / WIDTH, CELLS};

struct layer {
    uint64_t used[SLACKS]; /* the lists that are not empty */
    uint32_t begin[SLACKS][LISTS];
    uint32_t end[SLACKS][LISTS];
    uint32_t before; /* where its end of the memory was before it */
};

struct layers {
    struct search *search;
    uint8_t code[CELLS][CELLS]; /* blank's cell, tile -> bit m: it comes nearer by the move m */
    uint64_t next[LISTS];       /* the lists that children go to */
    uint32_t ends[2];           /* of the free memory, for layers of even and odd depth */
    uint64_t nodes[MOVES];      /* kept, by the number of their successors */
    uint32_t room[SLACKS][LISTS];
    struct layer layer[DEPTHS];
    word words[WORDS + PAD];
};

KERNEL unsigned list_of(unsigned cell, unsigned back)
{
    return cell * MOVES + back;
}

/* Slides a tile from cell `from`: the bits of the blank are 0 before and after. */
KERNEL vector slid(vector tiles, unsigned cell, unsigned from)
{
    const vector tile = tiles & (word)15 << TILE_BITS * from;
    const vector moved =
        cell > from ? tile << TILE_BITS * (cell - from) : tile >> TILE_BITS * (from - cell);
    return tiles ^ tile ^ moved;
}

/* Where the children of one move go: those that are nearer, and those that are farther. */
struct ends {
    word *nearer, *farther;
};

/* Makes one child of each of some nodes; `lanes` says which. */
KERNEL void make_children(struct ends *ends, vector tiles, struct codes codes, unsigned lanes,
                          unsigned cell, unsigned back, unsigned move, bool has_slack)
{
    const unsigned from = move_target(shape, cell, move);
    if (move == back || from == NO_CELL)
        return;
    const unsigned nearer = vector_test(codes, from, move) & lanes;
    const vector child = slid(tiles, cell, from);
    ends->nearer = vector_keep(ends->nearer, child, nearer);
    if (has_slack)
        ends->farther = vector_keep(ends->farther, child, nearer ^ lanes);
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
        const vector tiles = vector_load(nodes + i);
        const struct codes codes = vector_codes(tiles, layers->code[cell]);
        make_children(&ends[MOVE_U], tiles, codes, lanes, cell, back, MOVE_U, has_slack);
        make_children(&ends[MOVE_D], tiles, codes, lanes, cell, back, MOVE_D, has_slack);
        make_children(&ends[MOVE_L], tiles, codes, lanes, cell, back, MOVE_L, has_slack);
        make_children(&ends[MOVE_R], tiles, codes, lanes, cell, back, MOVE_R, has_slack);
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
    return list_of(root->board.blank, root->undo);
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

/* Counts in `room` what may come into each list from a chunk, in wanted[] which lists they are. */
static void measure(struct layers *layers, const struct layer *layer, uint32_t chunk,
                    uint64_t wanted[SLACKS])
{
    memset(layers->room, 0, sizeof layers->room);
    EACH_LIST(layer->used, {
        const uint32_t count = taken(layer, slack, list, chunk);
        chunk -= count;
        if (count == 0)
            return;
        wanted[slack] |= layers->next[list];
        if (slack > 0)
            wanted[slack - 1] |= layers->next[list];
        for (uint64_t next = layers->next[list]; next != 0; next &= next - 1) {
            const unsigned to = (unsigned)__builtin_ctzll(next);
            layers->room[slack][to] += count;
            if (slack > 0)
                layers->room[slack - 1][to] += count;
        }
    })
}

/* Gives each list of a new layer its room. False if the memory is full. */
static bool lay_out(struct layers *layers, struct layer *next, unsigned side,
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
        word tiles = 0;
        for (unsigned cell = 0; cell < CELLS; cell++)
            tiles |= (word)root->board.cell[cell] << TILE_BITS * cell;
        layers->words[next->end[root_slack(pending, root)][root_list(root)]++] = tiles;
    }
}

/* Takes at most `chunk` nodes of a layer (NULL: none), and makes the next one, of depth g, of its
 * children and the roots of that depth. False if the memory is full. */
static bool make_next(struct layers *layers, struct layer *layer, struct layer *next, unsigned g,
                      struct pending *pending, uint32_t chunk)
{
    uint64_t wanted[SLACKS] = {0};
    if (layer != NULL)
        measure(layers, layer, chunk, wanted);
    else
        memset(layers->room, 0, sizeof layers->room);
    for (unsigned i = pending->at; i < pending->count && pending->root[i]->g == g; i++) {
        const unsigned slack = root_slack(pending, pending->root[i]);
        wanted[slack] |= UINT64_C(1) << root_list(pending->root[i]);
        layers->room[slack][root_list(pending->root[i])]++;
    }
    if (!lay_out(layers, next, g % 2, wanted))
        return false;
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
    enter_roots(layers, next, pending, g);
    memset(next->used, 0, sizeof next->used);
    EACH_LIST(wanted, {
        const uint32_t count = next->end[slack][list] - next->begin[slack][list];
        if (count > 0)
            next->used[slack] |= UINT64_C(1) << list;
        layers->nodes[__builtin_popcountll(layers->next[list])] += count;
    })
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
        if (is_empty(layer)) {
            layers->ends[g % 2] = layer->before;
            if (layer == bottom)
                return SUBTREE_COUNTED;
            layer--;
            continue;
        }
        raise_to(max_depth, g);
        if (g == pending->threshold || generated(layers) > left || layer + 1 == bottom + DEPTHS)
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
    layers->ends[1] = WORDS;
    while (outcome == SUBTREE_COUNTED && pending.at < number)
        outcome = count_from(layers, &pending, left, &sum->max_depth);
    sum->expanded = layers->nodes[1] + layers->nodes[2] + layers->nodes[3];
    sum->generated = generated(layers);
    return outcome;
}

static void prepare(struct layers *layers, struct search *search)
{
    const struct heuristic *heuristic = search->heuristic;
    layers->search = search;
    for (unsigned cell = 0; cell < CELLS; cell++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, cell, move);
            if (from == NO_CELL)
                continue;
            for (unsigned tile = 1; tile < CELLS; tile++)
                if (shape_distance(shape, cell, heuristic->home[tile]) <
                    shape_distance(shape, from, heuristic->home[tile]))
                    layers->code[cell][tile] |= (uint8_t)(1U << move);
            for (unsigned back = 0; back < MOVES; back++)
                if (back != move && move_target(shape, cell, back) != NO_CELL)
                    layers->next[list_of(cell, back)] |= UINT64_C(1)
                                                         << list_of(from, move_undo(move));
        }
}

#define STAMP_LAYERS(name)                                                                         \
    const struct layers_form name = {                                                              \
        .lanes = LANES,                                                                            \
        .bytes = sizeof(struct layers),                                                            \
        .prepare = prepare,                                                                        \
        .count = count,                                                                            \
    };

#endif
