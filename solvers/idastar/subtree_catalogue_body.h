/* The body of a subtree counter (idastar/subtree.h) for many sums of pattern databases, compiled
 * for boards of at most NODE_CELLS cells, at most NODE_GROUPS different groups, at most NODE_SUMS
 * sums, and at most NODE_BETWEEN cells between a cell and the one below it; for zero-aware
 * databases if NODE_ZERO is 1, for ordinary ones if it is 0; in the one-bit form
 * (pdb/pattern_bits.h) if NODE_ONEBIT is 1.
 *
 * Nodes are taken from a stack in batches, as in subtree_pdb_body.h. A node holds where the tiles
 * of each group lie, the group's value, and the slack of each sum: how many more of its values may
 * rise until it is above the threshold. A slide changes only the groups that its tile belongs to,
 * its members: one for each sum, fewer if sums share groups. A sum without slack is tight: only it
 * can drop a child whose value rises by 1. So the members of tight sums are looked up first, in
 * rounds: one of each child that has more of them and that none has dropped. The other members are
 * looked up only for the children that are kept. All that the look-ups of a round read is
 * prefetched before the first of them reads; in zero-aware tables, what describes the sets of cells
 * comes before the values.
 *
 * The slacks are numbers in binary side by side, a word for each digit and a bit of it for each
 * sum. The members that rise say together which sums lose 1, and that is one subtraction for all of
 * them; it seldom comes further than the second digit. */
#pragma once

#include "idastar/placement.h"

enum {
    READS_FALLS = 0,
    BATCH = 32,
    STACK = 1024,
    CHILDREN = MOVES * BATCH,
    SYMMETRIES = 8,
    ROWS = 1 + 2 * NODE_GROUPS * MAX_PATTERN,
    DIGITS = 10,                  /* of a slack; the last one tells that it is negative */
    SHARES = (NODE_SUMS + 3) / 4, /* of four sums each */
};

/* A node within the threshold. */
struct node {
    _Alignas(UNIT) uint32_t slack[DIGITS]; /* digit by digit, from the least; a bit for each sum */
    placement placed[NODE_GROUPS];
    uint8_t value[NODE_GROUPS];
    uint8_t cell[NODE_CELLS];
    uint16_t g;
    origin origin;
};

/* A slide as the tables of a symmetry see it. */
struct step {
#if NODE_ZERO
    placement flip; /* the two cells, of which the tile leaves one for the other */
#endif
    uint8_t blank;                 /* the cell that the tile leaves, in cells of the table */
    uint8_t between[NODE_BETWEEN]; /* filled up with the cell of the tile, which changes nothing */
};

/* A group that a tile belongs to, for one move of the blank. */
struct member {
    int32_t worth; /* added to the rank in any case */
    uint16_t row;  /* of counting.change; row 0, all zeros, if no cell lies between */
    uint8_t group;
    uint8_t symmetry;
    uint32_t sums; /* that it is part of, a bit for each */
};

struct members {
    uint32_t all;
    uint32_t of[SHARES][16]; /* by which of four sums: the members that are part of one of them */
    struct member member[MOVES][NODE_SUMS];
};

struct child {
    const struct node *parent;
    const struct member *member; /* of its tile, for its move */
    uint32_t tight;              /* members that are to be looked up and may drop it */
    uint32_t left;               /* members that are looked up if none does */
    uint32_t members;            /* a bit for each */
    uint8_t slide;
    uint8_t tile;
    uint32_t entry[NODE_SUMS]; /* by member: the number of its entry */
#if NODE_ZERO
    placement placed[NODE_SUMS];
#endif
};

struct follower {
    uint8_t slide;
};

struct followers {
    uint8_t number;
    struct follower slide[MOVES - 1];
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
    uint32_t sums;                    /* all there are, a bit for each */
    uint8_t from[NODE_CELLS * MOVES]; /* slide -> the cell that the blank comes to */
    struct followers followers[FOLLOWERS];
    const uint8_t *values[NODE_GROUPS]; /* or the bits */
    const struct pattern_sets *sets[NODE_GROUPS];
    struct step step[SYMMETRIES][NODE_CELLS * MOVES];
    struct members members[NODE_CELLS]; /* by tile */
    int32_t change[ROWS][NODE_CELLS];   /* by the tile that is passed; row 0 is all zeros */
    struct child children[CHILDREN];
    uint8_t open[CHILDREN]; /* those whose tight members are not all looked up */
    uint8_t kept[CHILDREN]; /* those that none of these dropped */
    struct node fresh[(MOVES - 1) * BATCH];
    struct node stack[STACK];
};

/* The sums without slack. */
KERNEL uint32_t tight_sums(const struct counting *counting, const struct node *node)
{
    uint32_t slack = 0;
    for (unsigned i = 0; i < DIGITS; i++)
        slack |= node->slack[i];
    return counting->sums & ~slack;
}

/* Takes 1 from the slack of sums. */
KERNEL void slack_take(struct node *node, uint32_t sums)
{
    for (unsigned i = 0; i < DIGITS && sums != 0; i++) {
        node->slack[i] ^= sums;
        sums &= node->slack[i]; /* where the digit was 0 */
    }
}

/* Adds a number to the slack of sums. */
CALLED static void slack_add(struct node *node, uint32_t sums, int number)
{
    uint32_t carry = 0;
    for (unsigned i = 0; i < DIGITS; i++) {
        const uint32_t digit = node->slack[i];
        const uint32_t added = (unsigned)number >> i & 1 ? sums : 0;
        node->slack[i] = digit ^ added ^ carry;
        carry = (digit & added) | (carry & (digit | added));
    }
}

/* Finds where the tiles of a member lie for a child, and prefetches what says where its value is:
 * the value itself, or what describes the set of their cells. */
KERNEL void find_place(const struct counting *counting, struct child *child, unsigned number)
{
    const struct node *parent = child->parent;
    const struct member *member = &child->member[number];
    const unsigned group = member->group;
    const struct step *step = &counting->step[member->symmetry][child->slide];
    const int32_t *changes = counting->change[member->row];
    int32_t change = member->worth;
    const unsigned count = NODE_BETWEEN < MAX_BETWEEN ? NODE_BETWEEN : counting->between;
    for (unsigned i = 0; i < count; i++)
        change += changes[parent->cell[step->between[i]]];
#if NODE_ZERO
    const struct pattern_sets *sets = counting->sets[group];
    const placement placed = (parent->placed[group] + (uint64_t)(int64_t)change) ^ step->flip;
    const struct pattern_set *set = pattern_sets_at(sets, placed >> ORDER_BITS);
    child->placed[number] = placed;
    child->entry[number] = (uint32_t)(set - sets->set); /* for now */
    __builtin_prefetch(set);
#else
    child->entry[number] = parent->placed[group] + (uint32_t)change;
    __builtin_prefetch(counting->values[group] + child->entry[number]);
#endif
}

/* Finds where the value is once the set is known, and prefetches it. */
KERNEL void find_value(const struct counting *counting, struct child *child, unsigned number)
{
#if NODE_ZERO
    const struct member *member = &child->member[number];
    const struct pattern_sets *sets = counting->sets[member->group];
    const unsigned blank = counting->step[member->symmetry][child->slide].blank;
    const uint32_t entry = pattern_set_entry(sets, &sets->set[child->entry[number]], blank) +
                           (uint32_t)(child->placed[number] & ((1U << ORDER_BITS) - 1));
    child->entry[number] = entry;
    __builtin_prefetch(counting->values[member->group] + (NODE_ONEBIT ? entry / 8 : entry));
#else
    (void)counting;
    (void)child;
    (void)number;
#endif
}

/* The value of a member; `before`: the parent's. */
KERNEL unsigned value_of(const struct counting *counting, const struct child *child,
                         unsigned number, unsigned before)
{
    const uint8_t *values = counting->values[child->member[number].group];
    const uint32_t entry = child->entry[number];
#if NODE_ONEBIT
    return pattern_bits_next(before, pattern_bits_at(values, entry));
#else
    (void)before;
    return values[entry];
#endif
}

/* Whether a member leaves a child within the threshold. */
KERNEL bool fits_within(const struct counting *counting, const struct child *child, unsigned number)
{
    /* Tight: the sum has no slack, so the value must fall. */
    const unsigned before = child->parent->value[child->member[number].group];
    return value_of(counting, child, number, before) < before;
}

/* The members of a tile that are part of one of these sums. */
KERNEL uint32_t members_of(const struct members *members, uint32_t sums)
{
    uint32_t found = 0;
    for (unsigned i = 0; i < SHARES; i++)
        found |= members->of[i][sums >> (4 * i) & 15];
    return found;
}

/* How many children are open, and kept. */
struct counts {
    unsigned open;
    unsigned kept;
};

/* Lists a child whose remaining tight members are known. */
KERNEL void list_child(struct counting *counting, struct counts *counts, unsigned number,
                       uint32_t tight)
{
    counting->open[counts->open] = (uint8_t)number;
    counting->kept[counts->kept] = (uint8_t)number;
    counts->open += tight != 0;
    counts->kept += tight == 0;
}

/* Makes the children of a node from number `count` on; returns how many there are then. */
KERNEL unsigned list_children(struct counting *counting, const struct node *node, unsigned count,
                              struct counts *counts)
{
    const struct followers *followers = &counting->followers[followers_at(node->origin)];
    const uint32_t tight = tight_sums(counting, node);
    for (unsigned i = 0; i < followers->number; i++) {
        struct child *child = &counting->children[count];
        const unsigned slide = followers->slide[i].slide;
        const unsigned tile = node->cell[counting->from[slide]];
        const struct members *members = &counting->members[tile];
        child->parent = node;
        child->member = members->member[slide % MOVES];
        child->slide = (uint8_t)slide;
        child->tile = (uint8_t)tile;
        child->members = members->all;
        child->tight = members_of(members, tight);
        child->left = members->all & ~child->tight;
        list_child(counting, counts, count, child->tight);
        count++;
    }
    return count;
}

/* Looks up the members of tight sums, one of each open child after the other, until each child is
 * dropped or kept. */
KERNEL void look_up_tight(struct counting *counting, struct counts *counts)
{
    while (counts->open > 0) {
        const unsigned open = counts->open;
        for (unsigned i = 0; i < open; i++) {
            struct child *child = &counting->children[counting->open[i]];
            find_place(counting, child, (unsigned)__builtin_ctz(child->tight));
        }
        for (unsigned i = 0; NODE_ZERO && i < open; i++) {
            struct child *child = &counting->children[counting->open[i]];
            find_value(counting, child, (unsigned)__builtin_ctz(child->tight));
        }
        counts->open = 0;
        for (unsigned i = 0; i < open; i++) {
            const uint8_t number = counting->open[i];
            struct child *child = &counting->children[number];
            const uint32_t later = child->tight & (child->tight - 1);
            const bool fits = fits_within(counting, child, (unsigned)__builtin_ctz(child->tight));
            child->tight = later;
            counting->open[counts->open] = number;
            counting->kept[counts->kept] = number;
            counts->open += fits & (later != 0);
            counts->kept += fits & (later == 0);
        }
    }
}

/* Finds the values of the other members of the children that are kept, and prefetches them. */
KERNEL void find_left(struct counting *counting, unsigned kept)
{
    for (unsigned i = 0; i < kept; i++) {
        struct child *child = &counting->children[counting->kept[i]];
        for (uint32_t left = child->left; left != 0; left &= left - 1)
            find_place(counting, child, (unsigned)__builtin_ctz(left));
    }
    for (unsigned i = 0; NODE_ZERO && i < kept; i++) {
        struct child *child = &counting->children[counting->kept[i]];
        for (uint32_t left = child->left; left != 0; left &= left - 1)
            find_value(counting, child, (unsigned)__builtin_ctz(left));
    }
}

/* Where the tiles of a member lie. */
KERNEL placement placed_of(const struct child *child, unsigned number)
{
#if NODE_ZERO
    return child->placed[number];
#else
    return child->entry[number];
#endif
}

/* Makes a child's node; false if it is above the threshold. */
KERNEL bool make_node(const struct counting *counting, const struct child *child, struct node *node)
{
    const unsigned from = counting->from[child->slide];
    uint32_t risen = 0;
    *node = *child->parent;
    for (uint32_t members = child->members; members != 0; members &= members - 1) {
        const unsigned i = (unsigned)__builtin_ctz(members);
        const struct member *member = &child->member[i];
        const unsigned before = node->value[member->group];
        const unsigned value = value_of(counting, child, i, before);
        node->placed[member->group] = placed_of(child, i);
        node->value[member->group] = (uint8_t)value;
        risen |= value > before ? member->sums : 0;
        if (!NODE_ZERO && UNLIKELY(value - before + 1 > 2)) /* by more than 1 */
            slack_add(node, member->sums,
                      ((int)before - (int)value + (value > before ? 1 : -1)) / 2);
    }
    slack_take(node, risen);
    node->cell[child->slide / MOVES] = child->tile;
    node->cell[from] = 0;
    node->origin = origin_after(counting->search->pruning, node->origin, child->slide);
    node->g++;
    return node->slack[DIGITS - 1] == 0;
}

#define SUMS(counting) 0

/* Takes a batch of nodes from the stack and pushes those of their children that are kept. Returns
 * the new top. */
KERNEL struct node *expand_batch(struct counting *counting, struct node *top, unsigned sums)
{
    (void)sums;
    const size_t held = (size_t)(top - counting->stack);
    const size_t taken = held < BATCH ? held : BATCH;
    struct counts counts = {0, 0};
    unsigned count = 0;
    top -= taken;
    for (size_t i = 0; i < taken; i++)
        count = list_children(counting, &top[i], count, &counts);
    counting->expanded += taken;
    counting->generated += count;
    look_up_tight(counting, &counts);
    find_left(counting, counts.kept);
    struct node *node = counting->fresh;
    for (unsigned i = 0; i < counts.kept; i++)
        if (make_node(counting, &counting->children[counting->kept[i]], node)) {
            if (node->g > counting->deepest)
                counting->deepest = node->g;
            node++;
        }
    const size_t made = (size_t)(node - counting->fresh);
    memcpy(top, counting->fresh, made * sizeof *top);
    return top + made;
}

static struct follower follower_of(unsigned slide, unsigned from)
{
    (void)from;
    return (struct follower){(uint8_t)slide};
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
    for (unsigned s = 0; s < pdb->sums; s++) {
        unsigned value = root->g;
        for (unsigned i = 0; i < pdb->sum[s].count; i++)
            value += node->value[pdb->sum[s].group[i] - pdb->group];
        slack_add(node, UINT32_C(1) << s, (int)(counting->threshold - value) / 2);
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

/* What a move does to the rank of a tile's group. All cells that have the move are alike; `row`:
 * that of the tile that moves forwards past others, before that of the one that moves backwards. */
static struct member member_of(const struct pdb_sum *sum, unsigned tile, struct shape shape,
                               unsigned move, unsigned row)
{
    struct member member = {0};
    unsigned cell = 0;
    while (move_target(shape, cell, move) == NO_CELL)
        cell++;
    const struct pdb_step *step = &sum->group[sum->group_of[tile]]->step[cell][move];
    const bool leaps = step->between_count > 0;
    member.worth = step->direction * (leaps ? sum->leap[tile] : sum->ahead[tile]);
    if (leaps)
        member.row = (uint16_t)(row + (step->direction < 0));
    return member;
}

/* Adds to the members of a tile the group of a sum, unless it is there. `row`: the next one. */
static void member_add(struct counting *counting, unsigned s, unsigned tile, struct shape shape,
                       const uint8_t *symmetry, unsigned *row)
{
    const struct pdb *pdb = counting->pdb;
    const struct pdb_sum *sum = &pdb->sum[s];
    const unsigned group = sum->index[tile];
    struct members *members = &counting->members[tile];
    unsigned number = 0;
    while ((members->all >> number & 1) != 0 && members->member[0][number].group != group)
        number++;
    if ((members->all >> number & 1) == 0) {
        members->all |= UINT32_C(1) << number;
        for (unsigned move = 0; move < MOVES; move++) {
            struct member *member = &members->member[move][number];
            *member = member_of(sum, tile, shape, move, *row);
            member->group = (uint8_t)group;
            member->symmetry = symmetry[group];
        }
        for (unsigned other = 0; other < NODE_CELLS; other++) {
            counting->change[*row][other] = sum->passed[tile][other];
            counting->change[*row + 1][other] = -sum->passed[tile][other];
        }
        *row += 2;
    }
    for (unsigned move = 0; move < MOVES; move++)
        members->member[move][number].sums |= UINT32_C(1) << s;
    for (unsigned which = 0; which < 16; which++)
        if ((which >> s % 4 & 1) != 0)
            members->of[s / 4][which] |= UINT32_C(1) << number;
}

static void tables_make(struct counting *counting, struct shape shape,
                        const struct pdb_falls *falls)
{
    (void)falls;
    const struct pdb *pdb = counting->pdb;
    uint8_t symmetry[NODE_GROUPS] = {0};
    unsigned row = 1;
    for (unsigned i = 0; i < pdb->group_count; i++) {
        counting->values[i] = NODE_ONEBIT ? pdb->group[i].bits : pdb->group[i].values;
        counting->sets[i] = pdb->group[i].table->sets;
    }
    counting->between = shape.width - 1U;
    counting->sums = (uint32_t)((UINT64_C(1) << pdb->sums) - 1);
    symmetries_make(counting, shape, symmetry);
    for (unsigned s = 0; s < pdb->sums; s++)
        for (unsigned tile = 1; tile < shape.cells; tile++)
            member_add(counting, s, tile, shape, symmetry, &row);
}

static bool has_room_for(const struct pdb *pdb)
{
    return pdb->group_count <= NODE_GROUPS && pdb->sums <= NODE_SUMS;
}

#include "idastar/batch_walk.h"
