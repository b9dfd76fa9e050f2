/* The body of a subtree counter (idastar/subtree.h) for pattern databases, compiled for boards of
 * at most NODE_CELLS cells, at most NODE_SUMS sums, at most NODE_GROUPS groups in all of them
 * together, and at most NODE_BETWEEN cells between a cell and the one below it; for zero-aware
 * databases if NODE_ZERO is 1, for ordinary ones if it is 0; in the one-bit form
 * (pdb/pattern_bits.h) if NODE_ONEBIT is 1.
 *
 * A search with pattern databases waits for memory: the tables take hundreds of megabytes and are
 * read everywhere. As the order of the nodes does not matter, it need not wait for one value after
 * the other. Nodes are taken from a stack in batches. The addresses of all their children's values
 * are computed and prefetched first; when the last is known, the first has arrived. Children that
 * are kept go onto the stack. Apart from the ends of loops there is no branch that could be
 * mispredicted either: a child is listed or kept by adding 0 or 1 to a count. Parents stay on the
 * stack until their children, made elsewhere, take their places.
 *
 * A node holds the rank and the value of each group, and for each sum the room left below the
 * threshold. A child is kept if the value of the one group that changed is less than the parent's
 * value plus that room: one move more is made. A further sum is looked up only for those children
 * that the sums before it keep: for few sums that is less work than to find out which of them can
 * drop a child at all (subtree_catalogue_body.h). A node as deep as the threshold has h = 0 and is,
 * or may be, the goal: then the search must walk.
 *
 * The size of the stack depends on the batches, not on the size of the tree: a level adds at most
 * two batches more than it takes. On Korf's boards and on those of the 24-puzzle that scripts/bench
 * pdb runs, the stack never held more than 772 nodes. A subtree that needs more than STACK is
 * refused, and smaller subtrees in it are counted.
 *
 * scripts/bench instructions --only pdb prints the instructions for each generated node. By the
 * nodes a second with 5-5-5 and 7-8 (scripts/bench pdb): batches of 32 a thirtieth less; of 128, a
 * hundredth more with 5-5-5 and a thirtieth with 7-8; 7-8 without prefetching a sixth to a quarter
 * less. The tables in huge pages, small ones without prefetching, prefetching into the second
 * cache, and several batches under way at once make no clear difference. */
#pragma once

#include "idastar/placement.h"

enum { READS_FALLS = 0 };

/* The scope of a node's children, by a sum: G * their g + the node's room. With the node's value of
 * the group that changes added, a child is kept if its own value is less than what that leaves in
 * the lower half. */
enum { G = 1 << 16 };

/* A node within the threshold. */
struct node {
    _Alignas(UNIT) uint8_t cell[NODE_CELLS];
    placement placed[NODE_GROUPS]; /* of each group, those of all sums in a row */
    uint8_t value[NODE_GROUPS];    /* of these placements */
    uint32_t scope[NODE_SUMS];     /* of its children, by each sum */
    origin origin;
};

#include "idastar/pdb_slides.h"

/* A sum, laid out for the loops. */
struct view {
    const uint8_t *values[NODE_GROUPS]; /* or the bits */
#if NODE_ZERO
    const struct pattern_sets *sets[NODE_GROUPS];
#endif
    struct slides slides;
};

/* The children of a batch, side by side. */
struct children {
    struct follower made[MOVES * BATCH];
    uint8_t kept[MOVES * BATCH];                    /* the indices of those that are kept */
    const uint8_t *value[NODE_SUMS][MOVES * BATCH]; /* where the value of the group that changes
                                                       lies in its table */
#if NODE_ONEBIT
    uint8_t bit[NODE_SUMS][MOVES * BATCH];    /* which one there */
    uint8_t before[NODE_SUMS][MOVES * BATCH]; /* the parent's value */
#endif
    uint32_t scope[NODE_SUMS]
                  [MOVES * BATCH]; /* the parent's + its value of the group that changes */
#if NODE_ZERO
    placement placed[NODE_SUMS][MOVES * BATCH]; /* of that group */
#endif
};

#if NODE_ZERO
/* What is known of children before their values are: by child. */
struct found {
    const struct hop *hop[MOVES * BATCH];         /* what the move does to the group that changes */
    const struct pattern_set *set[MOVES * BATCH]; /* of its cells */
};
#endif

struct counting {
    struct search *search;
    const struct pdb *pdb;
    uint64_t expanded;
    uint64_t generated;
    uint64_t look; /* the value of expanded at which goes_on is called */
    unsigned threshold;
    unsigned deepest;
    unsigned between; /* the maximum number of cells between two neighbours */
    enum subtree_outcome outcome;
    uint8_t from[NODE_CELLS * MOVES]; /* slide -> the cell that the blank comes to */
    struct followers followers[FOLLOWERS];
    struct view view[NODE_SUMS];
    struct children children;
    const struct node *batch; /* the parents, on the stack */
    union {                   /* one is done with before the other begins */
        struct node fresh[(MOVES - 1) * BATCH];
#if NODE_ZERO
        struct found found;
#endif
    };
    struct node stack[STACK];
};

#if NODE_ZERO
/* Computes where the values of children lie whose sets are known, and prefetches them. */
KERNEL void find_entries(struct counting *counting, unsigned s, const uint8_t *which, size_t count)
{
    struct children *children = &counting->children;
    const struct view *view = &counting->view[s];
    for (size_t i = 0; i < count; i++) {
        const size_t child = which == NULL ? i : which[i];
        const struct hop *hop = counting->found.hop[child];
        const uint32_t entry =
            pattern_set_entry(view->sets[hop->group], counting->found.set[child], hop->blank) +
            (uint32_t)(children->placed[s][child] & ((1U << ORDER_BITS) - 1));
        const uint8_t *value = view->values[hop->group] + (NODE_ONEBIT ? entry / 8 : entry);
#if NODE_ONEBIT
        children->bit[s][child] = (uint8_t)(entry % 8);
#endif
        __builtin_prefetch(value);
        children->value[s][child] = value;
    }
}
#endif

/* Computes where the values of children lie in the tables of a sum, and prefetches them. `which`
 * lists the children; NULL: all. In zero-aware tables the place depends on the set of the group's
 * cells, too, and what describes the set may have to come from memory: it is prefetched for all
 * children first. */
KERNEL void find_values(struct counting *counting, unsigned s, const uint8_t *which, size_t count)
{
    struct children *children = &counting->children;
    const struct view *view = &counting->view[s];
    for (size_t i = 0; i < count; i++) {
        const size_t child = which == NULL ? i : which[i];
        const struct follower made = children->made[child];
        const struct node *parent = parent_of(counting->batch, made);
        const struct hop *hop = &view->slides.hop[made.slide][parent->cell[made.from]];
        const unsigned group = hop->group;
        const placement placed = placed_after(&view->slides, hop, parent, counting->between);
#if NODE_ZERO
        const struct pattern_set *set = pattern_sets_at(view->sets[group], placed >> ORDER_BITS);
        __builtin_prefetch(set);
        children->placed[s][child] = placed;
#if NODE_ONEBIT
        children->before[s][child] = parent->value[group];
#endif
        counting->found.hop[child] = hop;
        counting->found.set[child] = set;
#else
        const uint8_t *value = view->values[group] + placed;
        __builtin_prefetch(value);
        children->value[s][child] = value;
#endif
        children->scope[s][child] = parent->scope[s] + parent->value[group];
    }
#if NODE_ZERO
    find_entries(counting, s, which, count);
#endif
}

/* The value of the group that changes. */
KERNEL unsigned value_of(const struct children *children, unsigned s, size_t child)
{
    const unsigned value = *children->value[s][child];
#if NODE_ONEBIT
    return pattern_bits_next(children->before[s][child], value >> children->bit[s][child] & 1);
#else
    return value;
#endif
}

/* Lists in children->kept those children that a sum leaves within the threshold; returns how many.
 */
KERNEL size_t keep_children(struct counting *counting, unsigned s, const uint8_t *which,
                            size_t count)
{
    struct children *children = &counting->children;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t child = which == NULL ? i : which[i];
        children->kept[kept] = (uint8_t)child;
        kept += value_of(children, s, child) < children->scope[s][child] % G;
    }
    return kept;
}

/* Writes what a kept child holds of a sum. Returns a number in G * g .. G * (g + 1) - 1. */
KERNEL uint32_t enter_sum(struct node *node, const struct counting *counting, unsigned s,
                          size_t child, unsigned tile)
{
    const struct children *children = &counting->children;
    const struct view *view = &counting->view[s];
    const unsigned group = view->slides.group_of[tile];
    const unsigned value = value_of(children, s, child);
#if NODE_ZERO
    node->placed[group] = children->placed[s][child];
#else
    node->placed[group] = (placement)(children->value[s][child] - view->values[group]);
#endif
    node->value[group] = (uint8_t)value;
    const uint32_t scope = children->scope[s][child] - value - 1;
    node->scope[s] = scope + G;
    return scope;
}

/* Takes a batch of nodes from the stack and pushes those of their children that are kept. Returns
 * the new top. */
KERNEL struct node *expand_batch(struct counting *counting, struct node *top, unsigned sums)
{
    struct children *children = &counting->children;
    const size_t held = (size_t)(top - counting->stack);
    const size_t taken = held < BATCH ? held : BATCH;
    top -= taken;
    counting->batch = top;
    const size_t count = list_children(children->made, counting->followers, top, taken);
    counting->expanded += taken;
    counting->generated += count;
    find_values(counting, 0, NULL, count);
    size_t kept = keep_children(counting, 0, NULL, count);
    for (unsigned s = 1; s < sums; s++) {
        find_values(counting, s, children->kept, kept);
        kept = keep_children(counting, s, children->kept, kept);
    }
    uint32_t deepest = counting->deepest * G;
    struct node *node = counting->fresh;
    for (size_t i = 0; i < kept; i++) {
        const size_t child = children->kept[i];
        const struct follower made = children->made[child];
        const struct node *parent = parent_of(counting->batch, made);
        const unsigned tile = parent->cell[made.from];
        *node = *parent;
        node->cell[made.slide / MOVES] = (uint8_t)tile; /* where it was is not looked at */
        node->origin = origin_after(counting->search->pruning, node->origin, made.slide);
        const uint32_t scope = enter_sum(node, counting, 0, child, tile);
        for (unsigned s = 1; s < sums; s++)
            enter_sum(node, counting, s, child, tile);
        deepest = scope > deepest ? scope : deepest;
        node++;
    }
    kept = (size_t)(node - counting->fresh);
    counting->deepest = deepest / G;
    memcpy(top, counting->fresh, kept * sizeof *top);
    return top + kept;
}

static void root_values(const struct counting *counting, const struct enode *root,
                        struct node *node)
{
    const struct pdb *pdb = counting->pdb;
    const struct board *board = &root->board;
    unsigned groups = 0;
    for (unsigned s = 0; s < pdb->sums; s++) {
        unsigned value = 0;
        for (unsigned i = 0; i < pdb->sum[s].count; i++, groups++) {
            const struct pdb_group *group = pdb->sum[s].group[i];
            node->placed[groups] = placement_of(group, board);
            node->value[groups] = (uint8_t)(NODE_ZERO ? pdb_group_value(group, board)
                                                      : group->values[node->placed[groups]]);
            value += node->value[groups];
        }
        node->scope[s] = G * (root->g + 1) + counting->threshold - root->g - value;
    }
}

/* `first`: the index of the sum's first group among those of all sums. */
static void view_make(struct view *view, const struct pdb_sum *sum, unsigned first,
                      struct shape shape, const uint8_t *from)
{
    for (unsigned i = 0; i < sum->count; i++) {
        view->values[first + i] = NODE_ONEBIT ? sum->group[i]->bits : sum->group[i]->values;
#if NODE_ZERO
        view->sets[first + i] = sum->group[i]->table->sets;
#endif
    }
    slides_make(&view->slides, sum, first, shape, from);
}

static void tables_make(struct counting *counting, struct shape shape,
                        const struct pdb_falls *falls)
{
    (void)falls;
    counting->between = shape.width - 1U;
    unsigned first = 0;
    for (unsigned s = 0; s < counting->pdb->sums; s++) {
        view_make(&counting->view[s], &counting->pdb->sum[s], first, shape, counting->from);
        first += counting->pdb->sum[s].count;
    }
}

#include "idastar/batch_walk.h"
