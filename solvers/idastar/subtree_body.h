/* The body of a subtree counter (idastar/subtree.h): the recursion of IDA* below a threshold,
 * compiled for one HEURISTIC and one shape, WIDTH x HEIGHT (idastar/subtree.def). The heuristic's
 * header, HEURISTIC_bits.h, is included before; idastar/manhattan_bits.h is the one to copy from.
 * It defines
 *   - how a node is kept in machine words (struct position). Its members are passed one by one, in
 *     registers if there are no more than four of them;
 *   - what a move makes of it (position_after);
 *   - whether h falls or rises with a move: position_nearer; if there are exceptions, HAS_CONTRARY
 *     and position_contrary;
 *   - LOOKS_AHEAD; if it is 1, whether a child needs to be called at all (position_barren).
 * h must change by 1 with each move, and be 0 at the goal only.
 *
 * What makes it fast. There is a function for each cell that the blank may be on and each move that
 * may have led there. So cells, shifts and masks are constants, and of the four moves only the two
 * or three possible ones are left. In place of g and h a node has its slack: half of threshold -
 * (g + h). A move that lets h fall keeps the slack; one that lets h rise takes 1 from it. Five
 * nodes in six have no slack left, and their functions (tight_..) need not be passed any; the
 * others are slack_... With the Manhattan distance a child is looked at before it is called: a
 * tight one is called only if it has a child that is kept, and two in five have none. Nodes are
 * counted by their number of successors, one addition each. A node as deep as the threshold has h =
 * 0 and is the goal: so one comparison, almost always false, finds both the goal and a new maximum
 * depth.
 *
 * The recursion goes as deep as the threshold, which never exceeds the length of a shortest
 * solution (31 on 3x3, 80 on 4x4, about 200 on 5x5), with less than 100 bytes of stack a level in a
 * release build.
 *
 * scripts/bench instructions prints the instructions for each generated node. */
#pragma once

#include "idastar/subtree.h"
#if PRUNES
#include "idastar/pruning.h"
#endif

#define FUNCTION_OF(name, part) name##part
#define FUNCTION(name, part)    FUNCTION_OF(name, part)
#define DECLARE_ROW(name)       DECLARE_HEURISTIC(name)
DECLARE_ROW(HEURISTIC);

/* A counter at work. */
struct counting {
    word mark;            /* a node whose count reaches it may set a new maximum depth */
    uint64_t kept[MOVES]; /* nodes kept, by the number of their successors */
    uint64_t look;        /* the value of kept[2] at which goes_on is called */
    unsigned threshold;   /* the search's */
    enum subtree_outcome outcome;
    struct search *search;
    struct tables tables;
#if PRUNES
    const struct pruning *pruning;
#endif
};

/* The functions, by the blank's cell and the move that leads back. If PRUNES is 1, they are passed
 * a link (idastar/pruning.h), which says that, too: so there is one for each cell. */
#if PRUNES
#define CONTEXT_PARAMETER , unsigned context
#define CONTEXT_ARGUMENT  , context
#else
#define CONTEXT_PARAMETER
#define CONTEXT_ARGUMENT
#endif
#define PARAMETER(type, name) , type name
#define ARGUMENT(type, name)  , position.name
#define MEMBER(type, name)    .name = name,
typedef void count_tight(struct counting *POSITION_WORDS(PARAMETER) CONTEXT_PARAMETER);
typedef void count_slack(struct counting *POSITION_WORDS(PARAMETER) CONTEXT_PARAMETER, int slack);

/* CELLS_n(F): F(0) .. F(n - 1). EACH_CELL is the one for WIDTH * HEIGHT. */
#define CELLS_4(F)  F(0) F(1) F(2) F(3)
#define CELLS_5(F)  CELLS_4(F) F(4)
#define CELLS_6(F)  CELLS_5(F) F(5)
#define CELLS_7(F)  CELLS_6(F) F(6)
#define CELLS_8(F)  CELLS_7(F) F(7)
#define CELLS_9(F)  CELLS_8(F) F(8)
#define CELLS_10(F) CELLS_9(F) F(9)
#define CELLS_11(F) CELLS_10(F) F(10)
#define CELLS_12(F) CELLS_11(F) F(11)
#define CELLS_13(F) CELLS_12(F) F(12)
#define CELLS_14(F) CELLS_13(F) F(13)
#define CELLS_15(F) CELLS_14(F) F(14)
#define CELLS_16(F) CELLS_15(F) F(15)
#define CELLS_17(F) CELLS_16(F) F(16)
#define CELLS_18(F) CELLS_17(F) F(17)
#define CELLS_19(F) CELLS_18(F) F(18)
#define CELLS_20(F) CELLS_19(F) F(19)
#define CELLS_21(F) CELLS_20(F) F(20)
#define CELLS_22(F) CELLS_21(F) F(21)
#define CELLS_23(F) CELLS_22(F) F(22)
#define CELLS_24(F) CELLS_23(F) F(23)
#define CELLS_25(F) CELLS_24(F) F(24)

#if PRUNES
#define BACKS(F, cell) F(cell, NONE)
#else
#define BACKS(F, cell) F(cell, U) F(cell, D) F(cell, L) F(cell, R)
#endif
#define DECLARE_BACK(cell, back)                                                                   \
    static count_tight tight_##cell##_##back;                                                      \
    static count_slack slack_##cell##_##back;
#define TIGHT_BACK(cell, back) tight_##cell##_##back,
#define SLACK_BACK(cell, back) slack_##cell##_##back,
#define DECLARE(cell)          BACKS(DECLARE_BACK, cell)
#define TIGHT(cell)            {BACKS(TIGHT_BACK, cell)},
#define SLACK(cell)            {BACKS(SLACK_BACK, cell)},
EACH_CELL(DECLARE)
static count_tight *const tight_at[CELLS][PRUNES ? 1 : MOVES] = {EACH_CELL(TIGHT)};
static count_slack *const slack_at[CELLS][PRUNES ? 1 : MOVES] = {EACH_CELL(SLACK)};

/* Which of a cell's functions counts a node to which the move back is `undo`. */
KERNEL unsigned function_of(unsigned undo)
{
    return PRUNES ? 0 : undo;
}

/* A depth as position_count holds it, with all bits below it 0. */
KERNEL word depth_mark(unsigned g)
{
    return (word)g << G_SHIFT;
}

KERNEL unsigned mark_depth(word mark)
{
    return (unsigned)(mark >> G_SHIFT);
}

/* How many successors a node has, without the way back. */
KERNEL unsigned successors(unsigned cell)
{
    unsigned neighbours = 0;
    for (unsigned move = 0; move < MOVES; move++)
        neighbours += move_target(shape, cell, move) != NO_CELL;
    return neighbours - 1;
}

/* A node that is called is as deep as any, or, if a tight one is called only for a child that is
 * kept, that child is. Of nodes that are called where that child may be pruned, those that are kept
 * are looked at. */
enum { DEEPEST_AHEAD = LOOKS_AHEAD && !PRUNES, LOOKS_AT_KEPT = LOOKS_AHEAD && PRUNES };

/* A node is called or kept that is, or has children, deeper than all before. */
CALLED static void go_deeper(struct counting *counting, unsigned depth)
{
    counting->mark = depth_mark(depth + 1 - DEEPEST_AHEAD);
    if (depth == counting->threshold) {
        counting->outcome = SUBTREE_REFUSED; /* this is the goal */
        counting->look = 0;
    }
}

/* How many successors a child has, on cell `to`. */
KERNEL unsigned followers_of(unsigned to, unsigned context)
{
#if PRUNES
    (void)to;
    return moves_left(context);
#else
    (void)context;
    return successors(to);
#endif
}

/* Counts a child within the threshold, made by a move of the blank from `cell`; `slack` and
 * `context` are the child's. */
KERNEL void count_kept(struct counting *counting, struct position parent, int slack,
                       unsigned context, unsigned cell, unsigned move)
{
    const unsigned to = move_target(shape, cell, move);
    counting->kept[followers_of(to, context)]++;
    if (LOOKS_AT_KEPT && UNLIKELY(position_count(parent) + depth_mark(1) >= counting->mark))
        go_deeper(counting, mark_depth(position_count(parent)) + 1);
#if LOOKS_AHEAD
    if (slack == 0 && position_barren(parent, cell, move))
        return;
#endif
    const struct position position = position_after(&counting->tables, parent, cell, move);
    if (slack > 0)
        slack_at[to][function_of(move_undo(move))](
            counting POSITION_WORDS(ARGUMENT) CONTEXT_ARGUMENT, slack);
    else
        tight_at[to][function_of(move_undo(move))](counting POSITION_WORDS(ARGUMENT)
                                                       CONTEXT_ARGUMENT);
}

#ifndef HAS_CONTRARY
/* No move is an exception. */
KERNEL bool position_contrary(const struct tables *tables, struct position position, unsigned cell,
                              unsigned move, bool nearer)
{
    (void)tables;
    (void)position;
    (void)cell;
    (void)move;
    (void)nearer;
    return false;
}
#endif

/* Counts the child made by one move, if it is within the threshold. h falls if the tile comes
 * nearer and rises if it goes away, unless the move is contrary. Each of the four cases has its own
 * code: if a number is computed first, linear conflict takes a sixth more instructions. */
KERNEL void count_child(struct counting *counting, struct position position, int slack,
                        unsigned context, unsigned cell, unsigned undo, unsigned move)
{
    if (move == undo || move_target(shape, cell, move) == NO_CELL)
        return;
#if PRUNES
    if ((context >> move & 1) == 0)
        return;
    context = counting->pruning->next[context >> LEFT_BITS][move];
#endif
    const int away = !position_nearer(position, cell, move);
    switch (away) {
    case 0:
        if (!position_contrary(&counting->tables, position, cell, move, true))
            count_kept(counting, position, slack, context, cell, move);
        else if (slack > 0)
            count_kept(counting, position, slack - 1, context, cell, move);
        break;
    case 1:
        if (position_contrary(&counting->tables, position, cell, move, false))
            count_kept(counting, position, slack, context, cell, move);
        else if (slack > 0)
            count_kept(counting, position, slack - 1, context, cell, move);
        break;
    }
}

/* How many successors all kept nodes have together. */
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

/* Whether there is reason to go on. Asked once in a few hundred thousand nodes, and when the goal
 * was found. */
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

/* Counts the children of a node within the threshold. */
KERNEL void count_children(struct counting *counting, struct position position, int slack,
                           unsigned context, unsigned cell, unsigned undo)
{
    if (!LOOKS_AT_KEPT && UNLIKELY(position_count(position) >= counting->mark))
        go_deeper(counting, mark_depth(position_count(position)) + DEEPEST_AHEAD);
    if (slack > 0 && UNLIKELY(counting->kept[2] >= counting->look) && !goes_on(counting))
        return;
    count_child(counting, position, slack, context, cell, undo, MOVE_U);
    count_child(counting, position, slack, context, cell, undo, MOVE_D);
    count_child(counting, position, slack, context, cell, undo, MOVE_L);
    count_child(counting, position, slack, context, cell, undo, MOVE_R);
}

#if !PRUNES
enum { context = 0 };
#endif
#define DEFINE_BACK(cell, back)                                                                    \
    CALLED static void tight_##cell##_##back(struct counting *counting POSITION_WORDS(PARAMETER)   \
                                                 CONTEXT_PARAMETER)                                \
    {                                                                                              \
        const struct position position = {POSITION_WORDS(MEMBER)};                                 \
        if (PRUNES || move_target(shape, cell, MOVE_##back) != NO_CELL)                            \
            count_children(counting, position, 0, context, cell, MOVE_##back);                     \
    }                                                                                              \
    CALLED static void slack_##cell##_##back(                                                      \
        struct counting *counting POSITION_WORDS(PARAMETER) CONTEXT_PARAMETER, int slack)          \
    {                                                                                              \
        const struct position position = {POSITION_WORDS(MEMBER)};                                 \
        ASSUME(slack > 0);                                                                         \
        if (PRUNES || move_target(shape, cell, MOVE_##back) != NO_CELL)                            \
            count_children(counting, position, slack, context, cell, MOVE_##back);                 \
    }
#define DEFINE(cell) BACKS(DEFINE_BACK, cell)
EACH_CELL(DEFINE)

static void prepare(void *data, struct search *search, const struct pdb_falls *falls)
{
    (void)falls;
    struct counting *counting = data;
    counting->search = search;
    tables_make(&counting->tables, search->heuristic);
#if PRUNES
    counting->pruning = search->pruning;
#endif
}

static enum subtree_outcome count(void *data, const struct enode *root, unsigned slack)
{
    struct counting *counting = data;
    struct search *search = counting->search;
    struct statistics *statistics = &search->statistics;
    const unsigned cell = root->board.blank;
    counting->mark = depth_mark((unsigned)statistics->max_depth + 1 - DEEPEST_AHEAD);
    counting->threshold = root->g + root->h + 2 * slack;
    counting->outcome = SUBTREE_COUNTED;
    memset(counting->kept, 0, sizeof counting->kept);
#if PRUNES
    const unsigned context = pruning_link(counting->pruning, root->context, cell);
#endif
    counting->kept[followers_of(cell, context)] = 1;
    const struct position position =
        position_of(&counting->tables, search->heuristic, &root->board, root->g);
    if (slack > 0)
        slack_at[cell][function_of(root->undo)](counting POSITION_WORDS(ARGUMENT) CONTEXT_ARGUMENT,
                                                (int)slack);
    else
        tight_at[cell][function_of(root->undo)](counting POSITION_WORDS(ARGUMENT) CONTEXT_ARGUMENT);
    counting->look -= counting->look > counting->kept[2] ? counting->kept[2] : counting->look;
    if (counting->outcome == SUBTREE_COUNTED && too_many(counting))
        counting->outcome = SUBTREE_REFUSED;
    if (counting->outcome == SUBTREE_REFUSED || search->paused) /* it is counted again */
        return counting->outcome;
    for (unsigned n = 0; n < MOVES; n++)
        statistics->expanded += counting->kept[n];
    const uint64_t left = search->limits.nodes - statistics->generated;
    statistics->generated += generated(counting) < left ? generated(counting) : left;
    raise_to(&statistics->max_depth, mark_depth(counting->mark) - 1 + DEEPEST_AHEAD);
    raise_to(&statistics->max_stored, statistics->max_depth + 1);
    return counting->outcome;
}

/* Each unit of slack makes subtrees about six times as large on 4x4, more on 5x5. With 3, walking
 * takes less than one instruction in a hundred. */
enum { MAX_SLACK = 3 };

static bool fits(const struct heuristic *heuristic)
{
    return heuristic->kind->evaluate == FUNCTION(HEURISTIC, _evaluate) &&
           heuristic->kind->step == FUNCTION(HEURISTIC, _step) &&
           heuristic->choice.argument[0] == '\0' && shape_equal(heuristic->goal.shape, shape);
}

const struct subtree_kind STAMP = {
    .prunes = PRUNES,
    .fits = fits,
    .bytes = sizeof(struct counting),
    .max_slack = MAX_SLACK,
    .prepare = prepare,
    .count = count,
};
