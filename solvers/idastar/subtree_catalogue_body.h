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
 * can drop a child whose value rises by 1. So the members of tight sums are looked up first, one
 * after the other for each child, until one drops it. The other members are looked up only for the
 * children that are left.
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
    DIGITS = 10, /* of a slack; the last one tells that it is negative */
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
    unsigned count;
    struct member member[MOVES][NODE_SUMS];
};

struct child {
    const struct node *parent;
    const struct member *member; /* of its tile, for its move */
    uint32_t tight;              /* members that are to be looked up and may drop it */
    uint32_t left;               /* members that were not looked up */
    uint8_t slide;
    uint8_t tile;
    uint8_t members;
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
    uint8_t kept[CHILDREN];
    struct node batch[BATCH];
    struct node stack[STACK];
};

KERNEL void copy_node(struct node *to, const struct node *from)
{
    typedef uint32_t piece __attribute__((vector_size(UNIT), may_alias));
    for (unsigned i = 0; i < sizeof *to / UNIT; i++)
        ((piece *)to)[i] = ((const piece *)from)[i];
}

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

/* Finds where the value of a member lies for a child, and prefetches it. */
KERNEL void find_value(const struct counting *counting, struct child *child, unsigned number)
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
    const placement placed = (parent->placed[group] + (uint64_t)(int64_t)change) ^ step->flip;
    const uint32_t entry =
        pattern_sets_entry(counting->sets[group], placed >> ORDER_BITS, step->blank) +
        (uint32_t)(placed & ((1U << ORDER_BITS) - 1));
    child->placed[number] = placed;
#else
    const uint32_t entry = parent->placed[group] + (uint32_t)change;
#endif
    child->entry[number] = entry;
    __builtin_prefetch(counting->values[group] + (NODE_ONEBIT ? entry / 8 : entry));
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

/* Lists the children of a node of the batch; returns how many there are then. */
KERNEL unsigned list_children(struct counting *counting, unsigned number, unsigned count)
{
    const struct node *node = &counting->batch[number];
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
        child->members = (uint8_t)members->count;
        child->tight = 0;
        for (unsigned j = 0; j < members->count; j++)
            child->tight |= (uint32_t)((child->member[j].sums & tight) != 0) << j;
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
    copy_node(node, child->parent);
    for (unsigned i = 0; i < child->members; i++) {
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
    const ptrdiff_t held = top - counting->stack;
    const unsigned taken = held < BATCH ? (unsigned)held : BATCH;
    unsigned count = 0;
    top -= taken;
    for (unsigned i = 0; i < taken; i++)
        copy_node(&counting->batch[i], &top[i]);
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
    while (number < members->count && members->member[0][number].group != group)
        number++;
    if (number == members->count) {
        members->count++;
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
