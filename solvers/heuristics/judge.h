/* Judging a heuristic: its values on boards, and which of its claims hold there.
 *
 * Over all boards of a goal, where their exact distances are known, this is proof; over a sample,
 * without the distances, it can only find what is wrong. */
#pragma once

#include "heuristics/heuristic.h"
#include "puzzle/distance.h"

/* The claims that boards and their moves can break. */
enum { CLAIMS_JUDGED = ADMISSIBLE | CONSISTENT | KEEPS_PARITY | POSITIVE | INCREMENTAL };

/* A board that shows what does not hold. */
struct counterexample {
    struct board board;
    unsigned h;
    int distance;      /* of the board, if h is above it */
    struct board next; /* that a move leads to, and its h, if h falls by more than 1 */
    unsigned next_h;   /* or the other h of the board, if it has two */
};

struct judgement {
    uint64_t boards;
    uint64_t sum; /* of h */
    uint64_t squares;
    unsigned largest;
    /* How often each claim was broken: */
    uint64_t above;    /* boards with h above the distance (ADMISSIBLE) */
    uint64_t falls;    /* moves that let h fall by more than 1 (CONSISTENT) */
    uint64_t odd;      /* boards with h of the other parity than the distance (KEEPS_PARITY) */
    uint64_t zeros;    /* boards with h = 0 that are not the goal (POSITIVE) */
    unsigned at_goal;  /* h of the goal; if not 0: ADMISSIBLE, CONSISTENT, POSITIVE */
    uint64_t uneven;   /* moves of a tile between two cells that changed h by another number than a
                          move before (INCREMENTAL) */
    uint64_t unequal;  /* moves after which the incremental value is not the one from scratch */
    uint64_t unsteady; /* boards whose value differed the second time */
    struct counterexample too_high;    /* where there are any: of `above` a nearest to the goal, */
    struct counterexample fall;        /* of `falls` the first, */
    struct counterexample wavers;      /* of `unsteady` the first */
    uint64_t sum_at[MAX_DISTANCES];    /* of h, by distance */
    uint64_t boards_at[MAX_DISTANCES]; /* by distance */
};

struct judge {
    struct heuristic heuristic;
    struct judgement judgement;
    struct changes *changes; /* owned */
};

/* Starts with no board; the goal must not be refused. */
void judge_start(struct judge *judge, const struct heuristic_choice *choice,
                 const struct board *goal);

/* Judges h on a board that can reach the goal, twice, and on each move from it; `distance` is the
 * board's, or -1 where it is not known. */
void judge_board(struct judge *judge, const struct board *board, int distance);

void judge_end(struct judge *judge);

/* Those of CLAIMS_JUDGED that were broken. */
unsigned judgement_broken(const struct judgement *judgement);
