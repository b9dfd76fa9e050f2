/* The walkers of one IDA*: from a round of some size on, the threads that count its subtrees ahead
 * and the scout that finds them (idastar/ahead.h). */
#ifndef IDASTAR_WALKERS_H
#define IDASTAR_WALKERS_H

#include "idastar/round.h"

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

/* None yet, for a search with `threads` threads. `table`: it has a transposition table, and nothing
 * is counted ahead. */
struct walkers walkers_start(struct round *round, unsigned threads, bool table);

/* Makes everything ready for a round, if it is one in which subtrees are counted ahead. */
void walkers_look_ahead(struct walkers *walkers);

void walkers_end(struct walkers *walkers);

#endif
