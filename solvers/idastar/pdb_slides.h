/* What slides do to the sums of pattern databases, for the counters that look up few sums in
 * batches: part of their bodies, after struct node, which says what they have in common of a node:
 * cell, placed and origin. */
#pragma once

#include "idastar/placement.h"

enum { BATCH = 64, STACK = 1536 };
_Static_assert(BATCH * sizeof(struct node) <= UINT16_MAX, "a follower says where the parent lies");
_Static_assert(MOVES *BATCH <= UINT8_MAX + 1, "a byte numbers the children of a batch");

/* What a slide of a tile does to the rank or order of its group (heuristics/pdb.h). If fewer than
 * NODE_BETWEEN cells lie between, the cell of the moving tile fills the list: it changes nothing.
 */
struct hop {
    _Alignas(UNIT) int32_t worth; /* added in any case */
    uint8_t between[NODE_BETWEEN];
    uint8_t group;
    uint8_t row; /* of slides->change; row 0, all zeros, if no cell lies between */
#if NODE_ZERO
    uint8_t blank;  /* where it comes to, in cells of the table */
    placement flip; /* the two cells, of which the tile leaves one for the other */
#endif
};

/* All slides, as a sum sees them. */
struct slides {
    uint8_t group_of[NODE_CELLS]; /* tile -> its group */
    /* By the tile that moves (+ NODE_CELLS if it moves backwards) and the tile that it passes. */
    int32_t change[2 * NODE_CELLS][NODE_CELLS];
    struct hop hop[NODE_CELLS * MOVES][NODE_CELLS]; /* slide, tile that moves */
};

/* A slide that may follow, and, in a batch, the parent: a child. */
struct follower {
    uint8_t slide;
    uint8_t from;    /* the cell that the tile comes from */
    uint16_t parent; /* its offset in the batch, in bytes */
};

struct followers {
    struct follower slide[MOVES - 1];
    uint32_t number;
};

/* A slide that may follow; the tile comes from a cell. */
static struct follower follower_of(unsigned slide, unsigned from)
{
    return (struct follower){.slide = (uint8_t)slide, .from = (uint8_t)from};
}

/* All slides that may follow are read, added to and written at once. */
typedef uint32_t words __attribute__((vector_size(16)));
_Static_assert(sizeof(words) == sizeof(struct followers), "");

KERNEL const struct node *parent_of(const struct node *batch, struct follower child)
{
    return (const struct node *)((const char *)batch + child.parent);
}

#define SUMS(counting) ((counting)->pdb->sums)

/* Lists the children of a batch of so many nodes; returns how many there are. */
KERNEL size_t list_children(struct follower *made, const struct followers *all,
                            const struct node *batch, size_t taken)
{
    const struct follower behind = {.parent = sizeof(struct node)};
    const struct followers one = {.slide = {behind, behind, behind}};
    words step; /* what is added from one parent to the next */
    words place = {0};
    size_t count = 0;
    memcpy(&step, &one, sizeof step);
    for (size_t i = 0; i < taken; i++) {
        const struct followers *followers = all + followers_at(batch[i].origin);
        words next;
        memcpy(&next, followers, sizeof next);
        next += place;
        memcpy(made + count, &next, sizeof next);
        count += followers->number;
        place += step;
    }
    return count;
}

/* Where the tiles of a hop's group lie after it. `between`: the maximum number of cells between two
 * neighbours. */
KERNEL placement placed_after(const struct slides *slides, const struct hop *hop,
                              const struct node *parent, unsigned between)
{
    const unsigned count = NODE_BETWEEN < MAX_BETWEEN ? NODE_BETWEEN : between;
    const unsigned group = hop->group;
    const int32_t *changes = slides->change[hop->row];
    int32_t change = hop->worth;
    for (unsigned j = 0; j < count; j++)
        change += changes[parent->cell[hop->between[j]]];
#if NODE_ZERO
    return (parent->placed[group] + (uint64_t)(int64_t)change) ^ hop->flip;
#else
    return parent->placed[group] + (uint32_t)change;
#endif
}

/* `first`: the index of the sum's first group among those of all sums. `from`: the cell that the
 * tile of each slide comes from. */
static void slides_make(struct slides *slides, const struct pdb_sum *sum, unsigned first,
                        struct shape shape, const uint8_t *from)
{
    for (unsigned tile = 1; tile < shape.cells; tile++) {
        const struct pdb_group *group = sum->group[sum->group_of[tile]];
        slides->group_of[tile] = (uint8_t)(first + sum->group_of[tile]);
        for (unsigned other = 1; other < shape.cells; other++) {
            slides->change[tile][other] = sum->passed[tile][other];
            slides->change[NODE_CELLS + tile][other] = -sum->passed[tile][other];
        }
        for (unsigned slide = 0; slide < shape.cells * MOVES; slide++) {
            const struct pdb_step *step = &group->step[slide / MOVES][slide % MOVES];
            const bool leaps = step->between_count > 0;
            struct hop *hop = &slides->hop[slide][tile];
            hop->worth = step->direction * (leaps ? sum->leap[tile] : sum->ahead[tile]);
            memset(hop->between, from[slide], sizeof hop->between);
            memcpy(hop->between, step->between, step->between_count);
            hop->group = slides->group_of[tile];
            if (leaps)
                hop->row = (uint8_t)(step->direction > 0 ? tile : NODE_CELLS + tile);
#if NODE_ZERO
            hop->blank = group->map[from[slide]];
            hop->flip = (UINT64_C(1) << group->map[slide / MOVES] | UINT64_C(1) << hop->blank)
                        << ORDER_BITS;
#endif
        }
    }
}

static bool has_room_for(const struct pdb *pdb)
{
    unsigned groups = 0;
    for (unsigned s = 0; s < pdb->sums; s++)
        groups += pdb->sum[s].count;
    return pdb->sums <= NODE_SUMS && groups <= NODE_GROUPS;
}
