#include "idastar/split.h"
#include "idastar/parts.h"
#include <limits.h>
#include <stdlib.h>

enum {
    ROOTS_A_PART = 32,
    PART_BITS = 18 /* nodes that the round before must have had for each part, as a power of 2 */
};

/* Whether the round that begins is to be split: the one before was large. */
static bool fits(const struct round *round)
{
    const struct search *search = round->search;
    const struct split *split = search->limits.split;
    if (split == NULL || round->table != NULL || round->counts_all || search->observer != NULL ||
        search->round_count < 2)
        return false;
    const struct search_round *now = &search->rounds[search->round_count - 1];
    return (now->generated - now[-1].generated) >> PART_BITS >= split->parts;
}

/* A round being split. */
struct splitting {
    struct round *round;
    struct walkers *walkers;
    struct parts parts;
    struct enode start;
    struct statistics before; /* the round */
    uint64_t nodes;           /* the search's limit */
    unsigned by_slack; /* the round grows by a factor of 2 for each OCTAVE / by_slack of slack */
    unsigned roots;    /* at the cut */
    unsigned *first;   /* owned; by part: its first root, and at the end the number of roots */
    unsigned added;    /* the parts from the first on that are added up .. */
    struct part_sum total; /* .. in this */
};

/* Has the whole round, or a part of it, begin again. */
static void set_out(struct splitting *splitting, unsigned first, unsigned last)
{
    struct round *round = splitting->round;
    round->enode = splitting->start;
    round->above = UINT_MAX;
    round->cut.first = first;
    round->cut.last = last;
    round->cut.at = 0;
    round->cut.ended = false;
    round->cut.root_g = UINT_MAX;
}

/* How large the subtree below a node is expected to be: 2 to the power of its score / OCTAVE. With
 * its slack it grows as rounds have with the threshold; with each 1 of h by 1.3, as subtrees of one
 * slack did on 4x4 with the Manhattan distance. Whole numbers, as all machines must come to the
 * same. */
enum { OCTAVE = 16, BY_H = 6 };

/* What the last round's growth means for each 1 of slack. */
static unsigned growth_by_slack(const struct search *search)
{
    const struct search_round *now = &search->rounds[search->round_count - 1];
    const uint64_t before = search->round_count < 3 ? 0 : now[-1].generated - now[-2].generated;
    uint64_t grown =
        before == 0 ? 4 * OCTAVE : (now->generated - now[-1].generated) * OCTAVE / before;
    unsigned octaves = 0;
    for (; grown >= 2 * OCTAVE; grown /= 2)
        octaves++;
    const uint64_t of_step = octaves * OCTAVE + (grown > OCTAVE ? grown - OCTAVE : 0);
    return 1 + (unsigned)(of_step / (now->threshold - now[-1].threshold));
}

static uint64_t weight_of(uint32_t score, uint32_t max)
{
    const uint32_t octaves = (max - score) / OCTAVE;
    const uint64_t less = (max - score) % OCTAVE;
    return octaves > 30 ? 1 : ((UINT64_C(1) << 36) >> octaves) / (2 * OCTAVE) * (2 * OCTAVE - less);
}

/* Walks to the cut and counts the roots. False if the goal is above it, or the search is over. */
static bool meet_roots(struct splitting *splitting, unsigned score, uint32_t *scores)
{
    struct round *round = splitting->round;
    round->counts_only = true;
    round->cut = (struct cut){.score = score,
                              .by_slack = splitting->by_slack,
                              .by_h = BY_H,
                              .scores = scores,
                              .nodes = UINT64_MAX};
    set_out(splitting, UINT_MAX, UINT_MAX);
    const bool whole = round_search_part(round);
    splitting->roots = round->cut.at;
    round->cut.scores = NULL;
    round->counts_only = false;
    round->search->limits.nodes = splitting->nodes;
    round->search->statistics = splitting->before;
    return whole;
}

/* Gives each part roots, one after the other, that are expected to weigh the same. False as
 * meet_roots, or where there is no memory. */
static bool deal_roots(struct splitting *splitting)
{
    struct round *round = splitting->round;
    const unsigned count = splitting->parts.count;
    uint64_t total = 0;
    uint64_t so_far = 0;
    unsigned part = 0;
    uint32_t *scores = arena_keep(&round->search->arena, NULL, splitting->roots * sizeof *scores);
    if (scores == NULL || !meet_roots(splitting, round->cut.score, scores)) {
        free(scores);
        return false;
    }
    for (unsigned i = 0; i < splitting->roots; i++)
        total += weight_of(scores[i], round->cut.score);
    for (unsigned i = 0; i < splitting->roots; i++) {
        while (part < count && so_far >= total / count * part)
            splitting->first[part++] = i;
        so_far += weight_of(scores[i], round->cut.score);
    }
    while (part <= count)
        splitting->first[part++] = splitting->roots;
    free(scores);
    return true;
}

/* Chooses where to cut. REFUSED if there is no such score, or the goal lies above it or at it. */
static enum split_outcome choose_cut(struct splitting *splitting)
{
    struct search *search = splitting->round->search;
    const unsigned wanted = ROOTS_A_PART * splitting->parts.count;
    const unsigned slack = splitting->round->threshold - splitting->start.h;
    bool fine = true;
    splitting->by_slack = growth_by_slack(search);
    for (unsigned score = slack * splitting->by_slack + splitting->start.h * BY_H;
         fine && splitting->roots < wanted && score > OCTAVE; score -= OCTAVE)
        fine = meet_roots(splitting, score, NULL);
    if (!fine && search->status != STATUS_solved)
        return SPLIT_OVER;
    if (!fine || splitting->roots < wanted)
        return SPLIT_REFUSED;
    splitting->first = arena_keep(
        &search->arena, NULL, (splitting->parts.count + UINT64_C(1)) * sizeof *splitting->first);
    return splitting->first != NULL && deal_roots(splitting) ? SPLIT_DONE : SPLIT_REFUSED;
}

/* Searches a part, with `before` already counted and within a limit of nodes. False if the search
 * ends in it. */
static bool search_part(struct splitting *splitting, unsigned part, const struct statistics *before,
                        uint64_t nodes)
{
    struct round *round = splitting->round;
    struct search *search = round->search;
    const unsigned last = splitting->first[part + 1];
    set_out(splitting, splitting->first[part], last == splitting->roots ? UINT_MAX : last);
    /* It has none, and the one before goes to the end of the round. */
    if (round->cut.first == splitting->roots) {
        search->statistics = *before;
        return true;
    }
    round->cut.before = *before;
    round->cut.nodes = nodes;
    search->statistics = splitting->before;
    walkers_look_ahead(splitting->walkers, true);
    const bool whole = round_search_part(round) || round->cut.ended;
    search->limits.nodes = splitting->nodes;
    return whole;
}

/* Counts a part for all. False if the search is over: its time is up, or it was interrupted. */
static bool count_part(struct splitting *splitting, unsigned part)
{
    struct search *search = splitting->round->search;
    const double begun = clock_seconds(search->cpu_clock);
    const bool whole = search_part(splitting, part, &(struct statistics){0}, UINT64_MAX);
    const bool solved = !whole && search->status == STATUS_solved;
    if (!whole && !solved) {
        search->statistics.expanded += splitting->before.expanded;
        search->statistics.generated += splitting->before.generated;
        return false;
    }
    const struct part_sum sum = {.statistics = search->statistics,
                                 .above = splitting->round->above,
                                 .cpu_seconds = clock_seconds(search->cpu_clock) - begun,
                                 .ends = solved,
                                 .status = search->status};
    parts_write(&splitting->parts, part, &sum);
    return true;
}

/* Adds what is in a part, or a round, to what was counted before it. */
static void add(struct part_sum *total, const struct part_sum *sum)
{
    total->statistics.expanded += sum->statistics.expanded;
    total->statistics.generated += sum->statistics.generated;
    raise_to(&total->statistics.max_depth, sum->statistics.max_depth);
    raise_to(&total->statistics.max_stored, sum->statistics.max_stored);
    if (sum->above < total->above)
        total->above = sum->above;
    total->cpu_seconds += sum->cpu_seconds;
    total->ends = sum->ends;
    total->status = sum->status;
}

/* Adds the parts that are counted by now to the sum of those before them. If the limit of nodes is
 * reached in one, that is searched to the limit. False if the search is over during that. */
static bool add_up(struct splitting *splitting)
{
    struct search *search = splitting->round->search;
    struct parts *parts = &splitting->parts;
    struct part_sum *total = &splitting->total;
    const uint64_t left = splitting->nodes - splitting->before.generated;
    while (!total->ends && splitting->added < parts->count &&
           parts->state[splitting->added] >= PART_COUNTED) {
        struct part_sum sum;
        if (!parts_read(parts, splitting->added, &sum))
            return true;
        if (sum.statistics.generated <= left - total->statistics.generated) {
            add(total, &sum);
        } else {
            search_part(splitting, splitting->added, &total->statistics, left);
            if (search->status != STATUS_node_limit)
                return false;
            total->statistics = search->statistics;
            total->ends = true;
            total->status = STATUS_node_limit;
        }
        splitting->added++;
    }
    return true;
}

/* Takes the sum of the round. */
static enum split_outcome take(struct splitting *splitting, const struct part_sum *sum)
{
    struct round *round = splitting->round;
    struct search *search = round->search;
    struct part_sum total = {.statistics = splitting->before, .above = UINT64_MAX};
    add(&total, sum);
    search->statistics = total.statistics;
    round->enode = splitting->start;
    round->above = (unsigned)(sum->above < UINT_MAX ? sum->above : UINT_MAX);
    if (sum->ends)
        search->status = sum->status;
    if (!part_sum_solves(sum)) { /* a solution in a part that is beyond the limit of nodes */
        free(search->moves);
        search->moves = NULL;
        search->length = 0;
    }
    return sum->ends ? SPLIT_OVER : SPLIT_DONE;
}

/* Counts parts until none is needed any more, and ends with the sum of all. */
static enum split_outcome count_all(struct splitting *splitting)
{
    struct parts *parts = &splitting->parts;
    struct part_sum *total = &splitting->total;
    struct search *search = splitting->round->search;
    const bool limited = splitting->nodes != UINT64_MAX; /* perhaps not all parts are needed */
    for (parts_look(parts); !parts->failed; parts_look(parts)) {
        struct part_sum sum;
        if (parts->summed && parts_read(parts, parts->count, &sum))
            return take(splitting, &sum);
        const long part = parts_choose(parts);
        if (part == PARTS_WAIT
                ? !search_may_go_on(search)
                : (unsigned)part < parts->count && !count_part(splitting, (unsigned)part))
            return SPLIT_OVER;
        if ((part == parts->count || limited) && !add_up(splitting))
            return SPLIT_OVER;
        if (total->ends || splitting->added == parts->count) {
            parts_write(parts, parts->count, total);
            parts_remove(parts);
            return take(splitting, total);
        }
    }
    return SPLIT_REFUSED;
}

enum split_outcome split_search(struct round *round, struct walkers *walkers)
{
    struct search *search = round->search;
    if (!fits(round))
        return SPLIT_REFUSED;
    struct splitting splitting = {.round = round,
                                  .walkers = walkers,
                                  .parts = parts_start(search, round->threshold),
                                  .start = round->enode,
                                  .before = search->statistics,
                                  .total.above = UINT64_MAX,
                                  .nodes = search->limits.nodes};
    enum split_outcome outcome = splitting.parts.failed ? SPLIT_REFUSED : choose_cut(&splitting);
    if (outcome == SPLIT_DONE)
        outcome = count_all(&splitting);
    round->cut = (struct cut){0};
    if (splitting.parts.failed && search->limits.split->joins) {
        search->status = STATUS_interrupted;
        outcome = SPLIT_OVER;
    }
    if (outcome == SPLIT_REFUSED) {
        set_out(&splitting, 0, 0);
        search->statistics = splitting.before;
        walkers_look_ahead(walkers, true);
    }
    parts_end(&splitting.parts);
    free(splitting.first);
    return outcome;
}
