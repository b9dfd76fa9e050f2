/* Options of algorithms and heuristics: a table of what there is, an array of values.
 *
 * The value of option i of a table is values[i]: 0 or 1 for a flag, the index of the word for a
 * choice, the number itself for a number, OPTION_UNSET for a number that was not given. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stdint.h>

enum option_kind { OPTION_END, OPTION_FLAG, OPTION_CHOICE, OPTION_NUMBER };

enum { MAX_OPTIONS = 6, MAX_CHOICES = 4, OPTION_UNSET = -1 };

struct option_row {
    const char *name;
    const char *help;
    enum option_kind kind;
    int64_t fallback; /* the value where nothing is said */
    int64_t least;    /* numbers: the range */
    int64_t most;
    const char *choices[MAX_CHOICES + 1]; /* choices: the words, then NULL */
    unsigned forfeits; /* properties that are lost with any value but the fallback */
};

/* The options of something that has none. */
#define NO_OPTIONS                                                                                 \
    {                                                                                              \
        {                                                                                          \
            .kind = OPTION_END                                                                     \
        }                                                                                          \
    }

/* Properties that a table row claims, as bits. Tests hold every claim against all boards of the
 * 8-puzzle. */
enum property {
    ADMISSIBLE = 1 << 0, /* never above the true distance */
    CONSISTENT = 1 << 1, /* falls by at most 1 a move; 0 at the goal */
    INCREMENTAL =
        1 << 2, /* the child's value follows from the parent's without a look at the whole board */
    OPTIMAL = 1 << 3,  /* a solution found is a shortest one (informed algorithms: if the heuristic
                          is admissible) */
    COMPLETE = 1 << 4, /* finds a solution where there is one, given time and memory */
};

#endif
