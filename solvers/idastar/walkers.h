/* The walkers of one IDA*: from a round of some size on, the threads that count its subtrees ahead
 * and the scout that finds them (idastar/ahead.h). */
#pragma once

#include "idastar/round.h"

/* What is kept of them in a checkpoint, so that all is as if the search had never stopped. */
struct walkers_place {
    unsigned levels; /* of each walker's path; 0: there are none yet */
    struct ahead_place ahead;
};

struct walkers {
    struct round *round; /* the search's */
    unsigned threads;
    bool wanted;   /* counting ahead would be faster */
    bool layered;  /* by layers */
    uint64_t from; /* nodes generated before a round in which it is worth while */
    struct walkers_place place;
    struct ahead *ahead;
    struct walker *walker; /* one for each thread, then the scout */
};

/* None yet, for a search with `threads` threads. `table`: it has a transposition table, and nothing
 * is counted ahead. */
struct walkers walkers_start(struct round *round, unsigned threads, bool table);

/* Makes everything ready for a round that begins, or that goes on from `place`, if it is one in
 * which subtrees are counted ahead. */
void walkers_look_ahead(struct walkers *walkers, bool begins);

/* Notes in `place` where the search stands. */
void walkers_note_place(struct walkers *walkers);

void walkers_end(struct walkers *walkers);
