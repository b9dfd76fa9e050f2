/* Budgeted tree search (Helmert, Lattimore, Lelis, Orseau and Sturtevant, "Iterative budgeted
 * exponential search", IJCAI 2019): IDA* whose rounds grow, whatever the costs of moves are.
 *
 * IDA* takes the smallest g + h above the last threshold as the next one. If many nodes have costs
 * of their own, each round expands hardly more than the last, and N rounds take N^2 expansions in
 * all. Here a round that expands less than c1 times as many nodes as the one before is followed by
 * a search for a threshold whose round expands between c1 and c2 times as many: first the threshold
 * rises by 1, growth, growth^2, .. above the proved bound; once a round breaks off, as it would
 * take more than c2 times as many expansions, the next ones are halfway between what was proved and
 * the largest g + h that was expanded. So it makes O(N log C*) expansions, N those that the last
 * threshold needs, C* the cost of a solution. Where rounds grow by c1 anyhow, as for most boards
 * with moves of cost 1, it does what IDA* does.
 *
 * Thresholds are in the scale of the costs (puzzle/costs.h). A solution within a threshold that is
 * larger than the proved bound is a cheapest one once its round is at its end. */
#include "idastar/cost_round.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(bts);

enum { C1, C2, GROWTH };

const struct option_row bts_options[] = {
    [C1] = {NUMBER_OPTION(
        "c1", "a round is to expand so many times as many nodes as the one before", 2, 1, 1000)},
    [C2] = {NUMBER_OPTION(
        "c2",
        "and is broken off at so many times as many, if its threshold was guessed; at least c1", 8,
        2, 1000000)},
    [GROWTH] = {NUMBER_OPTION("growth", "the base of the powers by which guessed thresholds rise",
                              2, 2, 1000000)},
    {.kind = OPTION_END},
};

/* What is proved, and what is known of the thresholds above it. */
struct interval {
    uint64_t lower; /* no solution costs less */
    uint64_t upper; /* a round of this threshold takes more than c2 times the expansions; NO_COST */
};

/* Walks a round with a guessed threshold; false when the search is over. */
static bool guess(struct cost_round *round, struct interval *interval, uint64_t threshold,
                  uint64_t budget)
{
    switch (cost_round_walk(round, interval->lower, threshold, budget)) {
    case COST_ROUND_WHOLE:
        /* With a solution, nothing below its cost is left. */
        interval->lower = round->best < round->above ? round->best : round->above;
        return true;
    case COST_ROUND_BUDGET:
        interval->upper = round->below;
        return true;
    default:
        return false;
    }
}

/* After a round that grew too little: looks for a threshold whose round expands c1 to c2 times
 * `work`. False when the search is over. */
static bool look_for_threshold(struct cost_round *round, struct interval *interval, uint64_t work)
{
    const int64_t *options = round->search->options;
    const uint64_t enough = work * (uint64_t)options[C1];
    const uint64_t budget = work * (uint64_t)options[C2];
    uint64_t rise = round->search->costs == NULL ? 1 : round->search->costs->scale;
    while (interval->upper == NO_COST && interval->lower < round->best &&
           round->expanded < enough) {
        uint64_t threshold;
        if (__builtin_add_overflow(interval->lower, rise, &threshold))
            threshold = NO_COST - 1;
        if (!guess(round, interval, threshold, budget))
            return false;
        if (__builtin_mul_overflow(rise, (uint64_t)options[GROWTH], &rise))
            rise = NO_COST;
    }
    while (interval->lower < interval->upper && interval->lower < round->best &&
           (round->expanded < enough || round->expanded >= budget)) {
        if (!guess(round, interval, interval->lower + (interval->upper - interval->lower) / 2,
                   budget))
            return false;
    }
    return true;
}

static void rounds(struct cost_round *round)
{
    struct search *search = round->search;
    const uint64_t c1 = (uint64_t)search->options[C1];
    struct interval interval = {priced_start_h(search), NO_COST};
    uint64_t work = 0;
    while (interval.lower < round->best && interval.lower != NO_COST) {
        interval.upper = NO_COST;
        if (!guess(round, &interval, interval.lower, UINT64_MAX))
            return;
        if (round->expanded < c1 * work && !look_for_threshold(round, &interval, work))
            return;
        work = round->expanded > c1 * work ? round->expanded : c1 * work;
    }
    search->status = round->best == NO_COST ? STATUS_exhausted : STATUS_solved;
}

void bts_run(struct search *search)
{
    struct cost_round round;
    if (cost_round_start(&round, search))
        rounds(&round);
    cost_round_end(&round);
}
