/* The body of a subtree counter (subtree/subtree.h) for pattern databases, stamped for boards of at
 * most NODE_CELLS cells, NODE_GROUPS groups in all sums, and NODE_BETWEEN cells between one cell
 * and the next of its column.
 *
 * What a search with pattern databases waits for is the tables: hundreds of megabytes, read
 * everywhere. As the order of the nodes does not matter, they need not be waited for one by one:
 * nodes are taken from a stack in batches, the places of all their children's values are found
 * first, and when the last is known the first has arrived. A child that is kept goes onto the
 * stack. So, but for the ends of loops, there is no branch that could be foretold wrongly either:
 * children are listed, told apart and kept by adding 0 or 1 to a number of entries.
 *
 * A node has the rank and the value of each group, and for each sum the room that is left under the
 * threshold. A child is kept if the value of the one group that changed is at most the parent's
 * value and room. Where there are two sums, the second is looked up for those children alone that
 * the first keeps. A node as deep as the threshold has h = 0 and is the goal, or may be: then the
 * search must walk.
 *
 * How many nodes lie on the stack is limited by the batches, not by the tree's size: a level adds
 * at most two batches more than it takes. On Korf's boards and on those of the 24-puzzle that
 * scripts/bench pdb runs there were never more than 467; a subtree that wants more than STACK is
 * refused, and smaller ones in it are counted.
 *
 * Instructions per generated node, all of idastar_run included, gcc 12.2 and clang 14.0, release
 * build: 82 and 80 with pdb:5-5-5, 86 and 84 with 7-8, 120 and 117 with 5-5-5:reflect, by what this
 * line collects, divided by what it generates:
 *     valgrind --tool=callgrind --toggle-collect=idastar_run build/release/tilelab solve \
 *         -s 'idastar(pdb:5-5-5)' -g blank-first 13 11 8 9 0 15 7 10 4 3 6 14 5 12 2 1
 * With gcc a child costs 40 where its value is found, 12 where it is looked at, and 43 if it is
 * kept; a node 20 where its children are listed. Nodes a second on the tables of 7-8 (scripts/bench
 * pdb): a sixth to a quarter less without the prefetching, a tenth less with batches of 16; batches
 * of 48 and the tables copied to huge pages make no difference. */
#ifndef SUBTREE_SUBTREE_PDB_BODY_H
#define SUBTREE_SUBTREE_PDB_BODY_H

#include "heuristics/pdb.h"
#include "subtree/subtree.h"

enum {
    BATCH = 32,
    STACK = 2048,
    UNIT = 16, /* bytes: what a node's size is a multiple of */
};

/* A node within the threshold. */
struct node {
    _Alignas(UNIT) uint8_t cell[NODE_CELLS];
    uint32_t rank[NODE_GROUPS]; /* of the groups of all sums */
    uint8_t value[NODE_GROUPS]; /* of these ranks */
    int16_t room[2];            /* of each sum: threshold - (g + sum) */
    uint16_t g;
    uint8_t slide; /* that led here: cell that the blank left x MOVES + move */
};
enum { UNITS = sizeof(struct node) / UNIT };
_Static_assert(256 / BATCH >= UNITS, "a node of a batch is told by a byte");

/* What a slide of a tile does to the rank of its group (heuristics/pdb.h). Where fewer cells lie
 * between, the cell of the tile that moves stands for the others: it changes nothing. */
struct hop {
    int32_t worth; /* of the move itself */
    uint8_t between[NODE_BETWEEN];
    uint8_t group;
    uint8_t row; /* of view->change; 0, which is all 0, where no cell lies between */
};

/* A sum as the loops read it. */
struct view {
    const uint8_t *values[NODE_GROUPS];
    uint8_t group_of[NODE_CELLS]; /* tile -> its group */
    /* By the tile that moves, backwards NODE_CELLS more, and the tile that is passed. */
    int32_t change[2 * NODE_CELLS][NODE_CELLS];
    struct hop hop[NODE_CELLS * MOVES][NODE_CELLS]; /* slide, tile that moves */
};

/* The slides after a slide. All four are read, added to and written as one word. */
struct next {
    uint16_t slide[MOVES - 1];
    uint16_t number;
};

/* Children at work, side by side. */
struct children {
    uint16_t pair[MOVES * BATCH];           /* parent's place in the batch, in units << 8 | slide */
    uint8_t kept[MOVES * BATCH];            /* numbers of those that are */
    const uint8_t *value[2][MOVES * BATCH]; /* of the group whose tile moves, in its table */
    int16_t most[2][MOVES * BATCH];         /* a larger value is above the threshold */
};

struct counting {
    struct search *search;
    const struct pdb *pdb;
    uint64_t expanded;
    uint64_t generated;
    uint64_t look; /* the value of expanded at which to look up */
    unsigned threshold;
    unsigned deepest;
    unsigned between; /* the most cells between two neighbours */
    enum subtree_outcome outcome;
    uint8_t from[NODE_CELLS * MOVES]; /* slide -> the cell that the blank comes to */
    struct next next[NODE_CELLS * MOVES];
    struct view view[2];
    struct children children;
    struct node batch[BATCH];
    struct node stack[STACK];
};

KERNEL const struct node *parent_of(const struct counting *counting, unsigned pair)
{
    return (const struct node *)((const char *)counting->batch + (pair >> 8) * (size_t)UNIT);
}

KERNEL unsigned between_count(const struct counting *counting)
{
    return NODE_BETWEEN < MAX_BETWEEN ? NODE_BETWEEN : counting->between;
}

/* Finds the values of children in the tables of a sum, and has them fetched. `which` has the
 * children's numbers, NULL: all. */
KERNEL void find_values(struct counting *counting, unsigned s, const uint8_t *which, unsigned count)
{
    struct children *children = &counting->children;
    const struct view *view = &counting->view[s];
    for (unsigned i = 0; i < count; i++) {
        const unsigned child = which == NULL ? i : which[i];
        const unsigned pair = children->pair[child];
        const unsigned slide = pair & 255;
        const struct node *parent = parent_of(counting, pair);
        const unsigned tile = parent->cell[counting->from[slide]];
        const struct hop *hop = &view->hop[slide][tile];
        const unsigned group = hop->group;
        const int32_t *changes = view->change[hop->row];
        int32_t change = hop->worth;
        for (unsigned j = 0; j < between_count(counting); j++)
            change += changes[parent->cell[hop->between[j]]];
        const uint32_t rank = parent->rank[group] + (uint32_t)change;
        const uint8_t *value = view->values[group] + rank;
        __builtin_prefetch(value);
        children->value[s][child] = value;
        children->most[s][child] = (int16_t)(parent->room[s] + parent->value[group]);
    }
}

/* Keeps those children that a sum leaves within the threshold; their number. */
KERNEL unsigned keep_children(struct counting *counting, unsigned s, const uint8_t *which,
                              unsigned count)
{
    struct children *children = &counting->children;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned child = which == NULL ? i : which[i];
        children->kept[kept] = (uint8_t)child;
        kept += *children->value[s][child] <= children->most[s][child];
    }
    return kept;
}

/* Sets a kept child's entries for a sum. */
KERNEL void enter_sum(struct node *node, const struct counting *counting, unsigned s,
                      unsigned child, unsigned tile)
{
    const struct children *children = &counting->children;
    const struct view *view = &counting->view[s];
    const unsigned group = view->group_of[tile];
    const uint8_t *value = children->value[s][child];
    node->rank[group] = (uint32_t)(value - view->values[group]);
    node->value[group] = *value;
    node->room[s] = (int16_t)(children->most[s][child] - *value - 1);
}

/* Takes a batch of nodes from the stack, and puts their children that are kept there. */
KERNEL struct node *expand_batch(struct counting *counting, struct node *top, bool two_sums)
{
    struct children *children = &counting->children;
    const ptrdiff_t held = top - counting->stack;
    const unsigned taken = held < BATCH ? (unsigned)held : BATCH;
    const struct next units = {.slide = {UNITS << 8, UNITS << 8, UNITS << 8}};
    uint64_t place; /* what the next parent's pairs have more than this one's */
    unsigned count = 0;
    memcpy(&place, &units, sizeof place);
    top -= taken;
    for (unsigned i = 0; i < taken; i++) {
        const struct next *next = &counting->next[top[i].slide];
        counting->batch[i] = top[i];
        uint64_t pairs;
        memcpy(&pairs, next, sizeof pairs);
        pairs += i * place;
        memcpy(children->pair + count, &pairs, sizeof pairs);
        count += next->number;
    }
    counting->expanded += taken;
    counting->generated += count;
    find_values(counting, 0, NULL, count);
    unsigned kept = keep_children(counting, 0, NULL, count);
    if (two_sums) {
        find_values(counting, 1, children->kept, kept);
        kept = keep_children(counting, 1, children->kept, kept);
    }
    for (unsigned i = 0; i < kept; i++) {
        const unsigned child = children->kept[i];
        const unsigned slide = children->pair[child] & 255;
        const struct node *parent = parent_of(counting, children->pair[child]);
        const unsigned from = counting->from[slide];
        const unsigned tile = parent->cell[from];
        const unsigned g = parent->g + 1U;
        struct node *node = top++;
        *node = *parent;
        node->cell[slide / MOVES] = (uint8_t)tile;
        node->cell[from] = 0;
        node->slide = (uint8_t)slide;
        node->g = (uint16_t)g;
        if (g > counting->deepest)
            counting->deepest = g;
        enter_sum(node, counting, 0, child, tile);
        if (two_sums)
            enter_sum(node, counting, 1, child, tile);
    }
    return top;
}

static bool too_many(const struct counting *counting)
{
    const struct search *search = counting->search;
    return counting->generated > search->limits.nodes - search->statistics.generated;
}

/* Looks up, once in some ten thousand nodes: is there reason to go on? The watcher is shown what
 * was counted so far, though it may yet be refused. */
CALLED static bool goes_on(struct counting *counting)
{
    enum { EXPANDED_PER_LOOK = 1 << 14 };
    struct search *search = counting->search;
    struct statistics *statistics = &search->statistics;
    counting->look = counting->expanded + EXPANDED_PER_LOOK;
    if (too_many(counting)) {
        counting->outcome = SUBTREE_REFUSED;
    } else {
        statistics->expanded += counting->expanded;
        statistics->generated += counting->generated;
        if (!search_may_go_on(search))
            counting->outcome = SUBTREE_STOPPED;
        statistics->expanded -= counting->expanded;
        statistics->generated -= counting->generated;
    }
    return counting->outcome == SUBTREE_COUNTED;
}

/* Counts all below the root, which is on the stack. */
KERNEL void expand_all(struct counting *counting, bool two_sums)
{
    struct node *const full = counting->stack + STACK - 2 * BATCH; /* what a batch may add */
    struct node *top = counting->stack + 1;
    while (top > counting->stack) {
        top = expand_batch(counting, top, two_sums);
        if (UNLIKELY(counting->deepest >= counting->threshold || top > full)) {
            counting->outcome = SUBTREE_REFUSED; /* it has the goal, or is too wide */
            return;
        }
        if (UNLIKELY(counting->expanded >= counting->look) && !goes_on(counting))
            return;
    }
}

static void root_make(struct counting *counting, const struct enode *root)
{
    const struct pdb *pdb = counting->pdb;
    const struct board *board = &root->board;
    struct node *node = counting->stack;
    unsigned groups = 0;
    *node = (struct node){.g = (uint16_t)root->g};
    memcpy(node->cell, board->cell, board->shape.cells);
    node->slide = (uint8_t)(move_target(board->shape, board->blank, root->undo) * MOVES +
                            move_undo(root->undo));
    for (unsigned s = 0; s < pdb->sums; s++) {
        unsigned value = 0;
        for (unsigned i = 0; i < pdb->sum[s].count; i++, groups++) {
            const struct pdb_group *group = &pdb->sum[s].group[i];
            node->rank[groups] = pdb_group_rank(group, board);
            node->value[groups] = group->values[node->rank[groups]];
            value += node->value[groups];
        }
        node->room[s] = (int16_t)(counting->threshold - root->g - value);
    }
}

static enum subtree_outcome count(void *data, const struct enode *root, unsigned slack)
{
    struct counting *counting = data;
    struct search *search = counting->search;
    struct statistics *statistics = &search->statistics;
    counting->threshold = root->g + root->h + 2 * slack;
    counting->deepest = root->g;
    counting->outcome = SUBTREE_COUNTED;
    counting->look -= counting->look > counting->expanded ? counting->expanded : counting->look;
    counting->expanded = counting->generated = 0;
    root_make(counting, root);
    if (counting->pdb->sums == 1)
        expand_all(counting, false);
    else
        expand_all(counting, true);
    if (counting->outcome == SUBTREE_COUNTED && too_many(counting))
        counting->outcome = SUBTREE_REFUSED;
    if (counting->outcome == SUBTREE_REFUSED)
        return SUBTREE_REFUSED;
    const uint64_t left = search->limits.nodes - statistics->generated;
    statistics->expanded += counting->expanded;
    statistics->generated += counting->generated < left ? counting->generated : left;
    raise_to(&statistics->max_depth, counting->deepest);
    raise_to(&statistics->max_stored, statistics->max_depth + 1);
    return counting->outcome;
}

static void slides_make(struct counting *counting, struct shape shape)
{
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned slide = cell * MOVES + move;
            const unsigned to = move_target(shape, cell, move);
            struct next *after = &counting->next[slide];
            if (to == NO_CELL)
                continue;
            counting->from[slide] = (uint8_t)to;
            for (unsigned next = 0; next < MOVES; next++)
                if (next != move_undo(move) && move_target(shape, to, next) != NO_CELL)
                    after->slide[after->number++] = (uint16_t)(to * MOVES + next);
        }
}

/* `first`: the number of the sum's first group among those of all sums. */
static void view_make(struct view *view, const struct pdb_sum *sum, unsigned first,
                      struct shape shape, const uint8_t *from)
{
    for (unsigned i = 0; i < sum->count; i++)
        view->values[first + i] = sum->group[i].values;
    for (unsigned tile = 1; tile < shape.cells; tile++) {
        const struct pdb_group *group = &sum->group[sum->group_of[tile]];
        view->group_of[tile] = (uint8_t)(first + sum->group_of[tile]);
        for (unsigned other = 1; other < shape.cells; other++) {
            view->change[tile][other] = sum->passed[tile][other];
            view->change[NODE_CELLS + tile][other] = -sum->passed[tile][other];
        }
        for (unsigned slide = 0; slide < shape.cells * MOVES; slide++) {
            const struct pdb_step *step = &group->step[slide / MOVES][slide % MOVES];
            const bool leaps = step->between_count > 0;
            struct hop *hop = &view->hop[slide][tile];
            hop->worth = step->direction * (leaps ? sum->leap[tile] : sum->ahead[tile]);
            memset(hop->between, from[slide], sizeof hop->between);
            memcpy(hop->between, step->between, step->between_count);
            hop->group = view->group_of[tile];
            if (leaps)
                hop->row = (uint8_t)(step->direction > 0 ? tile : NODE_CELLS + tile);
        }
    }
}

static void prepare(void *data, struct search *search)
{
    struct counting *counting = data;
    const struct shape shape = search->task->start.shape;
    counting->search = search;
    counting->pdb = search->heuristic->data;
    counting->between = shape.width - 1U;
    slides_make(counting, shape);
    for (unsigned s = 0; s < counting->pdb->sums; s++)
        view_make(&counting->view[s], &counting->pdb->sum[s], s * counting->pdb->sum[0].count,
                  shape, counting->from);
}

static bool fits(const struct heuristic *heuristic)
{
    const struct shape shape = heuristic->goal.shape;
    if (heuristic->kind->evaluate != pdb_evaluate || heuristic->kind->step != pdb_step)
        return false;
    const struct pdb *pdb = heuristic->data;
    return shape.cells <= NODE_CELLS && shape.width <= NODE_BETWEEN + 1 &&
           pdb->sums * pdb->sum[0].count <= NODE_GROUPS;
}

#define STAMP_SUBTREE(name)                                                                        \
    const struct subtree_kind name = {                                                             \
        .fits = fits,                                                                              \
        .bytes = sizeof(struct counting),                                                          \
        .most_slack = 3,                                                                           \
        .prepare = prepare,                                                                        \
        .count = count,                                                                            \
    };

#endif
