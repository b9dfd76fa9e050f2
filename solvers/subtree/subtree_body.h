/* The body of a subtree counter (subtree/subtree.h): the recursion of IDA* below a threshold,
 * stamped for one heuristic and one shape. A stamp is a file that includes, for boards of WIDTH x
 * HEIGHT cells, first the heuristic's header and then this; subtree/manhattan_bits.h is the one
 * to copy from. What it defines is how a node is kept in machine words (struct position; its
 * members are passed one by one, in registers where they are six at most with the counter and the
 * slack), what a move makes of it (position_after), whether h falls or rises by a move
 * (position_nearer and position_contrary), and whether it pays to call a child at all
 * (position_barren). h must change by 1 with each move, and be 0 at the goal only.
 *
 * What makes it fast. A function is stamped for each cell that the blank may be on and each move
 * that may have led there: cells, shifts and masks are constants, and of the four moves only the
 * two or three that there are remain. Instead of g and h a node has its slack, half of threshold -
 * (g + h): a move that lets h fall leaves it as it is, one that lets h rise takes one of it. Five
 * nodes in six have none left (spent_..; the others are roomy_..), and then it need not be passed
 * on. With the Manhattan distance a child is looked at before it is called, and a spent one is
 * called only if it has a child that is kept: two in five have none. Nodes are counted by how many
 * successors they have, one addition each. A node as deep as the threshold has h = 0 and is the
 * goal: so one comparison, which all but never holds, finds both the goal and the largest depth.
 *
 * The recursion goes as deep as the threshold, which is never above the length of a shortest
 * solution (31 on 3x3, 80 on 4x4, about 200 on 5x5), at less than 100 bytes of stack a level in a
 * release build.
 *
 * Instructions per generated node, all of idastar(manhattan) included, gcc 12.2 and clang 14.0,
 * release build: 11.7 and 11.3 on 4x4, 15.8 and 15.6 on 3x3 (short searches), 16.2 and 15.5 on 5x5;
 * 104 to 142 where nodes are walked. For 4x4 it is what this line collects, by what it generates:
 *     valgrind --tool=callgrind --toggle-collect=idastar_run build/release/tilelab solve \
 *         -s 'idastar(manhattan)' -g blank-first 6 14 10 5 15 8 7 1 3 4 2 0 12 9 11 13
 * Of these 71 in 100 are in the spent_.. functions (30 a call), 28 in the roomy_.. ones (49 a
 * call). With --branch-sim=yes 0.23 branches a node are foretold wrongly, nearly all of them tests
 * of whether a tile comes nearer. By the same line, gcc, linear_conflict takes 25.8 (0.34 branches
 * foretold wrongly) and walking_distance 30.3 (0.44; some 6 of them are walked nodes, as there are
 * few nodes in all); walked, they take 224 and 433. */
#ifndef SUBTREE_SUBTREE_BODY_H
#define SUBTREE_SUBTREE_BODY_H

#include "subtree/subtree.h"

/* A counter at work. */
struct counting {
    word mark;            /* a node that reaches it is, or has children, deeper than all before */
    uint64_t kept[MOVES]; /* nodes kept, by the number of their successors */
    uint64_t look;        /* the value of kept[2] at which to look up; see goes_on */
    unsigned threshold;   /* the search's */
    enum subtree_outcome outcome;
    struct search *search;
    struct slides slides;
};

/* The stamped functions: by the blank's cell and the move that leads back. */
#define PARAMETER(type, name) , type name
#define ARGUMENT(type, name)  , position.name
#define MEMBER(type, name)    .name = name,
typedef void count_spent(struct counting *POSITION_WORDS(PARAMETER));
typedef void count_roomy(struct counting *POSITION_WORDS(PARAMETER), int slack);

#define CELLS_0_TO_8(F)  F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8)
#define CELLS_0_TO_15(F) CELLS_0_TO_8(F) F(9) F(10) F(11) F(12) F(13) F(14) F(15)
#define CELLS_0_TO_24(F) CELLS_0_TO_15(F) F(16) F(17) F(18) F(19) F(20) F(21) F(22) F(23) F(24)
#if WIDTH * HEIGHT == 9
#define EACH_CELL CELLS_0_TO_8
#elif WIDTH * HEIGHT == 16
#define EACH_CELL CELLS_0_TO_15
#elif WIDTH * HEIGHT == 25
#define EACH_CELL CELLS_0_TO_24
#endif

#define DECLARE(cell)                                                                              \
    static count_spent spent_##cell##_U, spent_##cell##_D, spent_##cell##_L, spent_##cell##_R;     \
    static count_roomy roomy_##cell##_U, roomy_##cell##_D, roomy_##cell##_L, roomy_##cell##_R;
#define SPENT(cell) {spent_##cell##_U, spent_##cell##_D, spent_##cell##_L, spent_##cell##_R},
#define ROOMY(cell) {roomy_##cell##_U, roomy_##cell##_D, roomy_##cell##_L, roomy_##cell##_R},
EACH_CELL(DECLARE)
static count_spent *const spent[CELLS][MOVES] = {EACH_CELL(SPENT)};
static count_roomy *const roomy[CELLS][MOVES] = {EACH_CELL(ROOMY)};

/* A depth in the form that position_count has it, bits below it all 0. */
KERNEL word depth_mark(unsigned g)
{
    return (word)g << G_SHIFT;
}

KERNEL unsigned mark_depth(word mark)
{
    return (unsigned)(mark >> G_SHIFT);
}

/* How many successors a node has, the way back left out. */
KERNEL unsigned successors(unsigned cell)
{
    unsigned neighbours = 0;
    for (unsigned move = 0; move < MOVES; move++)
        neighbours += move_target(shape, cell, move) != NO_CELL;
    return neighbours - 1;
}

/* A child within the threshold, reached by a move of the blank from `cell`; `slack` is its own. */
KERNEL void count_kept(struct counting *counting, struct position parent, int slack, unsigned cell,
                       unsigned move)
{
    const unsigned to = move_target(shape, cell, move);
    counting->kept[successors(to)]++;
    if (slack == 0 && position_barren(parent, cell, move))
        return;
    const struct position position = position_after(&counting->slides, parent, cell, move);
    if (slack > 0)
        roomy[to][move_undo(move)](counting POSITION_WORDS(ARGUMENT), slack);
    else
        spent[to][move_undo(move)](counting POSITION_WORDS(ARGUMENT));
}

/* The child by one move, if it is one. h falls if the tile comes nearer and rises if it goes away,
 * unless the move is contrary. Written so that each of the four cases has its own code: where they
 * meet in a number first, linear conflict takes 31 instructions for each node instead of 26. */
KERNEL void count_child(struct counting *counting, struct position position, int slack,
                        unsigned cell, unsigned undo, unsigned move)
{
    if (move == undo || move_target(shape, cell, move) == NO_CELL)
        return;
    const int away = !position_nearer(position, cell, move);
    switch (away) {
    case 0:
        if (!position_contrary(&counting->slides, position, cell, move, true))
            count_kept(counting, position, slack, cell, move);
        else if (slack > 0)
            count_kept(counting, position, slack - 1, cell, move);
        break;
    case 1:
        if (position_contrary(&counting->slides, position, cell, move, false))
            count_kept(counting, position, slack, cell, move);
        else if (slack > 0)
            count_kept(counting, position, slack - 1, cell, move);
        break;
    }
}

/* A node is called that is, or has children, deeper than all before. */
CALLED static void go_deeper(struct counting *counting, unsigned depth)
{
    counting->mark = depth_mark(depth + 1 - LOOKS_AHEAD);
    if (depth == counting->threshold) {
        counting->outcome = SUBTREE_REFUSED; /* it is the goal */
        counting->look = 0;
    }
}

/* What the nodes kept have for successors in all. */
static uint64_t generated(const struct counting *counting)
{
    uint64_t count = 0;
    for (unsigned n = 1; n < MOVES; n++)
        count += n * counting->kept[n];
    return count;
}

static bool too_many(const struct counting *counting)
{
    const struct search *search = counting->search;
    return generated(counting) > search->limits.nodes - search->statistics.generated;
}

/* Looks up, once in a few hundred thousand nodes and when the goal was found: is there reason to go
 * on? */
CALLED static bool goes_on(struct counting *counting)
{
    enum { KEPT_PER_LOOK = 1 << 16 };
    if (counting->outcome == SUBTREE_COUNTED) {
        if (too_many(counting))
            counting->outcome = SUBTREE_REFUSED;
        else if (!search_may_go_on(counting->search))
            counting->outcome = SUBTREE_STOPPED;
    }
    counting->look = counting->outcome == SUBTREE_COUNTED ? counting->kept[2] + KEPT_PER_LOOK : 0;
    return counting->outcome == SUBTREE_COUNTED;
}

/* A node within the threshold: looks at its children. */
KERNEL void count_children(struct counting *counting, struct position position, int slack,
                           unsigned cell, unsigned undo)
{
    if (UNLIKELY(position_count(position) >= counting->mark))
        go_deeper(counting, mark_depth(position_count(position)) + LOOKS_AHEAD);
    if (slack > 0 && UNLIKELY(counting->kept[2] >= counting->look) && !goes_on(counting))
        return;
    count_child(counting, position, slack, cell, undo, MOVE_U);
    count_child(counting, position, slack, cell, undo, MOVE_D);
    count_child(counting, position, slack, cell, undo, MOVE_L);
    count_child(counting, position, slack, cell, undo, MOVE_R);
}

#define DEFINE_BACK(cell, back)                                                                    \
    CALLED static void spent_##cell##_##back(struct counting *counting POSITION_WORDS(PARAMETER))  \
    {                                                                                              \
        const struct position position = {POSITION_WORDS(MEMBER)};                                 \
        if (move_target(shape, cell, MOVE_##back) != NO_CELL)                                      \
            count_children(counting, position, 0, cell, MOVE_##back);                              \
    }                                                                                              \
    CALLED static void roomy_##cell##_##back(struct counting *counting POSITION_WORDS(PARAMETER),  \
                                             int slack)                                            \
    {                                                                                              \
        const struct position position = {POSITION_WORDS(MEMBER)};                                 \
        ASSUME(slack > 0);                                                                         \
        if (move_target(shape, cell, MOVE_##back) != NO_CELL)                                      \
            count_children(counting, position, slack, cell, MOVE_##back);                          \
    }
#define DEFINE(cell)                                                                               \
    DEFINE_BACK(cell, U) DEFINE_BACK(cell, D) DEFINE_BACK(cell, L) DEFINE_BACK(cell, R)
EACH_CELL(DEFINE)

static void prepare(void *data, struct search *search)
{
    struct counting *counting = data;
    counting->search = search;
    slides_make(&counting->slides, search->heuristic);
}

static enum subtree_outcome count(void *data, const struct enode *root, unsigned slack)
{
    struct counting *counting = data;
    struct search *search = counting->search;
    struct statistics *statistics = &search->statistics;
    const unsigned cell = root->board.blank;
    counting->mark = depth_mark((unsigned)statistics->max_depth + 1 - LOOKS_AHEAD);
    counting->threshold = root->g + root->h + 2 * slack;
    counting->outcome = SUBTREE_COUNTED;
    memset(counting->kept, 0, sizeof counting->kept);
    counting->kept[successors(cell)] = 1;
    const struct position position =
        position_of(&counting->slides, search->heuristic, &root->board, root->g);
    roomy[cell][root->undo](counting POSITION_WORDS(ARGUMENT), (int)slack);
    counting->look -= counting->look > counting->kept[2] ? counting->kept[2] : counting->look;
    if (counting->outcome == SUBTREE_COUNTED && too_many(counting))
        counting->outcome = SUBTREE_REFUSED;
    if (counting->outcome == SUBTREE_REFUSED)
        return SUBTREE_REFUSED;
    for (unsigned n = 1; n < MOVES; n++)
        statistics->expanded += counting->kept[n];
    const uint64_t left = search->limits.nodes - statistics->generated;
    statistics->generated += generated(counting) < left ? generated(counting) : left;
    raise_to(&statistics->max_depth, mark_depth(counting->mark) - 1 + LOOKS_AHEAD);
    raise_to(&statistics->max_stored, statistics->max_depth + 1);
    return counting->outcome;
}

/* Each rise more makes the subtrees some six times as large on 4x4, more on 5x5; with three,
 * walking takes less than one instruction in a hundred. */
enum { MOST_SLACK = 3 };

static bool fits(const struct heuristic *heuristic)
{
    return heuristic->kind->evaluate == EVALUATE && heuristic->kind->step == STEP &&
           shape_equal(heuristic->goal.shape, shape);
}

#define STAMP_SUBTREE(name)                                                                        \
    const struct subtree_kind name = {                                                             \
        .fits = fits,                                                                              \
        .bytes = sizeof(struct counting),                                                          \
        .most_slack = MOST_SLACK,                                                                  \
        .prepare = prepare,                                                                        \
        .count = count,                                                                            \
    };

#endif
