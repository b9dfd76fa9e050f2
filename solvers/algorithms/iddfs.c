/* Iterative-deepening depth-first search (Slate and Atkin, "CHESS 4.5: the Northwestern University
 * chess program", in Chess Skill in Man and Machine, 1977; Korf, "Depth-first iterative-deepening:
 * an optimal admissible tree search", Artificial Intelligence 27, 1985): depth-first searches to
 * depth 0, 1, 2, .., each from the root anew, until one of them comes to the goal, which then lies
 * as deep as a shortest path is long.
 *
 * Every round counts what dfs(depth_limit=N) counts that notices the same duplicates; the root is
 * counted as generated once, not in every round. As there, all successors of an E-node are
 * generated before the first of them is looked at. Only the nodes at the round's limit are compared
 * with the goal: the others were in the round before.
 *
 * duplicates=parent (default): the way back to the parent is left out; memory grows with the depth
 * alone. duplicates=path: states on the current path are not entered again either. duplicates=none:
 * nothing is checked. parity: every move moves the blank by one cell, so that all paths to the goal
 * are of the same parity, known from the blank; the rounds of the other are left out. depth_limit:
 * the deepest round.
 *
 * The successors of a node follow from where its blank is and came from: they are listed once for
 * the shape, and counted before they are made. Most nodes are leaves, of which nothing is made but
 * the packed board that is held against the goal's. One copy for each packing is enough: there is
 * nothing left in the loop that would be quicker for a shape known to the compiler. */
#include "algorithms/algorithm.h"
#include "search/search.h"

enum { DUPLICATES, PARITY, DEPTH_LIMIT };
enum { PARENT, PATH, NONE };

const struct option_row iddfs_options[] = {
    [DUPLICATES] = {.name = "duplicates",
                    .help = "which states met before are not entered again",
                    .kind = OPTION_CHOICE,
                    .choices = {"parent", "path", "none"}},
    [PARITY] = {.name = "parity",
                .help = "only rounds of the parity that a solution must have",
                .kind = OPTION_FLAG},
    [DEPTH_LIMIT] = {.name = "depth_limit",
                     .help = "the deepest round",
                     .kind = OPTION_NUMBER,
                     .fallback = OPTION_UNSET,
                     .most = 1000000,
                     .forfeits = COMPLETE},
    {.kind = OPTION_END},
};

/* Where the blank is and came from; the ways on from there in operator order. The one back is not
 * among them, unless the blank came from nowhere. */
struct spot {
    uint8_t cell;
    uint8_t exits;
    uint8_t moves[MOVES];
    const struct spot *next[MOVES];
};

/* A node of the current path that was expanded and has successors on the path or to come. */
struct rung {
    const struct spot *spot;
    unsigned left; /* exits of the spot that are to be taken yet, as bits */
    unsigned move; /* the one that was taken last */
};

struct ladder {
    struct search *search;
    struct spot spots[MAX_CELLS][MOVES + 1]; /* by the move not to be made, or MOVE_NONE */
    struct rung *rungs;                      /* by depth */
    unsigned char *states;                   /* their packed boards */
    uint64_t room;                           /* rungs that there is room for */
};

static void list_spots(struct ladder *ladder, bool prune_undo)
{
    const struct operators *operators = &ladder->search->operators;
    for (unsigned cell = 0; cell < MAX_CELLS; cell++)
        for (unsigned undo = 0; undo <= MOVE_NONE; undo++) {
            struct spot *spot = &ladder->spots[cell][undo];
            spot->cell = (uint8_t)cell;
            for (unsigned turn = 0; turn < MOVES; turn++) {
                const uint8_t move = operators->order[turn];
                const uint8_t target = operators->target[cell][move];
                if (target == NO_CELL || move == undo)
                    continue;
                spot->moves[spot->exits] = move;
                spot->next[spot->exits++] =
                    &ladder->spots[target][prune_undo ? move_undo(move) : MOVE_NONE];
            }
        }
}

static bool ladder_grow(struct ladder *ladder, enum packing packing)
{
    struct arena *arena = &ladder->search->arena;
    const uint64_t room = ladder->room == 0 ? 64 : 2 * ladder->room;
    struct rung *rungs = arena_resize(arena, ladder->rungs, room * sizeof *rungs);
    if (rungs == NULL)
        return false;
    ladder->rungs = rungs;
    unsigned char *states = arena_resize(arena, ladder->states, room * packed_bytes(packing));
    if (states == NULL)
        return false;
    ladder->states = states;
    ladder->room = room;
    return true;
}

/* The moves of the path's first `length` - 1 nodes and the last one become the solution. */
static void ladder_solution(const struct ladder *ladder, size_t length, unsigned last)
{
    char *moves = search_solved(ladder->search, length);
    for (size_t i = 0; i + 1 < length; i++)
        moves[i] = move_letters[ladder->rungs[i].move];
    moves[length - 1] = move_letters[last];
}

/* The board after an exit. */
KERNEL union packed leave(enum packing packing, union packed state, const struct spot *spot,
                          unsigned exit)
{
    unsigned from = spot->next[exit]->cell;
    return packed_slide(packing, state, packed_tile(packing, state, from), from, spot->cell);
}

/* Whether a successor at this depth is on the path. A state can recur at every other depth only. */
KERNEL bool on_path(const struct ladder *ladder, enum packing packing, union packed state,
                    unsigned depth)
{
    for (unsigned at = depth & 1; at + 1 < depth; at += 2)
        if (packed_equal(packing, packed_load(packing, ladder->states, at), state))
            return true;
    return false;
}

KERNEL bool expands(struct search *search, enum packing packing, union packed state,
                    const struct spot *spot, unsigned depth)
{
    struct enode enode;
    if (UNLIKELY(search->observer != NULL)) {
        enode = (struct enode){.board = search->task->start, .g = depth};
        enode.board.blank = spot->cell;
        unpack(packing, state, &enode.board);
    }
    return search_expands(search, &enode);
}

/* Generates the successors of the E-node. `left`: the exits to those that are kept, as bits. False
 * when the limit of nodes is reached. */
KERNEL bool generate(struct ladder *ladder, enum packing packing, int64_t duplicates,
                     union packed state, const struct spot *spot, unsigned depth, unsigned *left)
{
    struct search *search = ladder->search;
    *left = (1U << spot->exits) - 1;
    if (duplicates != PATH)
        return search_generates_many(search, spot->exits);
    for (unsigned exit = 0; exit < spot->exits; exit++) {
        if (!search_generates(search))
            return false;
        if (on_path(ladder, packing, leave(packing, state, spot, exit), depth + 1)) {
            search->statistics.duplicates++;
            *left -= 1U << exit;
        }
    }
    return true;
}

/* The exit that leads to the goal, or the number of exits. */
KERNEL unsigned goal_exit(enum packing packing, union packed state, const struct spot *spot,
                          union packed goal)
{
    unsigned exit = 0;
    while (exit < spot->exits && !packed_equal(packing, leave(packing, state, spot, exit), goal))
        exit++;
    return exit;
}

/* One round, to a depth of at least 1. True when it is over without the goal. */
KERNEL bool dig(struct ladder *ladder, enum packing packing, int64_t duplicates, unsigned limit)
{
    struct search *search = ladder->search;
    struct statistics *statistics = &search->statistics;
    const struct board *start = &search->task->start;
    const union packed goal = pack(packing, &search->task->goal);
    union packed state = pack(packing, start);
    const struct spot *spot = &ladder->spots[start->blank][MOVE_NONE];
    struct rung *path = ladder->rungs; /* behind the last rung */
    unsigned depth = 0;                /* of the E-node */
    uint64_t live = 0;                 /* generated and not looked at yet, leaves left out */
    for (;;) {
        unsigned left;
        if (!expands(search, packing, state, spot, depth) ||
            !generate(ladder, packing, duplicates, state, spot, depth, &left))
            return false;
        const unsigned kept = duplicates == PATH ? (unsigned)__builtin_popcount(left) : spot->exits;
        raise_to(&statistics->max_open, live + kept);
        if (statistics->max_depth <= depth && kept > 0) {
            statistics->max_depth = depth + 1;
            statistics->max_stored = depth + 2;
        }
        if (depth + 1 < limit) {
            *path++ = (struct rung){.spot = spot, .left = left};
            packed_store(packing, ladder->states, depth++, state);
            live += kept;
        } else {
            const unsigned exit = goal_exit(packing, state, spot, goal);
            if (exit < spot->exits) {
                ladder_solution(ladder, limit, spot->moves[exit]);
                return false;
            }
        }
        for (;; path--, depth--) {
            if (depth == 0)
                return true;
            if (path[-1].left != 0)
                break;
        }
        const unsigned exit = (unsigned)__builtin_ctz(path[-1].left);
        path[-1].left &= path[-1].left - 1;
        path[-1].move = path[-1].spot->moves[exit];
        spot = path[-1].spot->next[exit];
        state =
            leave(packing, packed_load(packing, ladder->states, depth - 1), path[-1].spot, exit);
        live--;
    }
}

KERNEL void deepen(struct ladder *ladder, enum packing packing, int64_t duplicates)
{
    struct search *search = ladder->search;
    const struct board *start = &search->task->start;
    const struct board *goal = &search->task->goal;
    const bool parity = search->options[PARITY] != 0;
    const int64_t deepest = search->options[DEPTH_LIMIT];
    unsigned limit = parity ? shape_distance(start->shape, start->blank, goal->blank) % 2 : 0;
    search->statistics.iterations = 0;
    for (; deepest == OPTION_UNSET || limit <= deepest; limit += parity ? 2 : 1) {
        search->statistics.iterations++;
        if (limit >= ladder->room && !ladder_grow(ladder, packing)) {
            search->status = STATUS_memory_limit;
            return;
        }
        if (limit > 0 && !dig(ladder, packing, duplicates, limit))
            return;
        if (limit == 0 && board_equal(start, goal)) {
            search_solved(search, 0);
            return;
        }
    }
    search->status = STATUS_exhausted;
}

KERNEL void iddfs_search(struct search *search, enum packing packing)
{
    struct ladder ladder = {.search = search};
    if (!search_generates(search)) /* the root */
        return;
    search->statistics.max_open = search->statistics.max_stored = 1;
    list_spots(&ladder, search->options[DUPLICATES] != NONE);
    if (search->options[DUPLICATES] == PARENT)
        deepen(&ladder, packing, PARENT);
    else if (search->options[DUPLICATES] == PATH)
        deepen(&ladder, packing, PATH);
    else
        deepen(&ladder, packing, NONE);
    arena_release(&search->arena, ladder.rungs);
    arena_release(&search->arena, ladder.states);
}

STAMP_ALGORITHM(iddfs)
