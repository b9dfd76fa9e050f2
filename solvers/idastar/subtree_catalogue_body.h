/* The body of a subtree counter (idastar/subtree.h) for many sums of pattern databases, compiled
 * for boards of at most NODE_CELLS cells, at most NODE_GROUPS different groups, at most NODE_SUMS
 * sums, and at most NODE_BETWEEN cells between a cell and the one below it; for zero-aware
 * databases if NODE_ZERO is 1, for ordinary ones if it is 0; in the one-bit form
 * (pdb/pattern_bits.h) if NODE_ONEBIT is 1.
 *
 * Nodes are taken from a stack in batches, as in subtree_pdb_body.h. A node holds where the tiles
 * of each group lie, the group's value, and for each sum the room left below the threshold. A slide
 * changes only the groups that its tile belongs to, its members: one for each sum, fewer if sums
 * share groups. A sum without room is tight: only it can drop a child whose value rises by 1. So
 * the members of tight sums are looked up first, one after the other for each child, until one
 * drops it. The other members are looked up only for the children that are left. */
#pragma once

#include "idastar/placement.h"

enum {
    BATCH = 32,
    STACK = 1024,
    CHILDREN = MOVES * BATCH,
    SYMMETRIES = 8,
    KINDS = 4, /* of steps */
    ROWS = 1 + 2 * NODE_GROUPS * MAX_PATTERN,
};

/* A node within the threshold. */
struct node {
    int16_t room[NODE_SUMS]; /* threshold - (g + sum); sums that there are not: a lot */
    placement placed[NODE_GROUPS];
    uint8_t value[NODE_GROUPS];
    uint8_t cell[NODE_CELLS];
    uint16_t g;
    uint8_t slide; /* the one that led here: the cell that the blank left * MOVES + move */
};

/* A slide as the tables of a symmetry see it. */
struct step {
    placement flip; /* the two cells, of which the tile leaves one for the other */
    uint8_t kind; /* 0, 1: no cell lies between, to a later cell or an earlier one; 2, 3: some do */
    uint8_t blank;                 /* the cell that the tile leaves, in cells of the table */
    uint8_t between[NODE_BETWEEN]; /* filled up with the cell of the tile, which changes nothing */
};

/* A group that a tile belongs to. */
struct member {
    uint8_t group;
    uint8_t symmetry;
    uint16_t row[KINDS];   /* of counting.change */
    int32_t worth[KINDS];  /* added to the rank in any case */
    int16_t of[NODE_SUMS]; /* -1 for the sums that the group is part of, else 0 */
};

struct members {
    unsigned count;
    uint32_t of_sum[NODE_SUMS]; /* the bit of the member that is part of the sum */
    struct member member[NODE_SUMS];
};

struct child {
    uint8_t parent; /* in the batch */
    uint8_t slide;
    uint8_t tile;
    uint32_t tight;                  /* members that are to be looked up and may drop it */
    uint32_t left;                   /* members that were not looked up */
    const uint8_t *value[NODE_SUMS]; /* by member: where it lies */
#if NODE_ONEBIT
    uint8_t bit[NODE_SUMS]; /* which one there */
#endif
    placement placed[NODE_SUMS];
};

/* The slides that may follow a slide. */
struct next {
    uint8_t number;
    uint8_t slide[MOVES - 1];
};

struct counting {
    struct search *search;
    const struct pdb *pdb;
    uint64_t expanded;
    uint64_t generated;
    uint64_t look; /* the value of expanded at which goes_on is called */
    unsigned threshold;
    unsigned deepest;
    enum subtree_outcome outcome;
    uint8_t from[NODE_CELLS * MOVES]; /* slide -> the cell that the blank comes to */
    struct next next[NODE_CELLS * MOVES];
    const uint8_t *values[NODE_GROUPS]; /* or the bits */
    const struct pattern_sets *sets[NODE_GROUPS];
    struct step step[SYMMETRIES][NODE_CELLS * MOVES];
    struct members members[NODE_CELLS]; /* by tile */
    int32_t change[ROWS][NODE_CELLS];   /* by the tile that is passed; row 0 is all zeros */
    struct child children[CHILDREN];
    uint8_t kept[CHILDREN];
    struct node batch[BATCH];
    struct node stack[STACK];
};

/* Finds where the value of a member lies for a child, and prefetches it. */
KERNEL void find_value(const struct counting *counting, struct child *child, unsigned number)
{
    const struct node *parent = &counting->batch[child->parent];
    const struct member *member = &counting->members[child->tile].member[number];
    const unsigned group = member->group;
    const struct step *step = &counting->step[member->symmetry][child->slide];
    const int32_t *changes = counting->change[member->row[step->kind]];
    int32_t change = member->worth[step->kind];
    for (unsigned i = 0; i < NODE_BETWEEN; i++)
        change += changes[parent->cell[step->between[i]]];
#if NODE_ZERO
    const placement placed = (parent->placed[group] + (uint64_t)(int64_t)change) ^ step->flip;
    const uint32_t entry =
        pattern_sets_entry(counting->sets[group], placed >> ORDER_BITS, step->blank) +
        (uint32_t)(placed & ((1U << ORDER_BITS) - 1));
#else
    const placement placed = parent->placed[group] + (uint32_t)change;
    const uint32_t entry = placed;
#endif
    child->placed[number] = placed;
#if NODE_ONEBIT
    child->value[number] = counting->values[group] + entry / 8;
    child->bit[number] = (uint8_t)(entry % 8);
#else
    child->value[number] = counting->values[group] + entry;
#endif
    __builtin_prefetch(child->value[number]);
}

/* The value of a member; `before`: the parent's. */
KERNEL unsigned value_of(const struct child *child, unsigned number, unsigned before)
{
    const unsigned value = *child->value[number];
#if NODE_ONEBIT
    return pattern_bits_next(before, value >> child->bit[number] & 1);
#else
    (void)before;
    return value;
#endif
}

/* Whether a member leaves a child within the threshold. */
KERNEL bool fits_within(const struct counting *counting, const struct child *child, unsigned number)
{
    const struct node *parent = &counting->batch[child->parent];
    const struct member *member = &counting->members[child->tile].member[number];
    /* Tight: the sum has no room, so the value must fall. */
    const unsigned before = parent->value[member->group];
    return value_of(child, number, before) < before;
}

/* The members of a tile that are part of tight sums. */
KERNEL uint32_t tight_members(const struct members *members, uint32_t tight)
{
    uint32_t found = 0;
    for (; tight != 0; tight &= tight - 1)
        found |= members->of_sum[__builtin_ctz(tight)];
    return found;
}

/* Lists the children of a node of the batch; returns how many there are then. */
KERNEL unsigned list_children(struct counting *counting, unsigned number, unsigned count)
{
    const struct node *node = &counting->batch[number];
    const struct next *next = &counting->next[node->slide];
    uint32_t tight = 0;
    for (unsigned s = 0; s < NODE_SUMS; s++)
        tight |= (uint32_t)(node->room[s] == 0) << s;
    for (unsigned i = 0; i < next->number; i++) {
        struct child *child = &counting->children[count];
        const unsigned slide = next->slide[i];
        const unsigned tile = node->cell[counting->from[slide]];
        const struct members *members = &counting->members[tile];
        child->parent = (uint8_t)number;
        child->slide = (uint8_t)slide;
        child->tile = (uint8_t)tile;
        child->tight = tight_members(members, tight);
        child->left = (uint32_t)((UINT64_C(1) << members->count) - 1) & ~child->tight;
        counting->kept[count] = (uint8_t)count;
        count++;
    }
    return count;
}

/* Looks up the members of tight sums, and lists in `kept` the children that none of them drops;
 * returns how many. */
KERNEL unsigned look_up_tight(struct counting *counting, unsigned count)
{
    unsigned done = 0; /* the first in `kept` that have been looked up */
    while (done < count) {
        unsigned kept = done;
        unsigned more = done;
        for (unsigned i = done; i < count; i++) {
            struct child *child = &counting->children[counting->kept[i]];
            if (child->tight != 0)
                find_value(counting, child, (unsigned)__builtin_ctz(child->tight));
        }
        for (unsigned i = done; i < count; i++) {
            const uint8_t number = counting->kept[i];
            struct child *child = &counting->children[number];
            if (child->tight != 0 &&
                !fits_within(counting, child, (unsigned)__builtin_ctz(child->tight)))
                continue;
            child->tight &= child->tight - (child->tight != 0);
            counting->kept[kept++] = number;
            if (child->tight == 0) { /* to the front */
                counting->kept[kept - 1] = counting->kept[more];
                counting->kept[more++] = number;
            }
        }
        count = kept;
        done = more;
    }
    return count;
}

/* Makes a child's node; false if it is above the threshold. */
KERNEL bool make_node(const struct counting *counting, const struct child *child, struct node *node)
{
    const struct members *members = &counting->members[child->tile];
    const unsigned from = counting->from[child->slide];
    *node = counting->batch[child->parent];
    for (unsigned s = 0; s < NODE_SUMS; s++)
        node->room[s]--;
    for (unsigned i = 0; i < members->count; i++) {
        const struct member *member = &members->member[i];
        const uint8_t value = (uint8_t)value_of(child, i, node->value[member->group]);
        const int16_t rise = (int16_t)(value - node->value[member->group]);
        node->placed[member->group] = child->placed[i];
        node->value[member->group] = value;
        for (unsigned s = 0; s < NODE_SUMS; s++)
            node->room[s] = (int16_t)(node->room[s] - (rise & member->of[s]));
    }
    int16_t least = 0;
    for (unsigned s = 0; s < NODE_SUMS; s++)
        least |= node->room[s]; /* negative if one is */
    node->cell[child->slide / MOVES] = child->tile;
    node->cell[from] = 0;
    node->slide = child->slide;
    node->g++;
    return least >= 0;
}

#define TWO_SUMS(counting) false

/* Takes a batch of nodes from the stack and pushes those of their children that are kept. Returns
 * the new top. */
KERNEL struct node *expand_batch(struct counting *counting, struct node *top, bool two_sums)
{
    (void)two_sums;
    const ptrdiff_t held = top - counting->stack;
    const unsigned taken = held < BATCH ? (unsigned)held : BATCH;
    unsigned count = 0;
    top -= taken;
    memcpy(counting->batch, top, taken * sizeof *top);
    for (unsigned i = 0; i < taken; i++)
        count = list_children(counting, i, count);
    counting->expanded += taken;
    counting->generated += count;
    count = look_up_tight(counting, count);
    for (unsigned i = 0; i < count; i++) {
        struct child *child = &counting->children[counting->kept[i]];
        for (uint32_t left = child->left; left != 0; left &= left - 1)
            find_value(counting, child, (unsigned)__builtin_ctz(left));
    }
    for (unsigned i = 0; i < count; i++)
        if (make_node(counting, &counting->children[counting->kept[i]], top)) {
            if (top->g > counting->deepest)
                counting->deepest = top->g;
            top++;
        }
    return top;
}

/* Adds a slide that may follow; the tile comes from a cell. */
static void next_add(struct next *next, unsigned slide, unsigned from)
{
    (void)from;
    next->slide[next->number++] = (uint8_t)slide;
}

static void root_values(const struct counting *counting, const struct enode *root,
                        struct node *node)
{
    const struct pdb *pdb = counting->pdb;
    const struct board *board = &root->board;
    node->g = (uint16_t)root->g;
    for (unsigned i = 0; i < pdb->group_count; i++) {
        node->placed[i] = placement_of(&pdb->group[i], board);
        node->value[i] = (uint8_t)pdb_group_value(&pdb->group[i], board);
    }
    for (unsigned s = 0; s < NODE_SUMS; s++) {
        unsigned value = 0;
        for (unsigned i = 0; s < pdb->sums && i < pdb->sum[s].count; i++)
            value += node->value[pdb->sum[s].group[i] - pdb->group];
        node->room[s] =
            (int16_t)(s < pdb->sums ? counting->threshold - root->g - value : INT16_MAX);
    }
}

/* The steps as a group's table sees them. */
static void steps_make(const struct counting *counting, const struct pdb_group *group,
                       struct shape shape, struct step *steps)
{
    for (unsigned slide = 0; slide < shape.cells * MOVES; slide++) {
        const struct pdb_step *given = &group->step[slide / MOVES][slide % MOVES];
        const unsigned from = counting->from[slide];
        struct step *step = &steps[slide];
        step->kind = (uint8_t)((given->between_count > 0 ? 2 : 0) + (given->direction < 0));
        step->blank = group->map[from];
#if NODE_ZERO
        step->flip = (UINT64_C(1) << group->map[slide / MOVES] | UINT64_C(1) << step->blank)
                     << ORDER_BITS;
#endif
        memset(step->between, (int)from, sizeof step->between);
        memcpy(step->between, given->between, given->between_count);
    }
}

/* Finds the symmetry of each group, and makes its steps. */
static void symmetries_make(struct counting *counting, struct shape shape,
                            uint8_t symmetry[NODE_GROUPS])
{
    const struct pdb *pdb = counting->pdb;
    const struct pdb_group *first[SYMMETRIES];
    unsigned count = 0;
    for (unsigned i = 0; i < pdb->group_count; i++) {
        const struct pdb_group *group = &pdb->group[i];
        unsigned number = 0;
        while (number < count && memcmp(first[number]->map, group->map, shape.cells) != 0)
            number++;
        if (number == count) {
            assert(count < SYMMETRIES);
            first[count] = group;
            steps_make(counting, group, shape, counting->step[count++]);
        }
        symmetry[i] = (uint8_t)number;
    }
}

/* Adds to the members of a tile the group of a sum, unless it is there. `row`: the next one. */
static void member_add(struct counting *counting, unsigned s, unsigned tile,
                       const uint8_t *symmetry, unsigned *row)
{
    const struct pdb *pdb = counting->pdb;
    const struct pdb_sum *sum = &pdb->sum[s];
    const unsigned group = (unsigned)(sum->group[sum->group_of[tile]] - pdb->group);
    struct members *members = &counting->members[tile];
    unsigned number = 0;
    while (number < members->count && members->member[number].group != group)
        number++;
    struct member *member = &members->member[number];
    if (number == members->count) {
        members->count++;
        *member = (struct member){
            .group = (uint8_t)group,
            .symmetry = symmetry[group],
            .row = {0, 0, (uint16_t)*row, (uint16_t)(*row + 1)},
            .worth = {sum->ahead[tile], -sum->ahead[tile], sum->leap[tile], -sum->leap[tile]}};
        for (unsigned other = 0; other < NODE_CELLS; other++) {
            counting->change[*row][other] = sum->passed[tile][other];
            counting->change[*row + 1][other] = -sum->passed[tile][other];
        }
        *row += 2;
    }
    member->of[s] = -1;
    members->of_sum[s] = UINT32_C(1) << number;
}

static void tables_make(struct counting *counting, struct shape shape)
{
    const struct pdb *pdb = counting->pdb;
    uint8_t symmetry[NODE_GROUPS] = {0};
    unsigned row = 1;
    for (unsigned i = 0; i < pdb->group_count; i++) {
        counting->values[i] = NODE_ONEBIT ? pdb->group[i].bits : pdb->group[i].values;
        counting->sets[i] = pdb->group[i].table->sets;
    }
    symmetries_make(counting, shape, symmetry);
    for (unsigned s = 0; s < pdb->sums; s++)
        for (unsigned tile = 1; tile < shape.cells; tile++)
            member_add(counting, s, tile, symmetry, &row);
}

static bool has_room_for(const struct pdb *pdb)
{
    return pdb->group_count <= NODE_GROUPS && pdb->sums <= NODE_SUMS;
}

#include "idastar/batch_walk.h"
