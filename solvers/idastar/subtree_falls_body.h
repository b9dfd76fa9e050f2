/* The body of a subtree counter (idastar/subtree.h) for pattern databases of which it is known
 * where their values fall (pdb/pattern_falls.h). Compiled as subtree_pdb_body.h, with the same
 * constants, for ordinary databases.
 *
 * As there, nodes are taken from a stack in batches, and what their children need is prefetched.
 * But a node holds the entries of all groups, which say for each child whether it is kept: if each
 * sum falls, or has room for a rise. So only what is kept waits for memory, once for each sum, and
 * the ranks of dropped children are not computed.
 *
 * Where a value may rise by 3, the entry of the child tells, and the child is dropped then. */
#pragma once

#include "idastar/pdb_falls.h"
#include "idastar/placement.h"

enum { READS_FALLS = 1 };

/* The scope of a node, by a sum: G * its g + its room, threshold - (g + h). */
enum { G = 1 << 16 };

/* A node within the threshold. */
struct node {
    _Alignas(UNIT) uint8_t cell[NODE_CELLS];
    placement placed[NODE_GROUPS]; /* of each group, those of all sums in a row */
    uint32_t entry[NODE_GROUPS];   /* of these placements */
    uint32_t scope[NODE_SUMS];
    origin origin;
};

#include "idastar/pdb_slides.h"

/* Which bit of which entry says whether a sum falls with a slide. */
struct spot {
    uint8_t group;
    uint8_t bit;
};

/* A sum, laid out for the loops. */
struct view {
    const uint32_t *entries[NODE_GROUPS];
    struct slides slides;
};

/* The children of a batch, side by side. */
struct children {
    struct follower made[MOVES * BATCH];
    /* Of those that are kept, unless a value rises by more than 1: */
    struct follower kept[MOVES * BATCH];
    const uint32_t *entry[NODE_SUMS][MOVES * BATCH]; /* of the group that changes */
};

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
    struct spot spot[NODE_CELLS * MOVES][NODE_CELLS][NODE_SUMS]; /* slide, tile that moves */
    struct view view[NODE_SUMS];
    struct children children;
    struct node fresh[(MOVES - 1) * BATCH];
    struct node stack[STACK];
};

/* Has the lowest bit set if a sum keeps a child. */
KERNEL uint32_t keeps(const struct node *parent, unsigned s, struct spot spot)
{
    const uint32_t has_room = -(uint32_t)(parent->scope[s] % G >= 2);
    return (parent->entry[spot.group] | has_room) >> spot.bit;
}

/* Lists the children that all sums keep; returns how many there are. */
KERNEL size_t keep_children(struct counting *counting, const struct node *batch, size_t count,
                            unsigned sums)
{
    struct children *children = &counting->children;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct follower made = children->made[i];
        const struct node *parent = parent_of(batch, made);
        const unsigned tile = parent->cell[made.from];
        const struct spot *spot = counting->spot[made.slide][tile];
        uint32_t keep = keeps(parent, 0, spot[0]);
        for (unsigned s = 1; s < sums; s++)
            keep &= keeps(parent, s, spot[s]);
        children->kept[kept] = made;
        kept += keep & 1;
    }
    return kept;
}

/* Computes where the entries of kept children lie in the tables of a sum, and prefetches them. */
KERNEL void find_entries(struct counting *counting, const struct node *batch, unsigned s,
                         size_t kept)
{
    struct children *children = &counting->children;
    const struct view *view = &counting->view[s];
    for (size_t i = 0; i < kept; i++) {
        const struct follower made = children->kept[i];
        const struct node *parent = parent_of(batch, made);
        const struct hop *hop = &view->slides.hop[made.slide][parent->cell[made.from]];
        const placement placed = placed_after(&view->slides, hop, parent, counting->between);
        children->entry[s][i] = view->entries[hop->group] + placed;
        __builtin_prefetch(children->entry[s][i]);
    }
}

/* Writes what a kept child holds of a sum. Returns the room that is left, negative if a value rises
 * by too much. */
KERNEL int32_t enter_sum(struct node *node, const struct counting *counting, unsigned s,
                         size_t child, unsigned group)
{
    const struct children *children = &counting->children;
    const uint32_t entry = *children->entry[s][child];
    const uint32_t fall = (node->entry[group] >> FALLS_VALUE) - (entry >> FALLS_VALUE);
    const int32_t room = (int32_t)(node->scope[s] % G + fall - 1);
    node->placed[group] = (placement)(children->entry[s][child] - counting->view[s].entries[group]);
    node->entry[group] = entry;
    node->scope[s] += G + fall - 1;
    return room;
}

/* Takes a batch of nodes from the stack and pushes those of their children that are kept. Returns
 * the new top. */
KERNEL struct node *expand_batch(struct counting *counting, struct node *top, unsigned sums)
{
    struct children *children = &counting->children;
    const size_t held = (size_t)(top - counting->stack);
    const size_t taken = held < BATCH ? held : BATCH;
    top -= taken;
    const size_t count = list_children(children->made, counting->followers, top, taken);
    const size_t kept = keep_children(counting, top, count, sums);
    counting->expanded += taken;
    counting->generated += count;
    for (unsigned s = 0; s < sums; s++)
        find_entries(counting, top, s, kept);
    uint32_t deepest = counting->deepest * G;
    struct node *node = counting->fresh;
    for (size_t i = 0; i < kept; i++) {
        const struct follower made = children->kept[i];
        const struct node *parent = parent_of(top, made);
        const unsigned tile = parent->cell[made.from];
        const struct spot *spot = counting->spot[made.slide][tile];
        *node = *parent;
        node->cell[made.slide / MOVES] = (uint8_t)tile; /* where it was is not looked at */
        node->origin = origin_after(counting->search->pruning, node->origin, made.slide);
        int32_t room = enter_sum(node, counting, 0, i, spot[0].group);
        for (unsigned s = 1; s < sums; s++)
            room |= enter_sum(node, counting, s, i, spot[s].group);
        deepest = room >= 0 && node->scope[0] > deepest ? node->scope[0] : deepest;
        node += room >= 0;
    }
    const size_t left = (size_t)(node - counting->fresh);
    counting->deepest = deepest / G;
    memcpy(top, counting->fresh, left * sizeof *top);
    return top + left;
}

static void root_values(const struct counting *counting, const struct enode *root,
                        struct node *node)
{
    const struct pdb *pdb = counting->pdb;
    unsigned groups = 0;
    for (unsigned s = 0; s < pdb->sums; s++) {
        unsigned value = 0;
        for (unsigned i = 0; i < pdb->sum[s].count; i++, groups++) {
            const struct pdb_group *group = pdb->sum[s].group[i];
            node->placed[groups] = placement_of(group, &root->board);
            node->entry[groups] = counting->view[s].entries[groups][node->placed[groups]];
            value += node->entry[groups] >> FALLS_VALUE;
        }
        node->scope[s] = G * root->g + counting->threshold - root->g - value;
    }
}

/* Of the tile of a slide: the move that it makes in its group's table, and the bit that speaks of
 * it. */
static unsigned bit_of(const struct pdb_group *group, unsigned tile, unsigned from, unsigned to)
{
    unsigned slot = 0;
    unsigned move = 0;
    while (group->tile[slot] != tile)
        slot++;
    while (move_target(group->table->pattern.shape, group->map[from], move) != group->map[to])
        move++;
    return pattern_falls_bit(slot, move);
}

/* `first`: the index of the sum's first group among those of all sums. */
static void view_make(struct counting *counting, unsigned s, unsigned first, struct shape shape,
                      const struct pdb_falls *falls)
{
    const struct pdb_sum *sum = &counting->pdb->sum[s];
    struct view *view = &counting->view[s];
    for (unsigned i = 0; i < sum->count; i++)
        view->entries[first + i] = falls->entries[sum->group[i] - counting->pdb->group];
    slides_make(&view->slides, sum, first, shape, counting->from);
    for (unsigned tile = 1; tile < shape.cells; tile++)
        for (unsigned slide = 0; slide < shape.cells * MOVES; slide++)
            if (move_target(shape, slide / MOVES, slide % MOVES) != NO_CELL)
                counting->spot[slide][tile][s] =
                    (struct spot){view->slides.group_of[tile],
                                  (uint8_t)bit_of(sum->group[sum->group_of[tile]], tile,
                                                  counting->from[slide], slide / MOVES)};
}

static void tables_make(struct counting *counting, struct shape shape,
                        const struct pdb_falls *falls)
{
    counting->between = shape.width - 1U;
    unsigned first = 0;
    for (unsigned s = 0; s < counting->pdb->sums; s++) {
        view_make(counting, s, first, shape, falls);
        first += counting->pdb->sum[s].count;
    }
}

#include "idastar/batch_walk.h"
