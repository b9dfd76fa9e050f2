#include "idastar/split.h"
#include "idastar/parts.h"
#include "puzzle/pack.h"
#include <limits.h>
#include <stdlib.h>
#include <xxhash.h>

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
    struct last_split *last;
    struct parts parts;
    struct enode start;
    struct statistics before; /* the round */
    uint64_t nodes;           /* the search's limit */
    unsigned roots;           /* at the cut */
    unsigned *first;       /* owned; by part: its first root, and at the end the number of roots */
    unsigned added;        /* the parts from the first on that are added up .. */
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

/* Walks to the cut and notes the roots, if there is room for them, or only their number. False if
 * the goal is above it, or the search is over. */
static bool meet_roots(struct splitting *splitting, unsigned score, unsigned by_slack,
                       struct root *roots)
{
    struct round *round = splitting->round;
    round->counts_only = true;
    round->cut = (struct cut){
        .score = score, .by_slack = by_slack, .by_h = BY_H, .roots = roots, .nodes = UINT64_MAX};
    set_out(splitting, UINT_MAX, UINT_MAX);
    const bool whole = round_search_part(round);
    splitting->roots = round->cut.at;
    round->cut.roots = NULL;
    round->counts_only = false;
    round->search->limits.nodes = splitting->nodes;
    round->search->statistics = splitting->before;
    return whole;
}

/* Chooses where to cut: where there are enough roots. False as meet_roots. */
static bool choose_cut(struct splitting *splitting)
{
    const struct round *round = splitting->round;
    const unsigned wanted = ROOTS_A_PART * splitting->parts.count;
    const unsigned slack = round->threshold - splitting->start.h;
    const unsigned by_slack = growth_by_slack(round->search);
    bool fine = true;
    for (unsigned score = slack * by_slack + splitting->start.h * BY_H;
         fine && splitting->roots < wanted && score > OCTAVE; score -= OCTAVE)
        fine = meet_roots(splitting, score, by_slack, NULL);
    return fine;
}

/* Cuts at the nodes at which the last round was cut. */
static bool cut_again(struct splitting *splitting)
{
    const struct round *round = splitting->round;
    const struct last_split *last = splitting->last;
    const unsigned grown = round->threshold - last->threshold;
    return meet_roots(splitting, last->score + grown * last->by_slack, last->by_slack, NULL);
}

/* Which part of the last round each root was in; the number of parts if that round dropped it, as
 * it had no slack then. */
static void find_parts(const struct splitting *splitting, struct root *roots)
{
    const unsigned count = splitting->parts.count;
    const struct last_split *last = splitting->last;
    unsigned part = 0;
    unsigned known = 0;
    for (unsigned i = 0; i < splitting->roots; i++) {
        roots[i].part = count;
        if (roots[i].slack < splitting->round->threshold - last->threshold)
            continue;
        while (part + 1 < count && known >= last->first[part + 1])
            part++;
        roots[i].part = part;
        known++;
    }
}

/* Weighs the roots that were in one part by what it had, each by its share of their weights; and
 * those that are new by what all parts had. False where there is no memory. */
static bool weigh_by_last_round(const struct splitting *splitting, struct root *roots,
                                uint64_t *weights)
{
    enum { FRACTION = 256 };
    const unsigned count = splitting->parts.count;
    const struct part_sum *had = splitting->last->parts;
    uint64_t total = 0;
    uint64_t *expected = arena_keep(&splitting->round->search->arena, NULL,
                                    (count + UINT64_C(1)) * sizeof *expected);
    if (expected == NULL)
        return false;
    for (unsigned part = 0; part <= count; part++)
        expected[part] = 1;
    for (unsigned part = 0; part < count; part++)
        total += had[part].statistics.generated;
    find_parts(splitting, roots);
    for (unsigned i = 0; i < splitting->roots; i++) {
        expected[roots[i].part] += weights[i];
        if (roots[i].part < count)
            expected[count] += weights[i];
    }
    for (unsigned i = 0; i < splitting->roots; i++) {
        const unsigned part = roots[i].part;
        const uint64_t size = part < count ? had[part].statistics.generated : total;
        weights[i] = (uint64_t)((uint128)weights[i] * FRACTION * size / expected[part]);
    }
    free(expected);
    return true;
}

/* Gives each part roots, one after the other, that are expected to weigh the same. */
static void deal_roots(struct splitting *splitting, const uint64_t *weights)
{
    const unsigned count = splitting->parts.count;
    uint64_t total = 0;
    uint64_t so_far = 0;
    unsigned part = 0;
    for (unsigned i = 0; i < splitting->roots; i++)
        total += weights[i];
    for (unsigned i = 0; i < splitting->roots; i++) {
        while (part < count && so_far >= total / count * part)
            splitting->first[part++] = i;
        so_far += weights[i];
    }
    while (part <= count)
        splitting->first[part++] = splitting->roots;
}

/* Divides the roots at the cut. REFUSED where there is no memory. */
static enum split_outcome divide(struct splitting *splitting)
{
    struct round *round = splitting->round;
    struct arena *arena = &round->search->arena;
    const struct cut cut = round->cut;
    const size_t firsts = splitting->parts.count + UINT64_C(1);
    struct root *roots = arena_keep(arena, NULL, splitting->roots * sizeof *roots);
    uint64_t *weights = arena_keep(arena, NULL, splitting->roots * sizeof *weights);
    splitting->first = arena_keep(arena, NULL, firsts * sizeof *splitting->first);
    enum split_outcome outcome = SPLIT_REFUSED;
    if (roots != NULL && weights != NULL && splitting->first != NULL)
        outcome = meet_roots(splitting, cut.score, cut.by_slack, roots) ? SPLIT_DONE : SPLIT_OVER;
    for (unsigned i = 0; outcome == SPLIT_DONE && i < splitting->roots; i++)
        weights[i] = weight_of(roots[i].score, cut.score);
    if (outcome == SPLIT_DONE && splitting->last->first != NULL &&
        !weigh_by_last_round(splitting, roots, weights))
        outcome = SPLIT_REFUSED;
    if (outcome == SPLIT_DONE) {
        deal_roots(splitting, weights);
        splitting->parts.cut = XXH3_64bits(splitting->first, firsts * sizeof *splitting->first);
    }
    free(roots);
    free(weights);
    return outcome;
}

/* Cuts the round. REFUSED if that cannot be, or the goal lies above the cut or at it. */
static enum split_outcome cut_round(struct splitting *splitting)
{
    const struct search *search = splitting->round->search;
    const bool fine = splitting->last->first == NULL ? choose_cut(splitting) : cut_again(splitting);
    if (!fine && search->status != STATUS_solved)
        return SPLIT_OVER;
    const bool enough = splitting->roots >= ROOTS_A_PART * splitting->parts.count;
    return fine && enough ? divide(splitting) : SPLIT_REFUSED;
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
    if (!whole && !solved)
        return false;
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

/* The search is over during a part: what was counted before the round belongs to it. */
static enum split_outcome give_up(const struct splitting *splitting)
{
    struct search *search = splitting->round->search;
    struct part_sum total = {.statistics = splitting->before};
    add(&total, &(struct part_sum){.statistics = search->statistics});
    search->statistics = total.statistics;
    return SPLIT_OVER;
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
    search->statistics = (struct statistics){0};
    for (parts_look(parts); !parts->failed; parts_look(parts)) {
        struct part_sum sum;
        if (parts->summed && parts_read(parts, parts->count, &sum))
            return take(splitting, &sum);
        const long part = parts_choose(parts);
        if (part == PARTS_WAIT
                ? !search_may_go_on(search)
                : (unsigned)part < parts->count && !count_part(splitting, (unsigned)part))
            return give_up(splitting);
        if ((part == parts->count || limited) && !add_up(splitting))
            return give_up(splitting);
        if (total->ends || splitting->added == parts->count) {
            parts_write(parts, parts->count, total);
            parts_remove(parts);
            return take(splitting, total);
        }
    }
    return SPLIT_REFUSED;
}

/* Keeps how the round was divided, and what its parts had, for the next. */
static void keep_division(struct splitting *splitting, const struct cut *cut)
{
    last_split_end(splitting->last);
    *splitting->last = (struct last_split){splitting->round->threshold, cut->score, cut->by_slack,
                                           splitting->first, splitting->parts.sums};
    splitting->first = NULL;
    splitting->parts.sums = NULL;
}

void last_split_end(struct last_split *last)
{
    free(last->first);
    free(last->parts);
    *last = (struct last_split){0};
}

enum split_outcome split_search(struct round *round, struct walkers *walkers,
                                struct last_split *last)
{
    struct search *search = round->search;
    if (!fits(round))
        return SPLIT_REFUSED;
    struct splitting splitting = {.round = round,
                                  .walkers = walkers,
                                  .last = last,
                                  .parts = parts_start(search, round->threshold),
                                  .start = round->enode,
                                  .before = search->statistics,
                                  .total.above = UINT64_MAX,
                                  .nodes = search->limits.nodes};
    enum split_outcome outcome = splitting.parts.failed ? SPLIT_REFUSED : cut_round(&splitting);
    const struct cut cut = round->cut;
    if (outcome == SPLIT_DONE)
        outcome = count_all(&splitting);
    if (outcome == SPLIT_DONE)
        keep_division(&splitting, &cut);
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
