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
 * the same. depth_limit: no threshold above it is tried. A heuristic that is not admissible may
 * hide a solution that short, so the answer is then `stuck`, not `exhausted`.
 *
 * What is counted: the children of a node are made one by one. Each counts as generated, whether it
 * is dropped or not, and is searched before the next is made. So never more than one node is
 * generated and not yet expanded (max_open is 1), and only the path is held. The root counts once
 * for all rounds. With the Manhattan distance and the order ULRD these are the counts of Korf's
 * table 1 (tests/golden/test_korf.c).
 *
 * The path is an explicit stack as deep as the threshold. If there is a subtree counter for the
 * heuristic and the shape (idastar/subtree.h), subtrees that are small, hold no goal and stay below
 * the limit of nodes are not walked but counted, in a tenth of the time. Every counter stays the
 * same. An observer sees every node, so then all are walked; one who sees everything has a copy of
 * the search of its own.
 *
 * threads: how many processors one search uses. Rounds of a search that has gone far are then
 * counted ahead (idastar/ahead.h), by threads that walk subtrees as the search itself would. Path
 * and counters are the same for every number, but for peak_bytes: each thread has tables. With the
 * Manhattan distance on 4x4, and with small pattern databases, one thread gains by it, too, as
 * groups of subtrees can be counted layer by layer (idastar/layers.h).
 *
 * table: bytes of a transposition table (idastar/transposition.h). A child within the threshold
 * whose state was entered in this round at no larger depth is dropped and counts as a duplicate, as
 * long as the table remembers it. Solutions stay shortest. All nodes are walked then, by one
 * thread. max_stored is still the path; peak_bytes has the table. */
#include "idastar/idastar.h"
#include "heuristics/max.h"
#include "idastar/ahead.h"
#include "idastar/layers.h"
#include "idastar/transposition.h"
#include "search/algorithm.h"
#include "search/view.h"
#include <limits.h>

DECLARE_ALGORITHM(idastar);

enum { STEP, DEPTH_LIMIT, THREADS, TABLE };
enum { MINIMUM, PARITY };

const struct option_row idastar_options[] = {
    [STEP] = {.name = "step",
              .help = "the next threshold: the minimum g + h above the last, or the last + 2",
              .kind = OPTION_CHOICE,
              .choices = {"minimum", "parity"}},
    [DEPTH_LIMIT] = {.name = "depth_limit",
                     .help = "the longest solution looked for",
                     .kind = OPTION_NUMBER,
                     .fallback = OPTION_UNSET,
                     .max = 1000000,
                     .forfeits = COMPLETE},
    [THREADS] = {.name = "threads",
                 .help = "how many threads search one board; counters do not depend on it",
                 .kind = OPTION_NUMBER,
                 .fallback = 1,
                 .min = 1,
                 .max = 256,
                 .spreads = true},
    [TABLE] = {.name = "table",
               .help = "bytes of a table of states that are not searched twice in a round",
               .kind = OPTION_NUMBER,
               .fallback = 0,
               .max = INT64_C(1) << 40},
    {.kind = OPTION_END},
};

/* A node on the current path. */
struct visit {
    unsigned h;
    uint8_t undo; /* the move back to the parent; MOVE_NONE at the root */
    uint8_t turn; /* operators tried so far */
};

/* How a round is walked: as a search, shown to an observer, or by a scout. */
enum manner { SEARCHING, SHOWING, SCOUTING };

struct round {
    struct search *search;
    struct subtree_counter subtrees;
    struct ahead *ahead;         /* NULL: nothing is counted ahead in this round */
    struct transposition *table; /* NULL: none */
    struct visit *path;
    struct enode enode; /* the last node of the path */
    unsigned threshold;
    unsigned above;         /* the minimum g + h above the threshold */
    unsigned goal_h;        /* of the goal: 0 if the heuristic is admissible */
    bool steady;            /* each move changes h by exactly 1 */
    unsigned counted_slack; /* subtrees of at most this slack are counted */
    unsigned root_g;        /* where the walk began */
    unsigned refused_g;     /* of the root, refused by `ahead`, that is being walked; UINT_MAX */
    bool counts_only;       /* it is not the search itself and keeps no solution */
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

static void set_solution(struct round *round)
{
    const unsigned length = round->enode.g;
    if (round->counts_only) {
        round->search->status = STATUS_solved;
        return;
    }
    char *moves = search_solved(round->search, length);
    for (unsigned i = 0; moves != NULL && i < length; i++)
        moves[i] = move_letters[move_undo(round->path[i + 1].undo)];
}

/* Counts the E-node and all below it without walking them, if that is possible. With every
 * heuristic that has a counter, g + h keeps its parity, so whatever is dropped is at least 2 above
 * the threshold. If each move changes h by exactly 1, everything dropped is exactly 2 above it, and
 * something is dropped below every node; so `above` is known. Otherwise a subtree is counted only
 * after a node was dropped at 2 above, since then the subtree cannot lower `above`. A refusal
 * usually means that the search ends in this subtree: it is walked, and smaller ones in it are
 * counted. */
static enum subtree_outcome count_subtree(struct round *round)
{
    const struct enode *enode = &round->enode;
    const unsigned slack = (round->threshold - enode->g - enode->h) / 2;
    const unsigned next = round->threshold + 2;
    if (slack == 0 || slack > round->counted_slack || enode->undo == MOVE_NONE ||
        (round->above != next && !round->steady))
        return SUBTREE_REFUSED;
    enum subtree_outcome outcome = subtree_count(&round->subtrees, enode, slack);
    if (outcome == SUBTREE_COUNTED)
        round->above = next;
    if (outcome == SUBTREE_REFUSED)
        round->counted_slack = slack - 1;
    return outcome;
}

/* Whether the E-node is the root of a subtree that is counted ahead, in a round of which some are.
 */
static bool is_counted_ahead(const struct round *round)
{
    const struct enode *enode = &round->enode;
    return enode->undo != MOVE_NONE &&
           (round->threshold - enode->g - enode->h) / 2 <= ahead_slack(round->ahead);
}

/* Counts the E-node and all below it, if it was counted ahead or can be counted now. Below a root
 * that was refused all is as if nothing were counted ahead. */
static enum subtree_outcome take_subtree(struct round *round)
{
    if (round->ahead != NULL && round->enode.g <= round->refused_g) {
        round->refused_g = UINT_MAX;
        if (!is_counted_ahead(round))
            return SUBTREE_REFUSED;
        const enum subtree_outcome outcome = ahead_take(round->ahead, &round->enode, &round->above);
        if (outcome != SUBTREE_REFUSED)
            return outcome;
        round->refused_g = round->enode.g;
    }
    return count_subtree(round);
}

static SELDOM void show_expansion(const struct round *round)
{
    const struct enode *enode = &round->enode;
    const struct node_seen node =
        view_path(round->search, enode->g, enode->h, move_undo(enode->undo));
    view_expands(round->search, enode, (struct event){.node = node});
}

/* The E-node's board is the child's. */
static SELDOM void show_child(const struct round *round, unsigned move, unsigned h)
{
    const unsigned g = round->enode.g + 1;
    const enum fate fate = g + h > round->threshold ? FATE_ABOVE : FATE_KEPT;
    view_child(round->search, &round->enode.board, g, h, move,
               (struct event){.fate = fate, .limit = round->threshold});
}

/* Whether the child on the E-node's board, of depth g + 1, was entered before in this round. */
static CALLED bool was_entered(struct round *round, unsigned move, unsigned h)
{
    struct search *search = round->search;
    const unsigned g = round->enode.g + 1;
    unsigned known_g;
    if (!transposition_meets(round->table, &round->enode.board, g, search->statistics.iterations,
                             &known_g))
        return false;
    search->statistics.duplicates++;
    if (viewed(search))
        view_child(search, &round->enode.board, g, h, move,
                   (struct event){.fate = FATE_DUPLICATE, .known_g = known_g});
    return true;
}

/* Enters the node at the end of the path: tests for the goal, counts its subtree or expands it.
 * False when the search is over. */
KERNEL bool enter(struct round *round, unsigned h, unsigned undo, enum manner manner)
{
    struct search *search = round->search;
    struct statistics *statistics = &search->statistics;
    struct enode *enode = &round->enode;
    struct visit *visit = &round->path[enode->g];
    *visit = (struct visit){.h = h, .undo = (uint8_t)undo};
    enode->h = h;
    enode->undo = undo;
    raise_to(&statistics->max_depth, enode->g);
    raise_to(&statistics->max_stored, enode->g + UINT64_C(1));
    if (h == round->goal_h && board_equal(&enode->board, &search->task->goal)) {
        set_solution(round);
        return false;
    }
    if (manner == SCOUTING && is_counted_ahead(round)) {
        ahead_note(round->ahead, enode, statistics->generated);
        visit->turn = MOVES;
        return true;
    }
    switch (manner == SCOUTING ? SUBTREE_REFUSED : take_subtree(round)) {
    case SUBTREE_COUNTED:
        visit->turn = MOVES;
        return true;
    case SUBTREE_REFUSED:
        if (!search_expands(search, enode))
            return false;
        if (manner == SHOWING)
            show_expansion(round);
        return true;
    default:
        return false;
    }
}

/* Goes back to the parent. */
static void leave(struct round *round)
{
    struct enode *enode = &round->enode;
    board_slide(&enode->board, round->search->operators.target[enode->board.blank][enode->undo]);
    enode->g--;
    enode->h = round->path[enode->g].h;
    enode->undo = round->path[enode->g].undo;
}

/* Searches everything within the threshold, from the node at the end of the path on. False when the
 * search is over; a scout's, also when its window is full. */
KERNEL bool search_within(struct round *round, enum manner manner)
{
    struct search *search = round->search;
    const struct operators *operators = &search->operators;
    const struct heuristic *heuristic = search->heuristic;
    struct enode *enode = &round->enode;
    for (;;) {
        struct visit *visit = &round->path[enode->g];
        if (manner == SCOUTING && ahead_is_full(round->ahead))
            return false;
        if (visit->turn == MOVES) {
            if (enode->g == round->root_g)
                return true;
            leave(round);
            continue;
        }
        const unsigned move = operators->order[visit->turn++];
        const unsigned to = enode->board.blank;
        const unsigned from = operators->target[to][move];
        if (from == NO_CELL || move == enode->undo)
            continue;
        if (!search_generates(search))
            return false;
        const unsigned tile = enode->board.cell[from];
        board_slide(&enode->board, from);
        const unsigned h =
            heuristic->kind->step(heuristic, &enode->board, enode->h, tile, from, to);
        const unsigned cost = enode->g + 1 + h;
        if (round->table != NULL && cost <= round->threshold && was_entered(round, move, h)) {
            board_slide(&enode->board, to);
            continue;
        }
        if (manner == SHOWING)
            show_child(round, move, h);
        if (cost > round->threshold) {
            board_slide(&enode->board, to);
            if (cost < round->above)
                round->above = cost;
            continue;
        }
        enode->g++;
        if (!enter(round, h, move_undo(move), manner))
            return false;
    }
}

/* One copy for searches that are viewed, one for scouts, one for the others, which then pay
 * nothing. */
static bool search_round(struct round *round)
{
    struct enode *enode = &round->enode;
    return enter(round, enode->h, enode->undo, SEARCHING) && search_within(round, SEARCHING);
}

static SELDOM bool show_round(struct round *round)
{
    view_round(round->search, "threshold", round->threshold);
    return enter(round, round->enode.h, MOVE_NONE, SHOWING) && search_within(round, SHOWING);
}

/* ---- Counting ahead ---- */

enum {
    AHEAD_FROM = 1 << 21, /* nodes generated before a round in which it is worth while */
    DEEPER = 256          /* how far the threshold may rise with it, more than it ever does */
};

/* The same for layers below pattern databases, of which a node takes longer. */
enum { PDB_AHEAD_FROM = 3 << 18 };

/* One who walks for the search: a thread's walker, or the scout. */
struct walker {
    struct search search;
    struct round round;
    struct layers_counter layers; /* its form is NULL if none fits */
};

struct walkers {
    struct round *round; /* the search's */
    unsigned threads;
    bool wanted;     /* counting ahead would be faster */
    bool layered;    /* by layers */
    uint64_t from;   /* nodes generated before a round in which it is worth while */
    unsigned levels; /* of each walker's path */
    struct ahead *ahead;
    struct walker *walker; /* one for each thread, then the scout */
};

static bool scout(void *context)
{
    struct walkers *walkers = context;
    struct round *round = &walkers->walker[walkers->threads].round;
    if (round->search->statistics.generated == 0 &&
        !enter(round, round->enode.h, MOVE_NONE, SCOUTING))
        return true;
    return search_within(round, SCOUTING) || !ahead_is_full(walkers->ahead);
}

/* Counts the subtrees of a group: at once where that can be done, or one by one, as the search
 * would. */
static enum subtree_outcome count_group(void *context, unsigned number,
                                        const struct ahead_root *roots, unsigned count,
                                        uint64_t left, struct ahead_sum *sum)
{
    struct walkers *walkers = context;
    struct round *round = &walkers->walker[number].round;
    struct search *search = round->search;
    search->statistics = (struct statistics){0};
    search->limits.nodes = left;
    /* What layers drop is 2 above the threshold, or more if h may leap: as in count_subtree. */
    if (walkers->layered && (round->steady || round->above == round->threshold + 2)) {
        const enum subtree_outcome outcome = layers_count(&walkers->walker[number].layers, roots,
                                                          count, round->threshold, left, sum);
        if (outcome != SUBTREE_REFUSED)
            return outcome;
    }
    for (unsigned i = 0; i < count; i++) {
        round->enode = (struct enode){
            .board = roots[i].board, .g = roots[i].g, .h = roots[i].h, .undo = roots[i].undo};
        round->root_g = roots[i].g;
        if (round->subtrees.kind != NULL)
            round->counted_slack = round->subtrees.kind->max_slack;
        if (!search_round(round))
            return search->status == STATUS_solved || search->status == STATUS_node_limit
                       ? SUBTREE_REFUSED
                       : SUBTREE_STOPPED;
    }
    *sum = (struct ahead_sum){search->statistics.expanded, search->statistics.generated,
                              search->statistics.max_depth, round->above};
    return SUBTREE_COUNTED;
}

/* Makes a walker like the search, but without its observers, limits and counters. */
static bool walker_start(struct walkers *walkers, unsigned number)
{
    struct search *search = walkers->round->search;
    struct walker *walker = &walkers->walker[number];
    const bool is_scout = number == walkers->threads;
    walker->search = (struct search){.task = search->task,
                                     .heuristic = search->heuristic,
                                     .options = search->options,
                                     .operators = search->operators,
                                     .limits.nodes = UINT64_MAX};
    walker->round = *walkers->round;
    walker->round.search = &walker->search;
    walker->round.counts_only = true;
    walker->round.ahead = is_scout ? walkers->ahead : NULL;
    walker->round.path = arena_take(&search->arena, walkers->levels * sizeof *walker->round.path);
    if (!is_scout) {
        walker->search.deadline = search->deadline;
        walker->search.limits.interrupted = ahead_interrupted(walkers->ahead, number);
        walker->round.subtrees = subtree_counter_start(&walker->search, &search->arena);
    }
    return walker->round.path != NULL &&
           (is_scout || walkers->round->subtrees.kind == walker->round.subtrees.kind);
}

/* Starts the counters of layers of all threads. False if the budget does not allow them. */
static bool start_layers(struct walkers *walkers)
{
    struct arena *arena = &walkers->round->search->arena;
    unsigned started = 0;
    do {
        struct walker *walker = &walkers->walker[started];
        walker->layers =
            layers_start(&walker->search, arena, started > 0 ? &walkers->walker[0].layers : NULL);
    } while (walkers->walker[started].layers.form != NULL && ++started < walkers->threads);
    if (started == walkers->threads)
        return true;
    while (started > 0)
        layers_end(&walkers->walker[--started].layers, arena);
    return false;
}

/* From this round on subtrees are counted ahead, if the budget allows it. */
static void walkers_start(struct walkers *walkers)
{
    static const struct ahead_hands hands = {scout, count_group};
    struct search *search = walkers->round->search;
    const unsigned number = walkers->threads + 1;
    bool fine;
    walkers->levels = walkers->round->threshold + DEEPER;
    walkers->walker = arena_take(&search->arena, number * sizeof *walkers->walker);
    fine = walkers->walker != NULL;
    if (fine)
        walkers->ahead = ahead_start(search, walkers->threads, &hands, walkers);
    fine = fine && walkers->ahead != NULL;
    for (unsigned i = 0; fine && i < number; i++)
        fine = walker_start(walkers, i);
    if (fine && walkers->layered)
        walkers->layered = start_layers(walkers);
    if (fine && (walkers->layered || walkers->threads > 1))
        return;
    ahead_end(walkers->ahead);
    walkers->ahead = NULL;
    walkers->wanted = false;
}

/* Makes everything ready for a round, if it is one in which subtrees are counted ahead. */
static void look_ahead(struct walkers *walkers)
{
    struct round *round = walkers->round;
    round->ahead = NULL;
    if (walkers->ahead == NULL && walkers->wanted &&
        round->search->statistics.generated >= walkers->from)
        walkers_start(walkers);
    if (walkers->ahead == NULL || round->threshold >= walkers->levels)
        return;
    for (unsigned i = 0; i <= walkers->threads; i++) {
        struct round *other = &walkers->walker[i].round;
        other->enode = round->enode;
        other->threshold = round->threshold;
        other->above = UINT_MAX;
        other->search->statistics = (struct statistics){0};
    }
    ahead_begin_round(walkers->ahead);
    round->ahead = walkers->ahead;
    round->refused_g = UINT_MAX;
}

/* ---- The rounds ---- */

/* Notes in the table, if there is one, that the root is entered. */
static bool enter_root(const struct round *round)
{
    unsigned known_g;
    return round->table == NULL ||
           !transposition_meets(round->table, &round->enode.board, 0,
                                round->search->statistics.iterations, &known_g);
}

static void search_rounds(struct round *round, struct walkers *walkers)
{
    struct search *search = round->search;
    const int64_t depth_limit = search->options[DEPTH_LIMIT];
    for (;;) {
        if (depth_limit != OPTION_UNSET && round->threshold > depth_limit) {
            search->status = (heuristic_properties(&search->heuristic->choice) & ADMISSIBLE) != 0
                                 ? STATUS_exhausted
                                 : STATUS_stuck;
            return;
        }
        struct visit *path = arena_resize(&search->arena, round->path,
                                          (round->threshold + UINT64_C(1)) * sizeof *path);
        if (path == NULL) {
            search->status = STATUS_memory_limit;
            return;
        }
        round->path = path;
        round->above = UINT_MAX;
        look_ahead(walkers);
        if (!search_begins_round(search, round->threshold) || !enter_root(round) ||
            !(viewed(search) ? show_round : search_round)(round))
            return;
        round->threshold = search->options[STEP] == PARITY ? round->threshold + 2 : round->above;
    }
}

/* What all rounds of a search share. */
static struct round round_start(struct search *search)
{
    const unsigned steady = CONSISTENT | KEEPS_PARITY;
    const unsigned claims = heuristic_properties(&search->heuristic->choice);
    struct round round = {.search = search, .enode.board = search->task->start};
    round.steady = (claims & steady) == steady;
    if ((claims & ADMISSIBLE) == 0)
        round.goal_h = search->heuristic->kind->evaluate(search->heuristic, &search->task->goal);
    round.subtrees = subtree_counter_start(search, &search->arena);
    if (round.subtrees.kind != NULL && search->observer == NULL)
        round.counted_slack = round.subtrees.kind->max_slack;
    return round;
}

/* Searches below each node of a frontier that is within the threshold, with room on the path for
 * its depth. False when the search is over. */
static bool search_below(struct round *round, const struct idastar_frontier *frontier)
{
    struct enode *enode = &round->enode;
    for (uint64_t i = 0; i < frontier->count; i++) {
        if (!frontier->node(frontier->context, i, enode))
            continue;
        if (enode->g + enode->h > round->threshold) {
            if (enode->g + enode->h < round->above)
                round->above = enode->g + enode->h;
            return true; /* as are all that follow */
        }
        round->root_g = enode->g;
        const bool shows = viewed(round->search);
        if (!(shows ? enter(round, enode->h, enode->undo, SHOWING) && search_within(round, SHOWING)
                    : search_round(round)))
            return false;
    }
    return true;
}

/* The g + h of the first node, or UINT_MAX. */
static unsigned smallest_cost(const struct idastar_frontier *frontier, struct enode *enode)
{
    for (uint64_t i = 0; i < frontier->count; i++)
        if (frontier->node(frontier->context, i, enode))
            return enode->g + enode->h;
    return UINT_MAX;
}

/* Makes room on the path for all nodes within the threshold. False when the budget is spent. */
static bool make_path(struct round *round, uint64_t *levels, unsigned spare)
{
    const uint64_t wanted = round->threshold + UINT64_C(1) + spare;
    if (wanted <= *levels)
        return true;
    struct visit *path = arena_resize(&round->search->arena, round->path, wanted * sizeof *path);
    if (path == NULL)
        return false;
    round->path = path;
    *levels = wanted;
    return true;
}

void idastar_below(struct search *search, const struct idastar_frontier *frontier)
{
    struct round first = {.search = search, .enode.board = search->task->start};
    uint64_t levels = 0;
    first.threshold = smallest_cost(frontier, &first.enode);
    search->statistics.iterations = 0;
    search->status = STATUS_exhausted;
    if (first.threshold == UINT_MAX)
        return;
    /* The path goes before the counter's tables, for which less memory will do. */
    search->status = STATUS_memory_limit;
    if (!make_path(&first, &levels, DEEPER) && !make_path(&first, &levels, 0))
        return;
    struct round round = round_start(search);
    round.path = first.path;
    for (round.above = first.threshold; round.above != UINT_MAX;) {
        round.threshold = round.above;
        round.above = UINT_MAX;
        if (!make_path(&round, &levels, 0)) {
            search->status = STATUS_memory_limit;
            return;
        }
        if (!search_begins_round(search, round.threshold))
            return;
        if (viewed(search))
            view_round(search, "frontier", round.threshold);
        if (!search_below(&round, frontier))
            return;
    }
    search->status = STATUS_exhausted;
}

void idastar_run(struct search *search)
{
    struct statistics *statistics = &search->statistics;
    struct round round = round_start(search);
    round.enode.h = search_start_h(search);
    round.enode.undo = MOVE_NONE;
    round.threshold = first_threshold(search);
    /* An observer sees node by node. */
    struct walkers walkers = {.round = &round,
                              .threads = (unsigned)search->options[THREADS],
                              .layered = layers_fit(search->heuristic),
                              .from = AHEAD_FROM};
    struct transposition table = {.count = 0};
    if (walkers.layered && pdb_of(search->heuristic) != NULL)
        walkers.from = PDB_AHEAD_FROM;
    walkers.wanted = search->observer == NULL && (walkers.threads > 1 || walkers.layered);
    if (!transposition_start(&table, &search->arena, search->task->start.shape,
                             (uint64_t)search->options[TABLE])) {
        search->status = STATUS_memory_limit;
        return;
    }
    if (table.count > 0) {
        round.table = &table;
        round.counted_slack = 0;
        walkers.wanted = false;
    }
    if (!search_generates(search)) /* the root */
        return;
    if (viewed(search)) {
        view_costs(search, 1, 1);
        view_root(search, &search->task->start, round.enode.h, 0);
    }
    statistics->max_open = statistics->max_stored = 1;
    statistics->iterations = 0;
    search_rounds(&round, &walkers);
    ahead_end(walkers.ahead);
}
