/* A search in progress: what every algorithm shares. Counters, limits, the E-node and its
 * successors. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/arena.h"
#include "base/clock.h"
#include "heuristics/heuristic.h"
#include "puzzle/moves.h"
#include "puzzle/pack.h"
#include "search/task.h"
#include <assert.h>

struct search {
    const struct task *task;
    const struct heuristic *heuristic; /* NULL for uninformed algorithms */
    const int64_t *options;            /* the algorithm's, in the order of its table */
    const struct observer *observer;   /* of expansions; may be NULL */
    const struct observer *watcher;    /* of the counters, now and then; may be NULL */
    struct limits limits;
    double deadline; /* on clock_wall(); 0: none */
    struct operators operators;
    struct arena arena;
    struct statistics statistics;
    enum status status; /* why the search ended; set by whoever ends it */
    char *moves;        /* the solution, in heap memory */
    size_t length;
};

/* The node being expanded (branch and bound's E-node), unpacked. */
struct enode {
    struct board board;
    union packed state;
    unsigned g;
    unsigned h;
    unsigned undo; /* the move that would take back the last one; MOVE_NONE where none is to be left
                      out */
};

struct successor {
    union packed state;
    unsigned move;
    unsigned tile; /* the tile that moved ... */
    unsigned from; /* ... from here (the child's blank) ... */
    unsigned to;   /* ... to here (the parent's blank) */
};

/* The slow part of search_expands: shows the counters to the watcher, looks at the clock and at the
 * interrupt flag. */
bool search_may_go_on(struct search *search);

enum { EXPANSIONS_PER_LOOK = 256 };

/* Counts an expansion. False when time is up or the search was interrupted: the node is then not
 * counted. */
KERNEL bool search_expands(struct search *search, const struct enode *enode)
{
    if (UNLIKELY(search->statistics.expanded % EXPANSIONS_PER_LOOK == 0) &&
        !search_may_go_on(search))
        return false;
    search->statistics.expanded++;
    if (UNLIKELY(search->observer != NULL))
        search->observer->expands(search->observer->context, &enode->board, enode->g, enode->h);
    return true;
}

/* Counts a generated node. False when the limit of nodes is reached: the node is then not counted.
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

/* Counts `count` generated nodes, as far as the limit allows; false when it does not allow all. */
KERNEL bool search_generates_many(struct search *search, unsigned count)
{
    if (UNLIKELY(search->limits.nodes - search->statistics.generated < count)) {
        search->statistics.generated = search->limits.nodes;
        search->status = STATUS_node_limit;
        return false;
    }
    search->statistics.generated += count;
    return true;
}

/* The successor by the operator number `turn` (0 .. MOVES - 1); false where the edge is in the way
 * or the move would undo the last. */
KERNEL bool successor_make(const struct search *search, enum packing packing,
                           const struct enode *enode, unsigned turn, struct successor *successor)
{
    unsigned move = search->operators.order[turn];
    unsigned blank = enode->board.blank;
    unsigned from = search->operators.target[blank][move];
    if (from == NO_CELL || move == enode->undo)
        return false;
    unsigned tile = enode->board.cell[from];
    *successor = (struct successor){packed_slide(packing, enode->state, tile, from, blank), move,
                                    tile, from, blank};
    return true;
}

/* The heuristic's value of a successor; 0 without a heuristic. The E-node's board is changed and
 * changed back. */
static inline unsigned successor_h(const struct search *search, struct enode *enode,
                                   const struct successor *successor)
{
    const struct heuristic *heuristic = search->heuristic;
    if (heuristic == NULL)
        return 0;
    board_slide(&enode->board, successor->from);
    unsigned h = heuristic->kind->step(heuristic, &enode->board, enode->h, successor->tile,
                                       successor->from, successor->to);
    board_slide(&enode->board, successor->to);
    return h;
}

/* The heuristic's value of the start; 0 without a heuristic. */
unsigned search_start_h(const struct search *search);

/* Ends the search as solved; the caller writes the `length` moves of the solution to the text
 * returned. */
char *search_solved(struct search *search, size_t length);

/* Stamps algorithm NAME from its kernel `NAME_search(struct search *, enum packing)`: one copy for
 * each packing, and NAME_run, which picks the copy for the board. */
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

#endif
