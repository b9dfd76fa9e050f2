/* Iterative-deepening A* (Korf, "Depth-first iterative-deepening: an optimal admissible tree
 * search", Artificial Intelligence 27, 1985).
 *
 * Round after round the tree below the start is searched depth first, in operator order, the way
 * back to the parent left out; a node whose g + h is above the round's threshold is dropped. The
 * first threshold is the start's h. The last round ends the moment the goal is met.
 *
 * step=minimum (default) takes as the next threshold the least g + h that was above the last one:
 * Korf's rule, the one his counts were made with, right for every heuristic, and no round visits
 * only what the round before did. step=parity adds 2, from the first threshold on that is even or
 * odd as the distance is (every move of the blank changes the colour of its cell): for heuristics
 * whose h may be of either parity, such as misplaced or zero, it leaves out every other round, in
 * which the goal cannot be. Where g + h never changes its parity, as with manhattan, both do the
 * same. depth_limit: no threshold above it is tried; a heuristic that is not admissible may hide a
 * solution from that, so the answer is then `stuck`, not `exhausted`.
 *
 * What is counted: the children of a node are made one by one, each counted in `generated` whether
 * it is dropped or not, and searched before the next is made: there is never more than one node
 * that is generated and not yet expanded (max_open is 1), and what is held is the path alone. The
 * root counts once over all rounds. With the Manhattan distance and the order ULRD these are the
 * counts of Korf's table 1 (tests/golden/test_korf.c).
 *
 * The path is an explicit stack with room for the threshold: g is never above it. Where a heuristic
 * has a subtree counter for the shape (subtree/subtree.h), a subtree that is small, holds no goal
 * and stays below the limit of nodes is not walked here but counted there, in a tenth of the time;
 * it makes no difference to any counter. An observer sees every node, so then all are walked. */
#include "algorithms/algorithm.h"
#include "base/heap.h"
#include "subtree/subtree.h"
#include <limits.h>

enum { STEP, DEPTH_LIMIT };
enum { MINIMUM, PARITY };

const struct option_row idastar_options[] = {
    [STEP] = {.name = "step",
              .help = "the next threshold: the least g + h above the last, or the last + 2",
              .kind = OPTION_CHOICE,
              .choices = {"minimum", "parity"}},
    [DEPTH_LIMIT] = {.name = "depth_limit",
                     .help = "the longest solution looked for",
                     .kind = OPTION_NUMBER,
                     .fallback = OPTION_UNSET,
                     .most = 1000000,
                     .forfeits = COMPLETE},
    {.kind = OPTION_END},
};

/* A node on the current path. */
struct visit {
    unsigned h;
    uint8_t undo; /* the move that leads back to the parent; MOVE_NONE at the root */
    uint8_t turn; /* how many operators were tried */
};

struct round {
    struct search *search;
    struct subtree_counter subtrees;
    struct visit *path;
    struct enode enode; /* the last node of the path */
    unsigned threshold;
    unsigned above;         /* the minimum g + h above the threshold */
    unsigned goal_h;        /* 0, unless the heuristic overestimates there */
    bool steady;            /* each move changes h by exactly 1 */
    unsigned counted_slack; /* subtrees of at most this slack are counted */
};

/* A threshold is useless if it is odd where the distance is even, or the other way round. */
static unsigned first_threshold(const struct search *search)
{
    const struct board *start = &search->task->start;
    const struct board *goal = &search->task->goal;
    unsigned h = search_start_h(search);
    if (search->options[STEP] == PARITY)
        h += (h ^ shape_distance(start->shape, start->blank, goal->blank)) & 1;
    return h;
}

static void set_solution(struct round *round)
{
    struct search *search = round->search;
    unsigned length = round->enode.g;
    search->moves = heap_take(length + 1, 1);
    for (unsigned i = 0; i < length; i++)
        search->moves[i] = move_letters[move_undo(round->path[i + 1].undo)];
    search->length = length;
    search->status = STATUS_solved;
}

/* Counts the E-node and all below it without walking them, where that can be done. Under every
 * heuristic that has a counter g + h keeps its parity, so that nothing is dropped at less than 2
 * above the threshold. Where h changes by 1 a move, everything is dropped at just that, and below
 * every node something is; else a subtree is counted only once a node was dropped at that, as it
 * can then not lower `above`. A refusal means, as a rule, that the search ends in this subtree: it
 * is walked, and smaller ones in it are counted. */
static enum subtree_outcome count_subtree(struct round *round)
{
    const struct enode *enode = &round->enode;
    const unsigned slack = (round->threshold - enode->g - enode->h) / 2;
    const unsigned next = round->threshold + 2;
    if (slack == 0 || slack > round->counted_slack || enode->undo == MOVE_NONE ||
        (round->above != next && !round->steady))
        return SUBTREE_REFUSED;
    enum subtree_outcome outcome = subtree_count(&round->subtrees, enode, slack);
    if (outcome == SUBTREE_COUNTED)
        round->above = next;
    if (outcome == SUBTREE_REFUSED)
        round->counted_slack = slack - 1;
    return outcome;
}

/* Looks at the node that the path has come to: is it the goal, and must its children be searched?
 * False when the search is over. */
static bool enter(struct round *round, unsigned h, unsigned undo)
{
    struct search *search = round->search;
    struct statistics *statistics = &search->statistics;
    struct enode *enode = &round->enode;
    struct visit *visit = &round->path[enode->g];
    *visit = (struct visit){.h = h, .undo = (uint8_t)undo};
    enode->h = h;
    enode->undo = undo;
    raise_to(&statistics->max_depth, enode->g);
    raise_to(&statistics->max_stored, enode->g + UINT64_C(1));
    if (h == round->goal_h && board_equal(&enode->board, &search->task->goal)) {
        set_solution(round);
        return false;
    }
    switch (count_subtree(round)) {
    case SUBTREE_COUNTED:
        visit->turn = MOVES;
        return true;
    case SUBTREE_REFUSED:
        return search_expands(search, enode);
    default:
        return false;
    }
}

/* Goes back to the parent. */
static void leave(struct round *round)
{
    struct enode *enode = &round->enode;
    board_slide(&enode->board, round->search->operators.target[enode->board.blank][enode->undo]);
    enode->g--;
    enode->h = round->path[enode->g].h;
    enode->undo = round->path[enode->g].undo;
}

/* Searches all that is within the threshold. False when the search is over. */
static bool search_round(struct round *round)
{
    struct search *search = round->search;
    const struct operators *operators = &search->operators;
    const struct heuristic *heuristic = search->heuristic;
    struct enode *enode = &round->enode;
    if (!enter(round, enode->h, MOVE_NONE))
        return false;
    for (;;) {
        struct visit *visit = &round->path[enode->g];
        if (visit->turn == MOVES) {
            if (enode->g == 0)
                return true;
            leave(round);
            continue;
        }
        const unsigned move = operators->order[visit->turn++];
        const unsigned to = enode->board.blank;
        const unsigned from = operators->target[to][move];
        if (from == NO_CELL || move == enode->undo)
            continue;
        if (!search_generates(search))
            return false;
        const unsigned tile = enode->board.cell[from];
        board_slide(&enode->board, from);
        const unsigned h =
            heuristic->kind->step(heuristic, &enode->board, enode->h, tile, from, to);
        const unsigned cost = enode->g + 1 + h;
        if (cost > round->threshold) {
            board_slide(&enode->board, to);
            if (cost < round->above)
                round->above = cost;
            continue;
        }
        enode->g++;
        if (!enter(round, h, move_undo(move)))
            return false;
    }
}

void idastar_run(struct search *search)
{
    const int64_t depth_limit = search->options[DEPTH_LIMIT];
    struct statistics *statistics = &search->statistics;
    struct round round = {.search = search,
                          .enode = {.board = search->task->start, .h = search_start_h(search)},
                          .threshold = first_threshold(search)};
    round.goal_h = search->heuristic->kind->evaluate(search->heuristic, &search->task->goal);
    const unsigned steady = CONSISTENT | KEEPS_PARITY;
    round.steady = (heuristic_properties(&search->heuristic->choice) & steady) == steady;
    round.subtrees = subtree_counter_start(search);
    if (round.subtrees.kind != NULL && search->observer == NULL)
        round.counted_slack = round.subtrees.kind->most_slack;
    if (!search_generates(search)) /* the root */
        return;
    statistics->max_open = statistics->max_stored = 1;
    statistics->iterations = 0;
    for (;;) {
        if (depth_limit != OPTION_UNSET && round.threshold > depth_limit) {
            search->status = (heuristic_properties(&search->heuristic->choice) & ADMISSIBLE) != 0
                                 ? STATUS_exhausted
                                 : STATUS_stuck;
            return;
        }
        struct visit *path = arena_resize(&search->arena, round.path,
                                          (round.threshold + UINT64_C(1)) * sizeof *path);
        if (path == NULL) {
            search->status = STATUS_memory_limit;
            return;
        }
        round.path = path;
        round.above = UINT_MAX;
        statistics->iterations++;
        if (!search_round(&round))
            return;
        round.threshold = search->options[STEP] == PARITY ? round.threshold + 2 : round.above;
    }
}
