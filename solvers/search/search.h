/* A search in progress: what all algorithms share. Counters, limits, the E-node and its successors.
 */
#pragma once

#include "base/arena.h"
#include "base/clock.h"
#include "heuristics/heuristic.h"
#include "puzzle/moves.h"
#include "puzzle/pack.h"
#include "search/task.h"
#include <assert.h>

/* What each move adds to an incremental heuristic's value: by the blank's cell, the move, and the
 * tile. */
struct step_table {
    int16_t of[MAX_CELLS][MOVES][MAX_CELLS];
};

struct algorithm;
struct pruning;

struct search {
    const struct task *task;
    const struct move_costs *costs;    /* of moves; NULL: 1 each */
    const struct algorithm *algorithm; /* its row, for those that need it */
    const struct heuristic *heuristic; /* NULL for uninformed algorithms */
    const struct heuristic *backward;  /* the same, prepared for the start as its goal: of informed
                                          algorithms that search from BOTH_ENDS, else NULL */
    const struct heuristic *in_moves;  /* the same, prepared for moves where they cost different
                                          amounts: of algorithms that ESTIMATE_MOVES, else NULL */
    const struct pruning *pruning;     /* idastar: moves that need not be tried; may be NULL */
    const int64_t *options;            /* the algorithm's, in the order of its table */
    const struct observer *observer;   /* sees every expansion, or everything; may be NULL */
    const struct observer *watcher;    /* sees the counters now and then; may be NULL */
    struct viewing *viewing;           /* of an observer who sees everything; else NULL */
    struct limits limits;
    double deadline;                /* on clock_wall(); 0: none */
    double cpu_deadline;            /* on cpu_clock; 0: none */
    clockid_t cpu_clock;            /* of the search's thread, or of the process if it has more */
    enum status status;             /* why the search ended; set by the code that ends it */
    bool paused;                    /* it was stopped where a checkpoint can be written */
    const struct step_table *steps; /* of the heuristic; NULL: its function `step` is called */
    struct operators operators;
    struct arena arena;
    struct statistics statistics;
    double crew_seconds; /* processor time of threads other than the search's own */
    struct side_counts sides[SIDES];
    char *moves; /* the solution; arena_keep */
    size_t length;
    struct search_round *rounds; /* those begun, with what was counted before them; arena_keep */
    size_t round_count;
    struct incumbent *incumbents; /* solutions so far, each better; arena_keep */
    size_t incumbent_count;
    uint64_t solutions; /* all there are of the length or cost of the one found; 0: not counted */
    double begun;       /* on clock_wall() */
    double cpu_begun;   /* on cpu_clock */
    double earlier, earlier_cpu; /* seconds before the checkpoint from which it goes on */
    double checkpoint_at;        /* on clock_wall(): the search pauses; 0: never */
    double checkpoint_wait;      /* seconds between two pauses */
};

/* The node being expanded (branch and bound's E-node), unpacked. */
struct enode {
    struct board board;
    union packed state;
    unsigned g;
    unsigned h;
    unsigned undo;     /* the move that would undo the last one; MOVE_NONE if none is left out */
    unsigned side : 8; /* bidirectional searches: START or GOAL */
    unsigned context : 24; /* of the root of a walk that prunes: idastar/pruning.h */
};

struct successor {
    union packed state;
    unsigned move;
    unsigned tile; /* the tile that moved ... */
    unsigned from; /* ... from here (the child's blank) ... */
    unsigned to;   /* ... to here (the parent's blank) */
};

/* The slow part of search_expands: shows the counters to the watcher and looks at the clock and at
 * the flag of interruption. False when the search must end; search->status says why. */
bool search_may_go_on(struct search *search);

/* The other slow part: tells the observer. For one who sees everything, which may take long, it
 * looks at the clock and the flag each time; false when the search must end. */
bool search_shows(struct search *search, const struct enode *enode);

enum { EXPANSIONS_PER_LOOK = 256 };

/* False when a periodic check ends the search. */
KERNEL bool search_goes_on(struct search *search)
{
    return LIKELY(search->statistics.expanded % EXPANSIONS_PER_LOOK != 0) ||
           search_may_go_on(search);
}

/* Counts an expansion. False when time is up or the search was interrupted; then the node is not
 * counted. */
KERNEL bool search_expands(struct search *search, const struct enode *enode)
{
    if (!search_goes_on(search))
        return false;
    if (UNLIKELY(search->observer != NULL) && !search_shows(search, enode))
        return false;
    search->statistics.expanded++;
    return true;
}

/* Counts a generated node. False when the limit of nodes is reached; then the node is not counted.
 */
KERNEL bool search_generates(struct search *search)
{
    if (UNLIKELY(search->statistics.generated == search->limits.nodes)) {
        search->status = STATUS_node_limit;
        return false;
    }
    search->statistics.generated++;
    return true;
}

/* Counts the root, for a search without a store. False as search_generates. */
bool search_generates_root(struct search *search);

/* How many of `count` successors may be generated; the caller counts them. If they are fewer, the
 * search ends with that; its status is set. */
KERNEL unsigned search_may_generate(struct search *search, unsigned count)
{
    const uint64_t left = search->limits.nodes - search->statistics.generated;
    if (LIKELY(left >= count))
        return count;
    search->status = STATUS_node_limit;
    return (unsigned)left;
}

/* The exits of the E-node, without the move that would undo the last one. */
KERNEL const struct exits *enode_exits(const struct search *search, const struct enode *enode)
{
    return &search->operators.exits[enode->board.blank][enode->undo];
}

/* The successor of a state by one of the exits of its blank. */
KERNEL struct successor successor_of(enum packing packing, union packed state, unsigned blank,
                                     struct exit exit)
{
    const unsigned tile = packed_tile(packing, state, exit.from);
    return (struct successor){packed_slide(packing, state, tile, exit.from, blank), exit.move, tile,
                              exit.from, blank};
}

/* The same of the E-node. */
KERNEL struct successor successor_by(enum packing packing, const struct enode *enode,
                                     struct exit exit)
{
    return successor_of(packing, enode->state, enode->board.blank, exit);
}

/* A heuristic's value of a successor of the E-node, whose own value is `h`. The E-node's board is
 * changed and changed back. */
static inline unsigned successor_value(const struct heuristic *heuristic, struct enode *enode,
                                       unsigned h, const struct successor *successor)
{
    board_slide(&enode->board, successor->from);
    const unsigned value = heuristic->kind->step(heuristic, &enode->board, h, successor->tile,
                                                 successor->from, successor->to);
    board_slide(&enode->board, successor->to);
    return value;
}

/* The search's own heuristic's; 0 without one. */
static inline unsigned successor_h(const struct search *search, struct enode *enode,
                                   const struct successor *successor)
{
    if (search->heuristic == NULL)
        return 0;
    if (search->steps != NULL)
        return enode->h +
               (unsigned)search->steps->of[successor->to][successor->move][successor->tile];
    return successor_value(search->heuristic, enode, enode->h, successor);
}

/* Whether the E-node's board is to be unpacked: for the heuristic, or for an observer. */
static inline bool search_needs_board(const struct search *search)
{
    return search->observer != NULL || (search->heuristic != NULL && search->steps == NULL);
}

/* Makes the table of an incremental heuristic in `steps`, which the search uses from then on. Does
 * nothing for another heuristic. */
void search_table_steps(struct search *search, struct step_table *steps);

/* How a search ends that found no solution and dropped what g + h puts above its limit: exhausted,
 * or stuck if the heuristic is not admissible, and so may have hidden one. */
enum status search_none_within(const struct search *search);

/* Counts an iteration: a round begins that looks at paths up to `threshold`; for its name see
 * EVENT_ROUND. False if the system has no memory for it: the search has then ended. */
bool search_begins_round(struct search *search, const char *name, uint64_t threshold);

/* The heuristic's value of the start; 0 without a heuristic. Where moves cost different amounts,
 * its low bits, for those who look on. */
unsigned search_start_h(const struct search *search);

/* Counts a solution that is better than those before, which search->moves has: first_found,
 * best_found, incumbents. False when the search must end; search->status says why. */
bool search_improves(struct search *search);

/* Ends the search as solved. Returns where the caller writes the `length` moves of the solution;
 * the zero byte after them is set. Owned by the search. NULL if the system has no memory for them:
 * that then ends the search, whatever solution it had before. */
char *search_solved(struct search *search, size_t length);

/* Defines NAME_run from the kernel `NAME_search(struct search *, enum packing)`: one copy of it for
 * each packing, and the choice by the board. */
#define STAMP_ALGORITHM(name)                                                                      \
    static void name##_64(struct search *search)                                                   \
    {                                                                                              \
        name##_search(search, PACK_64);                                                            \
    }                                                                                              \
    static void name##_128(struct search *search)                                                  \
    {                                                                                              \
        name##_search(search, PACK_128);                                                           \
    }                                                                                              \
    static void name##_bytes(struct search *search)                                                \
    {                                                                                              \
        name##_search(search, PACK_BYTES);                                                         \
    }                                                                                              \
    void name##_run(struct search *search)                                                         \
    {                                                                                              \
        void (*const stamped[])(struct search *) = {name##_64, name##_128, name##_bytes};          \
        stamped[packing_of(search->task->start.shape)](search);                                    \
    }
