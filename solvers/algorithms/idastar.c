/* Iterative-deepening A* (Korf, "Depth-first iterative-deepening: an optimal admissible tree
 * search", Artificial Intelligence 27, 1985).
 *
 * Round after round, the tree below the start is searched depth first, in operator order, without
 * the way back to the parent. A node whose g + h is above the round's threshold is dropped. The
 * first threshold is the h of the start. The last round ends as soon as the goal is met.
 *
 * step=minimum (default): the next threshold is the minimum g + h above the last one. This is
 * Korf's rule, by which his counts were made. It is right for every heuristic, and each round
 * visits something new. step=parity: the next threshold is the last one + 2, and the first is even
 * or odd as the distance is (each move takes the blank to a cell of the other colour). With
 * heuristics whose h can have either parity, such as misplaced or zero, this leaves out every other
 * round, in which the goal cannot be. If g + h keeps its parity, as with manhattan, both rules do
 * the same. depth_limit: no threshold above it is tried. A heuristic that is not admissible may
 * hide a solution that short, so the answer is then `stuck`, not `exhausted`.
 *
 * What is counted: the children of a node are made one by one. Each counts as generated, whether it
 * is dropped or not, and is searched before the next is made. So never more than one node is
 * generated and not yet expanded (max_open is 1), and only the path is held. The root counts once
 * for all rounds. With the Manhattan distance and the order ULRD these are the counts of Korf's
 * table 1 (tests/golden/test_korf.c).
 *
 * The path is an explicit stack as deep as the threshold. If there is a subtree counter for the
 * heuristic and the shape (subtree/subtree.h), subtrees that are small, hold no goal and stay below
 * the limit of nodes are not walked but counted, in a tenth of the time. Every counter stays the
 * same. An observer sees every node, so then all are walked; one who sees everything has a copy of
 * the search of its own. */
#include "algorithms/algorithm.h"
#include "search/view.h"
#include "subtree/subtree.h"
#include <limits.h>

enum { STEP, DEPTH_LIMIT };
enum { MINIMUM, PARITY };

const struct option_row idastar_options[] = {
    [STEP] = {.name = "step",
              .help = "the next threshold: the minimum g + h above the last, or the last + 2",
              .kind = OPTION_CHOICE,
              .choices = {"minimum", "parity"}},
    [DEPTH_LIMIT] = {.name = "depth_limit",
                     .help = "the longest solution looked for",
                     .kind = OPTION_NUMBER,
                     .fallback = OPTION_UNSET,
                     .max = 1000000,
                     .forfeits = COMPLETE},
    {.kind = OPTION_END},
};

/* A node on the current path. */
struct visit {
    unsigned h;
    uint8_t undo; /* the move back to the parent; MOVE_NONE at the root */
    uint8_t turn; /* operators tried so far */
};

struct round {
    struct search *search;
    struct subtree_counter subtrees;
    struct visit *path;
    struct enode enode; /* the last node of the path */
    unsigned threshold;
    unsigned above;         /* the minimum g + h above the threshold */
    unsigned goal_h;        /* of the goal: 0 if the heuristic is admissible */
    bool steady;            /* each move changes h by exactly 1 */
    unsigned counted_slack; /* subtrees of at most this slack are counted */
};

/* With step=parity, a threshold of the wrong parity is left out: no solution has that length. */
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
    const unsigned length = round->enode.g;
    char *moves = search_solved(round->search, length);
    for (unsigned i = 0; moves != NULL && i < length; i++)
        moves[i] = move_letters[move_undo(round->path[i + 1].undo)];
}

/* Counts the E-node and all below it without walking them, if that is possible. With every
 * heuristic that has a counter, g + h keeps its parity, so whatever is dropped is at least 2 above
 * the threshold. If each move changes h by exactly 1, everything dropped is exactly 2 above it, and
 * something is dropped below every node; so `above` is known. Otherwise a subtree is counted only
 * after a node was dropped at 2 above, since then the subtree cannot lower `above`. A refusal
 * usually means that the search ends in this subtree: it is walked, and smaller ones in it are
 * counted. */
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

static SELDOM void show_expansion(const struct round *round)
{
    const struct enode *enode = &round->enode;
    const struct node_seen node =
        view_path(round->search, enode->g, enode->h, move_undo(enode->undo));
    view_expands(round->search, enode, (struct event){.node = node});
}

/* The E-node's board is the child's. */
static SELDOM void show_child(const struct round *round, unsigned move, unsigned h)
{
    const unsigned g = round->enode.g + 1;
    const enum fate fate = g + h > round->threshold ? FATE_ABOVE : FATE_KEPT;
    view_child(round->search, &round->enode.board, g, h, move,
               (struct event){.fate = fate, .limit = round->threshold});
}

/* Enters the node at the end of the path: tests for the goal, counts its subtree or expands it.
 * False when the search is over. */
KERNEL bool enter(struct round *round, unsigned h, unsigned undo, bool is_viewed)
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
        if (!search_expands(search, enode))
            return false;
        if (is_viewed)
            show_expansion(round);
        return true;
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

/* Searches everything within the threshold. False when the search is over. */
KERNEL bool search_within(struct round *round, bool is_viewed)
{
    struct search *search = round->search;
    const struct operators *operators = &search->operators;
    const struct heuristic *heuristic = search->heuristic;
    struct enode *enode = &round->enode;
    if (!enter(round, enode->h, MOVE_NONE, is_viewed))
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
        if (is_viewed)
            show_child(round, move, h);
        if (cost > round->threshold) {
            board_slide(&enode->board, to);
            if (cost < round->above)
                round->above = cost;
            continue;
        }
        enode->g++;
        if (!enter(round, h, move_undo(move), is_viewed))
            return false;
    }
}

/* One copy for searches that are viewed, one for the others, which then pay nothing. */
static bool search_round(struct round *round)
{
    return search_within(round, false);
}

static SELDOM bool show_round(struct round *round)
{
    view_round(round->search, "threshold", round->threshold);
    return search_within(round, true);
}

void idastar_run(struct search *search)
{
    const int64_t depth_limit = search->options[DEPTH_LIMIT];
    struct statistics *statistics = &search->statistics;
    struct round round = {.search = search,
                          .enode = {.board = search->task->start, .h = search_start_h(search)},
                          .threshold = first_threshold(search)};
    const unsigned steady = CONSISTENT | KEEPS_PARITY;
    const unsigned claims = heuristic_properties(&search->heuristic->choice);
    round.steady = (claims & steady) == steady;
    if ((claims & ADMISSIBLE) == 0)
        round.goal_h = search->heuristic->kind->evaluate(search->heuristic, &search->task->goal);
    round.subtrees = subtree_counter_start(search);
    if (round.subtrees.kind != NULL && search->observer == NULL)
        round.counted_slack = round.subtrees.kind->max_slack;
    if (!search_generates(search)) /* the root */
        return;
    if (viewed(search)) {
        view_costs(search, 1, 1);
        view_root(search, &search->task->start, round.enode.h, 0);
    }
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
        if (!search_begins_round(search, round.threshold) ||
            !(viewed(search) ? show_round : search_round)(&round))
            return;
        round.threshold = search->options[STEP] == PARITY ? round.threshold + 2 : round.above;
    }
}
