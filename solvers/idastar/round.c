#include "idastar/round.h"
#include "search/view.h"
#include <limits.h>

/* How a round is walked: as a search, a part of one, shown to an observer, or by a scout. */
enum manner { SEARCHING, IN_PART, SHOWING, SCOUTING };

/* How far g + h of the E-node is below the threshold. */
static unsigned enode_slack(const struct round *round)
{
    return round->threshold - round->enode.g - round->enode.h;
}

/* The largest slack of subtrees that can be counted. */
static unsigned largest_slack(const struct round *round)
{
    const bool counts = round->subtrees.kind != NULL && round->search->observer == NULL;
    return counts ? round->subtrees.kind->max_slack : 0;
}

/* The path is a solution. True if the round goes on, as all are counted: with subtrees as large as
 * at first, of which some were refused for this solution. A counter finds a goal by a depth above
 * the maximum, so that is lowered by the last step. */
static bool set_solution(struct round *round)
{
    const unsigned length = round->enode.g;
    if (round->counts_only) {
        round->search->status = STATUS_solved;
        return false;
    }
    if (round->counts_all) {
        round->path[length].turn = MOVES;
        round->counted_slack = largest_slack(round);
        if (round->search->statistics.max_depth == length && length > 0)
            round->search->statistics.max_depth--;
        if (round->search->solutions++ > 0)
            return true;
    }
    char *moves = search_solved(round->search, length);
    for (unsigned i = 0; moves != NULL && i < length; i++)
        moves[i] = move_letters[move_undo(round->path[i + 1].undo)];
    return round->counts_all && moves != NULL;
}

/* Tells whoever counts below the E-node what is pruned there. */
static void set_context(struct round *round)
{
    if (round->contexts != NULL)
        round->enode.context = round->contexts[round->enode.g] & MAX_CONTEXTS;
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
    const unsigned slack = enode_slack(round) / 2;
    const unsigned next = round->threshold + 2;
    if ((slack == 0 && !round->counts_flat) || slack > round->counted_slack ||
        enode->undo == MOVE_NONE || (round->above != next && !round->steady))
        return SUBTREE_REFUSED;
    set_context(round);
    enum subtree_outcome outcome = subtree_count(&round->subtrees, &round->enode, slack);
    if (outcome == SUBTREE_COUNTED)
        round->above = next;
    if (outcome == SUBTREE_REFUSED && slack > 0)
        round->counted_slack = slack - 1;
    return outcome;
}

/* Whether the E-node is the root of a subtree that is counted ahead, in a round of which some are.
 */
static bool is_counted_ahead(const struct round *round)
{
    return round->enode.undo != MOVE_NONE && enode_slack(round) / 2 <= ahead_slack(round->ahead);
}

/* Counts the E-node and all below it, if it was counted ahead or can be counted now. Below a root
 * that was refused all is as if nothing were counted ahead. */
static enum subtree_outcome take_subtree(struct round *round)
{
    if (round->ahead != NULL && round->enode.g <= round->refused_g) {
        round->refused_g = UINT_MAX;
        if (!is_counted_ahead(round))
            return SUBTREE_REFUSED;
        const enum subtree_outcome outcome = ahead_take(round->ahead, &round->enode, &round->above);
        if (outcome != SUBTREE_REFUSED)
            return outcome;
        round->refused_g = round->enode.g;
    }
    return count_subtree(round);
}

/* The E-node's board is the child's. */
static SELDOM void show_child(const struct round *round, unsigned move, unsigned h)
{
    const unsigned g = round->enode.g + 1;
    const enum fate fate = g + h > round->threshold ? FATE_ABOVE : FATE_KEPT;
    view_child(round->search, &round->enode.board, g, h, move,
               (struct event){.fate = fate, .limit = round->threshold});
}

/* Whether the child on the E-node's board, of depth g + 1, was entered before in this round. */
static CALLED bool was_entered(struct round *round, unsigned move, unsigned h)
{
    struct search *search = round->search;
    const unsigned g = round->enode.g + 1;
    unsigned known_g;
    if (!transposition_meets(round->table, &round->enode.board, g, search->statistics.iterations,
                             &known_g))
        return false;
    search->statistics.duplicates++;
    if (viewed(search))
        view_child(search, &round->enode.board, g, h, move,
                   (struct event){.fate = FATE_DUPLICATE, .known_g = known_g});
    return true;
}

/* The score of the E-node in a round that is cut. */
static unsigned score_of(const struct round *round)
{
    return enode_slack(round) * round->cut.by_slack + round->enode.h * round->cut.by_h;
}

/* A node at the cut is met: whether it is in the part. Where the part begins, counting does. */
static bool cut_meets(struct round *round)
{
    struct cut *cut = &round->cut;
    struct search *search = round->search;
    const unsigned index = cut->at++;
    cut->ended = index == cut->last;
    if (cut->roots != NULL)
        cut->roots[index] = (struct root){.score = score_of(round), .slack = enode_slack(round)};
    if (index == cut->first && index > 0) {
        search->statistics = cut->before;
        search->limits.nodes = cut->nodes;
        round->above = UINT_MAX;
    }
    return index >= cut->first && index < cut->last;
}

/* Enters the node at the end of the path: tests for the goal, counts its subtree or expands it.
 * False when the search is over. */
KERNEL bool enter(struct round *round, unsigned h, unsigned undo, enum manner manner)
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
    if (h == round->goal_h && board_equal(&enode->board, &search->task->goal))
        return set_solution(round);
    if ((manner == IN_PART || (manner == SCOUTING && round->cut.score > 0)) &&
        enode->g <= round->cut.root_g) {
        round->cut.root_g = UINT_MAX;
        if (score_of(round) >= round->cut.score)
            return search_expands(search, enode);
        if (!cut_meets(round)) {
            visit->turn = MOVES;
            return !round->cut.ended;
        }
        round->cut.root_g = enode->g;
    }
    if (manner == SCOUTING && is_counted_ahead(round)) {
        set_context(round);
        ahead_note(round->ahead, enode, statistics->generated);
        visit->turn = MOVES;
        return true;
    }
    switch (manner == SCOUTING ? SUBTREE_REFUSED : take_subtree(round)) {
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

/* Searches everything within the threshold, from the node at the end of the path on. False when the
 * search is over; a scout's, also when its window is full. */
KERNEL bool search_within(struct round *round, enum manner manner)
{
    struct search *search = round->search;
    const struct operators *operators = &search->operators;
    const struct heuristic *heuristic = search->heuristic;
    struct enode *enode = &round->enode;
    for (;;) {
        struct visit *visit = &round->path[enode->g];
        if (manner == SCOUTING && ahead_is_full(round->ahead))
            return false;
        if (visit->turn == MOVES) {
            if (enode->g == round->root_g) {
                set_context(round);
                return true;
            }
            leave(round);
            continue;
        }
        const unsigned move = operators->order[visit->turn++];
        const unsigned to = enode->board.blank;
        const unsigned from = operators->target[to][move];
        if (from == NO_CELL || move == enode->undo)
            continue;
        if (round->contexts != NULL) {
            const unsigned context =
                context_after(search->pruning, round->contexts[enode->g], move);
            if (context == PRUNED)
                continue;
            round->contexts[enode->g + 1] = context;
        }
        if (!search_generates(search))
            return false;
        const unsigned tile = enode->board.cell[from];
        board_slide(&enode->board, from);
        const unsigned h =
            heuristic->kind->step(heuristic, &enode->board, enode->h, tile, from, to);
        const unsigned cost = enode->g + 1 + h;
        if (round->table != NULL && cost <= round->threshold && was_entered(round, move, h)) {
            board_slide(&enode->board, to);
            continue;
        }
        if (manner == SHOWING)
            show_child(round, move, h);
        if (cost > round->threshold) {
            board_slide(&enode->board, to);
            if (cost < round->above)
                round->above = cost;
            continue;
        }
        enode->g++;
        if (!enter(round, h, move_undo(move), manner))
            return false;
    }
}

/* Enters the node from which the walk begins. */
KERNEL bool begin(struct round *round, enum manner manner)
{
    const struct enode *enode = &round->enode;
    if (round->contexts != NULL && enode->g == round->root_g)
        round->contexts[enode->g] = enode->context;
    return enter(round, enode->h, enode->undo, manner);
}

static SELDOM bool show(struct round *round)
{
    return begin(round, SHOWING) && search_within(round, SHOWING);
}

bool round_search(struct round *round)
{
    if (viewed(round->search))
        return show(round);
    return begin(round, SEARCHING) && search_within(round, SEARCHING);
}

bool round_search_part(struct round *round)
{
    struct cut *cut = &round->cut;
    struct search *search = round->search;
    round->counted_slack = largest_slack(round);
    search->limits.nodes = cut->first > 0 ? UINT64_MAX : cut->nodes;
    search->statistics = cut->before;
    return begin(round, IN_PART) && search_within(round, IN_PART);
}

bool round_scout(struct round *round)
{
    if (round->search->statistics.generated == 0 && !begin(round, SCOUTING))
        return true;
    return search_within(round, SCOUTING) || !ahead_is_full(round->ahead);
}

bool round_make_path(struct round *round, struct arena *arena, uint64_t levels)
{
    struct visit *path = arena_resize(arena, round->path, levels * sizeof *path);
    if (path != NULL)
        round->path = path;
    if (path == NULL || round->search->pruning == NULL)
        return path != NULL;
    /* That of a child is noted before it is known whether it is entered. */
    uint32_t *contexts = arena_resize(arena, round->contexts, (levels + 1) * sizeof *contexts);
    if (contexts != NULL)
        round->contexts = contexts;
    return contexts != NULL;
}

struct round round_start(struct search *search)
{
    const unsigned steady = CONSISTENT | KEEPS_PARITY;
    const unsigned claims = heuristic_properties(&search->heuristic->choice);
    struct round round = {.search = search, .enode.board = search->task->start};
    round.steady = (claims & steady) == steady;
    if ((claims & ADMISSIBLE) == 0)
        round.goal_h = search->heuristic->kind->evaluate(search->heuristic, &search->task->goal);
    round.subtrees = subtree_counter_start(search, &search->arena, NULL);
    round.counted_slack = largest_slack(&round);
    return round;
}
