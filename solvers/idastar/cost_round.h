/* One round of IDA* by costs: everything below the start whose g + h is within a limit, depth
 * first, or as much of it as a budget of expansions allows. For the searches whose rounds go beyond
 * the cost of a cheapest solution (step=cr, bts), and where moves cost different amounts.
 *
 * A solution does not end the round: from then on nodes are dropped that cannot lead to a cheaper
 * one, so that at the end of the round the best one is a cheapest. It does end the round if no
 * solution can be cheaper. */
#pragma once

#include "idastar/pruning.h"
#include "idastar/transposition.h"
#include "search/costs.h"
#include "search/excess.h"

/* A node on the current path. */
struct cost_visit {
    uint64_t g;
    uint64_t h;
    uint8_t undo;     /* the move back to the parent; MOVE_NONE at the root */
    uint8_t turn;     /* operators tried so far */
    uint32_t context; /* of idastar/pruning.h */
};

struct cost_round {
    struct search *search;
    struct cost_visit *path;
    uint64_t levels;             /* for which it has room */
    struct transposition *table; /* NULL: none */
    bool counts_all;             /* solutions of equal cost are counted: search->solutions */
    uint64_t best;               /* the cost of the best solution so far, or NO_COST */
    struct enode enode;          /* the last node of the path; its g counts moves */

    /* Of the round that was walked last. */
    uint64_t limit;
    uint64_t expanded;
    uint64_t below;                   /* the largest g + h that was expanded */
    uint64_t above;                   /* the smallest that was dropped, or NO_COST */
    uint64_t dropped[EXCESS_BUCKETS]; /* by how far (search/excess.h) */
};

enum cost_outcome {
    COST_ROUND_WHOLE,  /* the best solution within the limit, if there is one, is a cheapest */
    COST_ROUND_BUDGET, /* it would take more expansions */
    COST_ROUND_OVER    /* the search has ended; its status says why */
};

/* Prepares for rounds, and counts the root. False when the search must end; its status is set. */
bool cost_round_start(struct cost_round *round, struct search *search);
void cost_round_end(struct cost_round *round);

/* Walks a round. No solution costs less than `floor`. */
enum cost_outcome cost_round_walk(struct cost_round *round, uint64_t floor, uint64_t limit,
                                  uint64_t budget);

/* The parts of that, for a round below several nodes: it begins, and is walked below the node that
 * round->enode is, the path to which is in round->path, for which there is room. */
bool cost_round_begin(struct cost_round *round, const char *name, uint64_t limit);
bool cost_round_reserve(struct cost_round *round, uint64_t depth);
enum cost_outcome cost_round_below(struct cost_round *round, struct cost_visit root, uint64_t floor,
                                   uint64_t budget);

/* The limit under which the next round keeps `wanted` of the nodes that this one dropped. */
uint64_t cost_round_next(const struct cost_round *round, uint64_t wanted);
