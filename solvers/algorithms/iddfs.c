/* Iterative-deepening depth-first search (Slate and Atkin, "CHESS 4.5: the Northwestern University
 * chess program", in Chess Skill in Man and Machine, 1977; Korf, "Depth-first iterative-deepening:
 * an optimal admissible tree search", Artificial Intelligence 27, 1985): depth-first searches from
 * the root to depth 0, 1, 2, .., until one of them comes to the goal. Its depth is then the length
 * of a shortest path.
 *
 * Each round counts what dfs(depth_limit=N) counts that recognises the same duplicates, but the
 * root counts as generated only once. As there, all successors of an E-node are generated before
 * the first is looked at. Only nodes at the round's limit are compared with the goal: the others
 * were in the round before.
 *
 * duplicates=parent (default): the way back to the parent is left out; memory grows with the depth
 * alone. duplicates=path: states on the current path are not entered again either. duplicates=none:
 * nothing is checked. parity: all paths to the goal have the same parity, known from the blank's
 * cell; rounds of the other parity are left out. depth_limit: the deepest round.
 *
 * The successors of a node follow from where its blank is and where it came from: they are listed
 * once for the shape, and counted before they are made. Most nodes are leaves, of which nothing is
 * made but the packed board to compare with the goal. */
#include "search/algorithm.h"
#include "search/view.h"

DECLARE_ALGORITHM(iddfs);

enum { DUPLICATES, PARITY, DEPTH_LIMIT };
enum { PARENT, PATH, NONE };

const struct option_row iddfs_options[] = {
    [DUPLICATES] = {CHOICE_OPTION("duplicates", "which states met before are not entered again",
                                  "parent", "path", "none")},
    [PARITY] = {FLAG_OPTION("parity", "only rounds of the parity that a solution must have")},
    [DEPTH_LIMIT] = DEPTH_LIMIT_OPTION("the deepest round", 1000000),
    {.kind = OPTION_END},
};

/* Where the blank is and where it came from. The exits are the moves from there in operator order;
 * the one back is not among them, unless the blank came from nowhere. */
struct spot {
    uint8_t cell;
    uint8_t exits;
    uint8_t moves[MOVES];
    const struct spot *next[MOVES];
};

/* An expanded node of the current path. */
struct level {
    const struct spot *spot;
    unsigned left; /* exits that are still to be taken, as bits */
    unsigned move; /* the exit taken last */
};

struct deepening {
    struct search *search;
    struct spot spots[MAX_CELLS][MOVES + 1]; /* by cell and the move not to be made, or MOVE_NONE */
    struct level *levels;                    /* by depth */
    unsigned char *states;                   /* their packed boards */
    uint64_t room;                           /* how many levels there is memory for */
};

static void list_spots(struct deepening *deepening, bool prune_undo)
{
    const struct operators *operators = &deepening->search->operators;
    for (unsigned cell = 0; cell < MAX_CELLS; cell++)
        for (unsigned undo = 0; undo <= MOVE_NONE; undo++) {
            struct spot *spot = &deepening->spots[cell][undo];
            spot->cell = (uint8_t)cell;
            for (unsigned turn = 0; turn < MOVES; turn++) {
                const uint8_t move = operators->order[turn];
                const uint8_t target = operators->target[cell][move];
                if (target == NO_CELL || move == undo)
                    continue;
                spot->moves[spot->exits] = move;
                spot->next[spot->exits++] =
                    &deepening->spots[target][prune_undo ? move_undo(move) : MOVE_NONE];
            }
        }
}

static bool deepening_grow(struct deepening *deepening, enum packing packing)
{
    struct arena *arena = &deepening->search->arena;
    const uint64_t room = deepening->room == 0 ? 64 : 2 * deepening->room;
    struct level *levels = arena_resize(arena, deepening->levels, room * sizeof *levels);
    if (levels == NULL)
        return false;
    deepening->levels = levels;
    unsigned char *states = arena_resize(arena, deepening->states, room * packed_bytes(packing));
    if (states == NULL)
        return false;
    deepening->states = states;
    deepening->room = room;
    return true;
}

/* Writes the solution: the moves of the first `length` - 1 nodes of the path, and the last one. */
static void deepening_solution(const struct deepening *deepening, size_t length, unsigned last)
{
    char *moves = search_solved(deepening->search, length);
    if (moves == NULL)
        return;
    for (size_t i = 0; i + 1 < length; i++)
        moves[i] = move_letters[deepening->levels[i].move];
    moves[length - 1] = move_letters[last];
}

/* The board after an exit. */
KERNEL union packed leave(enum packing packing, union packed state, const struct spot *spot,
                          unsigned exit)
{
    unsigned from = spot->next[exit]->cell;
    return packed_slide(packing, state, packed_tile(packing, state, from), from, spot->cell);
}

/* Whether a successor at this depth is on the path. A state can recur only after an even number of
 * moves. */
KERNEL bool on_path(const struct deepening *deepening, enum packing packing, union packed state,
                    unsigned depth)
{
    for (unsigned at = depth & 1; at + 1 < depth; at += 2)
        if (packed_equal(packing, packed_load(packing, deepening->states, at), state))
            return true;
    return false;
}

/* The board of a state whose blank is at this spot. */
KERNEL struct board board_of(const struct search *search, enum packing packing, union packed state,
                             const struct spot *spot)
{
    struct board board = search->task->start;
    board.blank = spot->cell;
    unpack(packing, state, &board);
    return board;
}

KERNEL bool expands(struct search *search, enum packing packing, union packed state,
                    const struct spot *spot, unsigned depth)
{
    struct enode enode;
    if (UNLIKELY(search->observer != NULL))
        enode = (struct enode){.board = board_of(search, packing, state, spot), .g = depth};
    return search_expands(search, &enode);
}

/* Shows a child of the E-node: one at the round's limit will be compared with the goal, no more. */
KERNEL void show_child(const struct deepening *deepening, enum packing packing, union packed state,
                       const struct spot *spot, unsigned exit, unsigned depth, unsigned limit,
                       bool kept)
{
    struct search *search = deepening->search;
    const struct board board =
        board_of(search, packing, leave(packing, state, spot, exit), spot->next[exit]);
    const enum fate fate = !kept ? FATE_ON_PATH : depth == limit ? FATE_DEPTH : FATE_KEPT;
    view_child(search, &board, depth, 0, spot->moves[exit],
               (struct event){.fate = fate, .limit = limit});
}

/* Generates the successors of the E-node. `left` receives the exits to those that are kept, as
 * bits. False when the limit of nodes is reached. */
KERNEL bool generate(struct deepening *deepening, enum packing packing, bool checks_path,
                     union packed state, const struct spot *spot, unsigned depth, unsigned limit,
                     unsigned *left)
{
    struct search *search = deepening->search;
    *left = (1U << spot->exits) - 1;
    if (!checks_path && !viewed(search)) {
        const unsigned allowed = search_may_generate(search, spot->exits);
        search->statistics.generated += allowed;
        return allowed == spot->exits;
    }
    for (unsigned exit = 0; exit < spot->exits; exit++) {
        if (!search_generates(search))
            return false;
        const bool known = checks_path && on_path(deepening, packing,
                                                  leave(packing, state, spot, exit), depth + 1);
        if (viewed(search))
            show_child(deepening, packing, state, spot, exit, depth + 1, limit, !known);
        if (known) {
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

/* Searches one round, to a depth of at least 1. True when it ends without the goal. */
KERNEL bool search_round(struct deepening *deepening, enum packing packing, bool checks_path,
                         unsigned limit)
{
    struct search *search = deepening->search;
    struct statistics *statistics = &search->statistics;
    const struct board *start = &search->task->start;
    const union packed goal = pack(packing, &search->task->goal);
    union packed state = pack(packing, start);
    const struct spot *spot = &deepening->spots[start->blank][MOVE_NONE];
    struct level *path = deepening->levels; /* after the last level */
    unsigned depth = 0;                     /* of the E-node */
    uint64_t live = 0;                      /* generated and not yet looked at, leaves left out */
    for (;;) {
        unsigned left;
        if (!expands(search, packing, state, spot, depth) ||
            !generate(deepening, packing, checks_path, state, spot, depth, limit, &left)) {
            statistics->open_at_end = live;
            return false;
        }
        const unsigned kept = checks_path ? (unsigned)__builtin_popcount(left) : spot->exits;
        raise_to(&statistics->max_open, live + kept);
        if (statistics->max_depth <= depth && kept > 0) {
            statistics->max_depth = depth + 1;
            statistics->max_stored = depth + 2;
        }
        if (depth + 1 < limit) {
            *path++ = (struct level){.spot = spot, .left = left};
            packed_store(packing, deepening->states, depth++, state);
            live += kept;
        } else {
            const unsigned exit = goal_exit(packing, state, spot, goal);
            if (exit < spot->exits) {
                /* The leaves that come after it are still open. */
                const unsigned after =
                    checks_path ? (unsigned)__builtin_popcount(left >> exit >> 1) : kept - exit - 1;
                statistics->open_at_end = live + after;
                deepening_solution(deepening, limit, spot->moves[exit]);
                return false;
            }
        }
        search_expanded(search);
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
            leave(packing, packed_load(packing, deepening->states, depth - 1), path[-1].spot, exit);
        live--;
    }
}

KERNEL void search_rounds(struct deepening *deepening, enum packing packing, bool checks_path)
{
    struct search *search = deepening->search;
    const struct board *start = &search->task->start;
    const struct board *goal = &search->task->goal;
    const bool parity = search->options[PARITY] != 0;
    const int64_t deepest = search->options[DEPTH_LIMIT];
    unsigned limit = parity ? shape_distance(start->shape, start->blank, goal->blank) % 2 : 0;
    search->statistics.iterations = 0;
    for (; deepest == OPTION_UNSET || limit <= deepest; limit += parity ? 2 : 1) {
        if (!search_begins_round(search, "depth", limit))
            return;
        if (limit >= deepening->room && !deepening_grow(deepening, packing)) {
            search->status = STATUS_memory_limit;
            return;
        }
        if (limit > 0 && !search_round(deepening, packing, checks_path, limit))
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
    struct deepening deepening = {.search = search};
    if (!search_generates_root(search))
        return;
    view_in_order(search, VIEW_STACK);
    search->statistics.max_open = search->statistics.max_stored = 1;
    list_spots(&deepening, search->options[DUPLICATES] != NONE);
    if (search->options[DUPLICATES] == PATH)
        search_rounds(&deepening, packing, true);
    else
        search_rounds(&deepening, packing, false);
    arena_release(&search->arena, deepening.levels);
    arena_release(&search->arena, deepening.states);
}

STAMP_ALGORITHM(iddfs)
