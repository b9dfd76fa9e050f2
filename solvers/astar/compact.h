/* A* for boards of up to 25 cells in a few bytes a state. It expands the same nodes in the same
 * order as astar/astar.c with its default options, and all counters but peak_bytes are the same.
 *
 * There are two forms: for consistent heuristics (astar/consistent_body.h), up to 16 cells in 9
 * bytes for up to 4 states and 8 for all live children of a node, above in 14 for up to 5 and 12;
 * and for any heuristic (astar/reopening_body.h), in 12 bytes for up to 4 states and 8 for live
 * children of a node, above 16 cells in 18 for up to 5 and 12. Each is compiled for boards of up to
 * 16 cells (astar/board_64.h) and of 17 to 25 (astar/board_128.h): a row of astar/compact.def. The
 * closed list is astar/closed.h, the open list astar/word_buckets.h. */
#pragma once

#include "search/search.h"

enum compact_form {
    COMPACT_CONSISTENT,
    COMPACT_REOPENING,
    COMPACT_DISTRIBUTED,     /* the two with several threads, for consistent heuristics ... */
    COMPACT_DISTRIBUTED_ANY, /* ... and for any */
    COMPACT_FORMS
};

/* The live nodes of a search whose memory is spent. */
struct compact_live {
    uint64_t count;
    /* Makes node number 0 .. count - 1 the E-node: all fields but `state`. Their f rises with their
     * numbers; to ask for them in turn is fast. */
    bool (*node)(void *context, uint64_t number, struct enode *enode);
    /* Writes the moves that lead to the node that was asked for last: as many as its g. */
    void (*path)(void *context, char *moves);
    void *context;
};

/* What changes the speed, and how it goes on; nothing else. */
struct compact_pace {
    uint64_t lines;   /* of the closed list at the start, at least 1 */
    unsigned ahead;   /* consistent form: nodes expanded ahead, 1 .. COMPACT_MAX_AHEAD; 0: chosen by
                         the size of the closed list */
    unsigned threads; /* distributed form */
    /* Not the distributed form: goes on when the arena's budget is spent, which is `budget` from
     * then on, and ends the search. NULL: it ends as memory_limit. */
    void (*go_on)(struct search *search, const struct compact_live *live);
    uint64_t budget;
};

enum { COMPACT_MAX_AHEAD = 16 };

/* Whether a form can make this search: the board is small enough, and the heuristic claims to be
 * consistent; or no observer looks on, who would see twice what is not decided. */
bool compact_fits(const struct search *search, enum compact_form form);

/* Runs the search as struct algorithm says of `run`; whatever it took from the arena is given back.
 * Returns false if the heuristic turns out not to be consistent, or a g or f is too large for the
 * reopening form, over 253 or 511: then nothing is decided, and the statistics are as they were. */
bool compact_run(struct search *search, enum compact_form form, const struct compact_pace *pace);

/* The forms by the width of their boards. */
#define COMPACT(name, ...) bool name(struct search *search, const struct compact_pace *pace);
#include "astar/compact.def"
#undef COMPACT
