#include "idastar/split.h"
#include "idastar/parts.h"
#include <limits.h>
#include <stdlib.h>

enum {
    ROOTS_A_PART = 16,
    PART_BITS = 18 /* nodes that the round before must have had for each part, as a power of 2 */
};

bool split_fits(const struct round *round)
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
    unsigned roots;           /* at the cut */
    unsigned added;           /* the parts from the first on that are added up .. */
    struct part_sum total;    /* .. in this */
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
}

/* Chooses where to cut. REFUSED if there is no such depth, or the goal lies above it. */
static enum split_outcome choose_cut(struct splitting *splitting)
{
    struct round *round = splitting->round;
    struct search *search = round->search;
    const unsigned wanted = ROOTS_A_PART * splitting->parts.count;
    bool fine = true;
    round->counts_only = true;
    round->cut.nodes = UINT64_MAX;
    splitting->roots = 0;
    for (unsigned depth = 1; fine && splitting->roots < wanted && depth < round->threshold / 2;
         depth++) {
        round->cut.depth = depth;
        set_out(splitting, UINT_MAX, UINT_MAX);
        fine = round_search_part(round);
        splitting->roots = round->cut.at;
    }
    round->counts_only = false;
    search->limits.nodes = splitting->nodes;
    search->statistics = splitting->before;
    if (!fine && search->status != STATUS_solved)
        return SPLIT_OVER;
    return fine && splitting->roots >= wanted ? SPLIT_DONE : SPLIT_REFUSED;
}

/* The first root of a part. */
static unsigned root_of(const struct splitting *splitting, unsigned part)
{
    return (unsigned)((uint64_t)splitting->roots * part / splitting->parts.count);
}

/* Searches a part, with `before` already counted and within a limit of nodes. False if the search
 * ends in it. */
static bool search_part(struct splitting *splitting, unsigned part, const struct statistics *before,
                        uint64_t nodes)
{
    struct round *round = splitting->round;
    struct search *search = round->search;
    round->cut.before = *before;
    round->cut.nodes = nodes;
    set_out(splitting, root_of(splitting, part),
            part + 1 == splitting->parts.count ? UINT_MAX : root_of(splitting, part + 1));
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
                                 .status = search->status,
                                 .solved = solved};
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
    total->solved = sum->solved;
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

/* Takes the sum of the round, and the processor time that all took for it instead of one's own,
 * which began at `begun`. */
static enum split_outcome take(struct splitting *splitting, const struct part_sum *sum,
                               double begun)
{
    struct round *round = splitting->round;
    struct search *search = round->search;
    struct part_sum total = {.statistics = splitting->before, .above = UINT64_MAX};
    const double others = sum->cpu_seconds - (clock_seconds(search->cpu_clock) - begun);
    add(&total, sum);
    search->statistics = total.statistics;
    search->cpu_begun -= others;
    if (search->cpu_deadline > 0)
        search->cpu_deadline -= others;
    round->enode = splitting->start;
    round->above = (unsigned)(sum->above < UINT_MAX ? sum->above : UINT_MAX);
    if (sum->ends)
        search->status = sum->status;
    if (!sum->solved) { /* a solution in a part that is beyond the limit of nodes */
        free(search->moves);
        search->moves = NULL;
        search->length = 0;
    }
    return sum->ends ? SPLIT_OVER : SPLIT_DONE;
}

/* Counts parts until none is needed any more, and ends with the sum of all. */
static enum split_outcome count_all(struct splitting *splitting, double begun)
{
    struct parts *parts = &splitting->parts;
    struct part_sum *total = &splitting->total;
    for (parts_look(parts); !parts->failed; parts_look(parts)) {
        struct part_sum sum;
        if (parts->summed && parts_read(parts, parts->count, &sum))
            return take(splitting, &sum, begun);
        if (!add_up(splitting))
            return SPLIT_OVER;
        if (total->ends || splitting->added == parts->count) {
            parts_write(parts, parts->count, total);
            parts_remove(parts);
            return take(splitting, total, begun);
        }
        const unsigned part = parts_choose(parts);
        if (part < parts->count && !count_part(splitting, part))
            return SPLIT_OVER;
    }
    return SPLIT_REFUSED;
}

enum split_outcome split_search(struct round *round, struct walkers *walkers)
{
    struct search *search = round->search;
    struct splitting splitting = {.round = round,
                                  .walkers = walkers,
                                  .parts = parts_start(search, round->threshold),
                                  .start = round->enode,
                                  .before = search->statistics,
                                  .total.above = UINT64_MAX,
                                  .nodes = search->limits.nodes};
    const double begun = clock_seconds(search->cpu_clock);
    enum split_outcome outcome = splitting.parts.failed ? SPLIT_REFUSED : choose_cut(&splitting);
    if (outcome == SPLIT_DONE)
        outcome = count_all(&splitting, begun);
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
    return outcome;
}
