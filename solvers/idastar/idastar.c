/* Iterative-deepening A* (Korf, "Depth-first iterative-deepening: an optimal admissible tree
 * search", Artificial Intelligence 27, 1985).
 *
 * Round after round, the tree below the start is searched depth first, in operator order, without
 * the way back to the parent. A node whose g + h is above the round's threshold is dropped. The
 * first threshold is the h of the start. The last round ends as soon as the goal is met.
 *
 * step=minimum (default): the next threshold is the minimum g + h above the last one. This is
 * Korf's rule, by which his counts were made. It is right for every heuristic, and each round
 * visits something new. step=parity: the next threshold is the last one + 2, and the first is even
 * or odd as the distance is (each move takes the blank to a cell of the other colour). With
 * heuristics whose h can have either parity, such as misplaced or zero, this leaves out every other
 * round, in which the goal cannot be. If g + h keeps its parity, as with manhattan, both rules do
 * the same. step=cr: thresholds by which rounds double, whatever moves cost (idastar/by_costs.h),
 * which also has the rounds where moves cost different amounts. depth_limit: no threshold above it
 * is tried. A heuristic that is not admissible may hide a solution that short, so the answer is
 * then `stuck`, not `exhausted`.
 *
 * What is counted: the children of a node are made one by one. Each counts as generated, whether it
 * is dropped or not, and is searched before the next is made. So never more than one node is
 * generated and not yet expanded (max_open is 1), and only the path is held. The root counts once
 * for all rounds. With the Manhattan distance and the order ULRD these are the counts of Korf's
 * table 1 (tests/golden/test_korf.c).
 *
 * How a round is walked is idastar/round.c. Subtrees that are small, hold no goal and stay below
 * the limit of nodes may be counted instead (idastar/subtree.h): no counter changes by that.
 *
 * threads: how many processors one search uses. Rounds of a search that has gone far are then
 * counted ahead (idastar/walkers.h), by threads that walk subtrees as the search itself would. Path
 * and counters are the same for every number, but for peak_bytes: each thread has tables.
 *
 * table: bytes of a transposition table (idastar/transposition.h). A child within the threshold
 * whose state was entered in this round at no larger depth is dropped and counts as a duplicate, as
 * long as the table remembers it. Solutions stay shortest. All nodes are walked, by one thread.
 *
 * solutions=all: the last round goes on to its end, and `solutions` counts all shortest solutions;
 * the path is the first. No table drops a part of them.
 *
 * It may go on after a kill (idastar/resume.h) and share its rounds with other processes
 * (idastar/split.h), but not with a table, solutions=all, or moves of different costs. */
#include "idastar/by_costs.h"
#include "idastar/pdb_falls.h"
#include "idastar/resume.h"
#include "idastar/split.h"
#include "search/algorithm.h"
#include <limits.h>

DECLARE_ALGORITHM(idastar);

enum { STEP, DEPTH_LIMIT, THREADS, TABLE, SOLUTIONS, PRUNE };
enum { MINIMUM, PARITY, CR };

const struct option_row idastar_options[] = {
    [STEP] = {CHOICE_OPTION(
                  "step",
                  "the next threshold: the minimum g + h above the last, the last + 2, or "
                  "one under which a round expands twice as many nodes",
                  "minimum", "parity", "cr"),
              .unpriced = 1 << PARITY},
    [DEPTH_LIMIT] = {NUMBER_OPTION("depth_limit", "the longest solution looked for", OPTION_UNSET,
                                   0, 1000000),
                     .forfeits = COMPLETE, .unpriced = 1},
    [THREADS] = {NUMBER_OPTION("threads",
                               "how many threads search one board; counters do not depend on it", 1,
                               1, 256),
                 .spreads = true, .unpriced = 1},
    [TABLE] = {NUMBER_OPTION("table",
                             "bytes of a table of states that are not searched twice in a round", 0,
                             0, INT64_C(1) << 40),
               .unpriced = 1},
    [SOLUTIONS] = {CHOICE_OPTION(
        "solutions", "the last round ends with the first solution, or counts all", "first", "all")},
    [PRUNE] = PRUNE_OPTION,
    {.kind = OPTION_END},
};

/* With step=parity, a threshold of the wrong parity is left out: no solution has that length. */
static unsigned first_threshold(const struct search *search)
{
    const struct board *start = &search->task->start;
    const struct board *goal = &search->task->goal;
    unsigned h = search_start_h(search);
    if (search->options[STEP] == PARITY)
        h += (h ^ shape_distance(start->shape, start->blank, goal->blank)) & 1;
    return h;
}

/* Searches a round, or what is left of it, with others or alone, and writes checkpoints on the way.
 * False when the search is over. */
static bool search_round(struct round *round, struct walkers *walkers, struct last_split *last)
{
    struct search *search = round->search;
    const enum split_outcome outcome = split_search(round, walkers, last);
    if (outcome != SPLIT_REFUSED)
        return outcome == SPLIT_DONE;
    while (!round_search(round)) {
        if (!search->paused)
            return false;
        walkers_note_place(walkers);
        round_save(round, &walkers->place);
        if (search->status == STATUS_interrupted)
            return false;
        walkers_look_ahead(walkers, false);
    }
    return true;
}

/* Makes ready what counts subtrees, for a round that begins or goes on. False when the search is
 * over. */
static bool make_ready(struct round *round, struct walkers *walkers, bool begins)
{
    if (!pdb_falls_look(round))
        return false;
    walkers_look_ahead(walkers, begins);
    return true;
}

/* Begins the next round. False when the search is over. */
static bool begin_round(struct round *round, struct walkers *walkers)
{
    struct search *search = round->search;
    const int64_t depth_limit = search->options[DEPTH_LIMIT];
    if (depth_limit != OPTION_UNSET && round->threshold > depth_limit) {
        search->status = search_none_within(search);
        return false;
    }
    if (!round_make_path(round, &search->arena, round->threshold + UINT64_C(1))) {
        search->status = STATUS_memory_limit;
        return false;
    }
    round->above = UINT_MAX;
    if (!make_ready(round, walkers, true) ||
        !search_begins_round(search, "threshold", round->threshold))
        return false;
    unsigned known_g;
    return round->table == NULL || !transposition_meets(round->table, &round->enode.board, 0,
                                                        search->statistics.iterations, &known_g);
}

/* `resumed`: the first round is under way. */
static void search_rounds(struct round *round, struct walkers *walkers, bool resumed)
{
    const bool parity = round->search->options[STEP] == PARITY;
    struct last_split last = {0};
    if (resumed && !make_ready(round, walkers, false))
        return;
    while ((resumed || begin_round(round, walkers)) && search_round(round, walkers, &last)) {
        if (round->search->solutions > 0) {
            round->search->status = STATUS_solved;
            break;
        }
        round->threshold = parity ? round->threshold + 2 : round->above;
        resumed = false;
    }
    last_split_end(&last);
}

void idastar_run(struct search *search)
{
    struct statistics *statistics = &search->statistics;
    const bool counts_all = search->options[SOLUTIONS] != 0;
    const struct board *start = &search->task->start;
    struct transposition table = {.count = 0};
    struct pruning pruning;
    if (!counts_all && !transposition_start(&table, &search->arena, start->shape,
                                            (uint64_t)search->options[TABLE])) {
        search->status = STATUS_memory_limit;
        return;
    }
    if (!counts_all && !pruning_start(&pruning, search, search->options[PRUNE]))
        return;
    if (search->costs != NULL || search->options[STEP] == CR) {
        const int64_t most = search->options[DEPTH_LIMIT];
        idastar_by_costs(search, &(struct idastar_by_costs){
                                     .most = most == OPTION_UNSET ? NO_COST - 1 : (uint64_t)most,
                                     .doubles = search->options[STEP] == CR,
                                     .counts_all = counts_all,
                                     .table = table.count > 0 ? &table : NULL});
        return;
    }
    struct round round = round_start(search);
    round.enode.h = search_start_h(search);
    round.enode.undo = MOVE_NONE;
    round.enode.context = start->blank;
    round.threshold = first_threshold(search);
    round.counts_all = counts_all;
    if (table.count > 0) {
        round.table = &table;
        round.counted_slack = 0;
    }
    struct walkers walkers =
        walkers_start(&round, (unsigned)search->options[THREADS], table.count > 0 || counts_all);
    if (!search_generates_root(search))
        return;
    statistics->max_open = statistics->max_stored = 1;
    statistics->iterations = 0;
    const bool resumed = round_resumes(&round) && round_restore(&round, NULL, 0, &walkers.place);
    search_rounds(&round, &walkers, resumed);
    if (search->solutions > 0)
        raise_to(&statistics->max_depth, search->length);
    walkers_end(&walkers);
}
