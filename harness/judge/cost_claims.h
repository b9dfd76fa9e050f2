/* The values of heuristics where moves cost different amounts, and which of their claims hold. On
 * all boards of a goal, where their exact costs can be had, by an algorithm of Dijkstra's over all
 * states, this is proof; on a sample, without them, it can only find what is wrong. */
#pragma once

#include "harness/judge/verification.h"

/* In the scale of the costs, but for the sum. */
struct cost_judgement {
    uint64_t boards;
    double sum; /* of h, as a cost */
    uint64_t largest;
    uint64_t at_goal;      /* h of the goal */
    uint64_t above;        /* boards with h above the cost */
    uint64_t falls;        /* moves that let h fall by more than they cost */
    uint64_t zeros;        /* boards with h = 0 that are not the goal */
    uint64_t unequal;      /* moves after which the incremental value is not the one from scratch */
    struct board too_high; /* of `above` a cheapest one, */
    uint64_t its_h, its_cost;
    struct board before, after; /* of `falls` the first */
    uint64_t fell_from, fell_to;
};

struct cost_claims {
    const struct verification *verification; /* the heuristics, of which each has a price, and the
                                                boards */
    struct move_costs costs;
    uint64_t *exact; /* by rank; owned; NULL: boards are a sample */
    struct cost_judgement judgement[MAX_JUDGED];
};

/* Judges each heuristic on each board; a bar on a terminal shows how far it is, unless `quiet`. The
 * claims are zeroed but for `verification` and `costs`. */
void cost_claims_judge(struct cost_claims *claims, bool quiet);

/* Prints means and claims; as JSON, a new reference. */
void cost_claims_print(const struct cost_claims *claims, FILE *file);
json_t *cost_claims_json(const struct cost_claims *claims);

/* Says which claims do not hold. Returns the number of heuristics with such a claim or another
 * fault. */
unsigned cost_claims_report(const struct cost_claims *claims, FILE *messages);

void cost_claims_end(struct cost_claims *claims);
