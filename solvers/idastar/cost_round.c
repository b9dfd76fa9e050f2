#include "idastar/cost_round.h"
#include "search/view.h"
#include <string.h>

bool cost_round_start(struct cost_round *round, struct search *search)
{
    *round =
        (struct cost_round){.search = search, .best = NO_COST, .enode.board = search->task->start};
    search->statistics.iterations = 0;
    search->statistics.max_open = search->statistics.max_stored = 1;
    return search_generates_root(search);
}

void cost_round_end(struct cost_round *round)
{
    arena_release(&round->search->arena, round->path);
}

uint64_t cost_round_next(const struct cost_round *round, uint64_t wanted)
{
    return excess_next(round->dropped, round->limit, round->above, wanted);
}

/* The path is a solution. */
static void note_solution(struct cost_round *round, uint64_t g)
{
    struct search *search = round->search;
    const unsigned length = round->enode.g;
    if (g == round->best) {
        search->solutions += round->counts_all;
        return;
    }
    round->best = g;
    round->limit = round->counts_all || g == 0 ? g : g - 1;
    search->solutions = round->counts_all;
    char *moves = search_solved(search, length);
    for (unsigned i = 0; moves != NULL && i < length; i++)
        moves[i] = move_letters[move_undo(round->path[i + 1].undo)];
}

bool cost_round_reserve(struct cost_round *round, uint64_t depth)
{
    uint64_t levels = round->levels == 0 ? 256 : round->levels;
    while (levels <= depth)
        levels *= 2;
    if (levels == round->levels)
        return true;
    struct cost_visit *path =
        arena_resize(&round->search->arena, round->path, levels * sizeof *path);
    if (path == NULL) {
        round->search->status = STATUS_memory_limit;
        return false;
    }
    round->path = path;
    round->levels = levels;
    return true;
}

/* Enters the node at the end of the path. */
static enum cost_outcome enter(struct cost_round *round, struct cost_visit visit, uint64_t budget)
{
    struct search *search = round->search;
    struct enode *enode = &round->enode;
    const struct board *goal = &search->task->goal;
    if (enode->g >= round->levels && !cost_round_reserve(round, enode->g))
        return COST_ROUND_OVER;
    raise_to(&search->statistics.max_depth, enode->g);
    raise_to(&search->statistics.max_stored, enode->g + UINT64_C(1));
    enode->h = (unsigned)visit.h;
    enode->undo = visit.undo;
    if (enode->board.blank == goal->blank && board_equal(&enode->board, goal)) {
        visit.turn = MOVES;
        round->path[enode->g] = visit;
        note_solution(round, visit.g);
        return search->moves == NULL ? COST_ROUND_OVER : COST_ROUND_WHOLE;
    }
    round->path[enode->g] = visit;
    if (round->expanded == budget)
        return COST_ROUND_BUDGET;
    if (!search_expands(search, enode))
        return COST_ROUND_OVER;
    round->expanded++;
    raise_to(&round->below, visit.g + visit.h);
    return COST_ROUND_WHOLE;
}

/* Goes back to the parent. */
static void leave(struct cost_round *round)
{
    struct enode *enode = &round->enode;
    board_slide(&enode->board, round->search->operators.target[enode->board.blank][enode->undo]);
    enode->g--;
    enode->h = (unsigned)round->path[enode->g].h;
    enode->undo = round->path[enode->g].undo;
}

/* A child, on the E-node's board, is dropped or, if it is not, shown as kept. */
static bool drops(struct cost_round *round, struct cost_visit child)
{
    struct search *search = round->search;
    const uint64_t f = child.g + child.h;
    const bool above = f > round->limit;
    unsigned known_g = 0;
    if (above) {
        round->above = f < round->above ? f : round->above;
        round->dropped[excess_bucket(f - round->limit)]++;
    }
    const bool known = !above && round->table != NULL &&
                       transposition_meets(round->table, &round->enode.board, (unsigned)child.g,
                                           search->statistics.iterations, &known_g);
    search->statistics.duplicates += known;
    if (viewed(search))
        view_child(search, &round->enode.board, round->enode.g + 1, (unsigned)child.h,
                   move_undo(child.undo),
                   (struct event){.fate = above   ? FATE_ABOVE
                                          : known ? FATE_DUPLICATE
                                                  : FATE_KEPT,
                                  .limit = round->limit,
                                  .known_g = known_g});
    return above || known;
}

/* Makes the next child of the node at the end of the path and enters it, if it is not dropped. */
static enum cost_outcome go_on(struct cost_round *round, uint64_t budget)
{
    struct search *search = round->search;
    struct enode *enode = &round->enode;
    struct cost_visit *visit = &round->path[enode->g];
    const unsigned move = search->operators.order[visit->turn++];
    const unsigned to = enode->board.blank;
    const unsigned from = search->operators.target[to][move];
    if (from == NO_CELL || move == enode->undo)
        return COST_ROUND_WHOLE;
    const unsigned context =
        search->pruning == NULL ? 0 : context_after(search->pruning, visit->context, move);
    if (context == PRUNED)
        return COST_ROUND_WHOLE;
    if (!search_generates(search))
        return COST_ROUND_OVER;
    const unsigned tile = enode->board.cell[from];
    board_slide(&enode->board, from);
    const struct cost_visit child = {
        .g = visit->g + move_cost(search, tile),
        .h = heuristic_priced_step(search->heuristic, &enode->board, visit->h, tile, from, to),
        .undo = (uint8_t)move_undo(move),
        .context = context};
    if (drops(round, child)) {
        board_slide(&enode->board, to);
        return COST_ROUND_WHOLE;
    }
    enode->g++;
    return enter(round, child, budget);
}

bool cost_round_begin(struct cost_round *round, const char *name, uint64_t limit)
{
    round->limit = limit;
    round->expanded = round->below = 0;
    round->above = NO_COST;
    memset(round->dropped, 0, sizeof round->dropped);
    return search_begins_round(round->search, name, limit);
}

enum cost_outcome cost_round_below(struct cost_round *round, struct cost_visit root, uint64_t floor,
                                   uint64_t budget)
{
    struct enode *enode = &round->enode;
    const unsigned root_g = enode->g;
    enum cost_outcome outcome = enter(round, root, budget);
    while (outcome == COST_ROUND_WHOLE && (round->best > floor || round->counts_all)) {
        if (round->path[enode->g].turn < MOVES)
            outcome = go_on(round, budget);
        else if (enode->g > root_g)
            leave(round);
        else
            break;
    }
    return outcome;
}

enum cost_outcome cost_round_walk(struct cost_round *round, uint64_t floor, uint64_t limit,
                                  uint64_t budget)
{
    struct search *search = round->search;
    unsigned known_g;
    if (round->best != NO_COST && limit >= round->best)
        limit = round->counts_all ? round->best : round->best - 1;
    if (!cost_round_begin(round, "threshold", limit))
        return COST_ROUND_OVER;
    round->enode.board = search->task->start;
    round->enode.g = 0;
    if (round->table != NULL)
        (void)transposition_meets(round->table, &round->enode.board, 0,
                                  search->statistics.iterations, &known_g);
    const struct cost_visit root = {
        .h = priced_start_h(search), .undo = MOVE_NONE, .context = round->enode.board.blank};
    return cost_round_below(round, root, floor, budget);
}
