/* An algorithm: what its file defines, and what its row of algorithms.def says. */
#pragma once

#include "base/option.h"
#include "search/search.h"

/* What tests ask of a row: see algorithms.def. */
enum { MAX_TESTED_DISTANCE = 31 }; /* no board of the 8-puzzle is farther from its goal */
struct algorithm_tested {
    unsigned distance; /* 8-puzzle boards up to this distance are solved in a million nodes */
    bool sample;       /* too slow for all of them */
};

struct algorithm {
    const char *name;
    const char *summary;
    bool informed;       /* takes a heuristic */
    unsigned properties; /* enum property */
    const char *memory;  /* what grows: states, tree or path */
    struct algorithm_tested tested;
    const struct option_row *options;
    /* Searches from search->task->start, from which the goal can be reached. Counts in
     * search->statistics, allocates from search->arena only, keeps the limits (search_expands,
     * search_generates), sets search->status and, if that is STATUS_solved, the moves
     * (search_solved, store_solution). What it shares with others shows it to an observer
     * (search/view.h). */
    void (*run)(struct search *search);
};

/* The option depth_limit: what it limits, and the largest value. */
#define DEPTH_LIMIT_OPTION(text, most)                                                             \
    {                                                                                              \
        .name = "depth_limit", .help = text, .kind = OPTION_NUMBER, .fallback = OPTION_UNSET,      \
        .max = most, .forfeits = COMPLETE                                                          \
    }

/* Declares what the file of row NAME defines. The file says this itself, so that a new row is read
 * by the table alone. */
#define DECLARE_ALGORITHM(name)                                                                    \
    extern const struct option_row name##_options[];                                               \
    void name##_run(struct search *search)
