/* The verifier: plays a path move by move and says where it leads.
 *
 * It shares no code with the searches but the board: no table of moves, no packing, no heuristic.
 * Nothing else in tilelab may call a run solved. */
#pragma once

#include "puzzle/board.h"
#include "puzzle/costs.h"

enum replay_outcome {
    REPLAY_REACHES_GOAL,
    REPLAY_MISSES_GOAL,  /* every move is legal, but the last board is not the goal */
    REPLAY_LEAVES_BOARD, /* a move would take the blank over the edge */
    REPLAY_NOT_A_MOVE    /* a character other than U, D, L, R */
};

struct replay {
    enum replay_outcome outcome;
    size_t moves; /* legal moves played; so also the offset of the offending character, if there is
                     one */
    struct board last;
    size_t moved[MAX_CELLS]; /* how often each tile was moved */
};

/* Plays `length` characters of `moves` from `start` and compares the last board with `goal`. */
struct replay replay_path(const struct board *start, const struct board *goal, const char *moves,
                          size_t length);

/* What the moves of a replay cost, in the scale of the costs. False if that is beyond 64 bits. */
bool replay_cost(const struct replay *replay, const struct move_costs *costs, uint64_t *cost);
