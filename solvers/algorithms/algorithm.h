/* Algorithms: the table, and what a row needs. */
#ifndef ALGORITHMS_ALGORITHM_H
#define ALGORITHMS_ALGORITHM_H

#include "base/option.h"
#include "search/search.h"

struct algorithm {
    const char *name;
    const char *summary;
    bool informed;       /* takes a heuristic */
    unsigned properties; /* enum property */
    const char *memory;  /* what grows: states, tree or path */
    const struct option_row *options;
    /* Searches from search->task->start. Counts in search->statistics, allocates from search->arena
     * only, honours the limits, sets search->status, and on success the moves (store_solution). The
     * goal can be reached, as parity was checked before. */
    void (*run)(struct search *search);
};

/* What each file of the table defines. */
#define ALGORITHM(name, informed, properties, memory, summary)                                     \
    extern const struct option_row name##_options[];                                               \
    void name##_run(struct search *search);
#include "algorithms/algorithms.def"
#undef ALGORITHM

extern const struct algorithm algorithms[];
extern const unsigned algorithm_count;

/* The algorithm of a name, or NULL. */
const struct algorithm *algorithm_find(const char *name);

#endif
