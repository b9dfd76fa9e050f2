/* A search's task, its limits, and its result. */
#pragma once

#include "puzzle/board.h"
#include "search/observer.h"
#include "search/statistics.h"
#include "search/status.h"
#include <signal.h>
#include <stdbool.h>

struct task {
    struct board start;
    struct board goal; /* of the same shape */
    const char *order; /* operator order, such as "ULRD" */
};

/* Where a search that supports it (idastar, astar_idastar) keeps what it has done, now and then and
 * when it is interrupted. The same search by the same build goes on from there: path and counters
 * are those of an undisturbed one, times are sums. What is in the file is nobody else's to read. */
struct checkpoint {
    const char *path; /* of the file, which need not exist; not owned */
    double seconds;   /* between two; positive */
};

/* Where a search that supports it (idastar) shares its large rounds with others of the same board:
 * on each machine the same search, by the same build, is given the same folder. All come to the
 * same path and counters, those of a search alone; times are each one's own. */
struct split {
    const char *folder; /* of this search alone; made if only its last part is missing; not owned */
    unsigned parts;     /* of each large round; at least 1 */
    bool joins; /* it only helps: it ends as `interrupted` where the folder cannot be used */
};

struct limits {
    double seconds;                           /* wall time of the search; 0: no limit */
    double cpu_seconds;                       /* processor time of all its threads; 0: no limit */
    uint64_t nodes;                           /* generated nodes, the root included; 0: no limit */
    uint64_t bytes;                           /* the arena's budget */
    const volatile sig_atomic_t *interrupted; /* not zero: stop; may be NULL */
    const struct checkpoint *checkpoint; /* so that it can go on after a kill; NULL: it cannot */
    const struct split *split;           /* NULL: it is nobody else's */
    double
        *begun; /* is given the time when the search's clock starts, on clock_wall(); may be NULL */
};

/* One round of a search that deepens (idastar, iddfs): what it counted from its beginning to the
 * next one's, the root being part of the first. */
struct search_round {
    uint64_t threshold; /* the longest path (idastar: the largest g + h) that it looks at */
    uint64_t expanded, generated;
};

enum { MAX_ROUNDS = 1000 }; /* the last one holds what further ones count */

/* The two sides of a search from both ends, and what each of them counted. */
enum { START, GOAL, SIDES };
struct side_counts {
    uint64_t expanded, generated;
};

/* A solution that a search found, cheaper than those that it had found before. Costs are in the
 * scale of the model of costs; of unit costs they are lengths. */
struct incumbent {
    double seconds;               /* wall time since the search began */
    uint64_t expanded, generated; /* so far; COUNT_UNKNOWN: a program did not say */
    uint64_t length;
    uint64_t cost;
    bool verified;  /* its path was replayed and led to the goal */
    uint64_t bound; /* no solution costs less, as was proved by then; 0: nothing was */
};

#define COUNT_UNKNOWN UINT64_MAX
enum { MAX_INCUMBENTS = 1000 }; /* the last one makes place for further ones */

struct result {
    enum status status;
    char *moves;   /* the path as characters U, D, L, R, ended by a zero byte; NULL unless solved,
                      or ended by a limit with a solution; free() */
    size_t length; /* its moves */
    int h_start;   /* the heuristic's value at the start; -1 without a heuristic */
    struct statistics statistics;
    struct side_counts sides[SIDES]; /* all 0 unless the search is one from both ends */
    struct search_round *rounds;     /* heap memory; NULL where the search does not deepen */
    size_t round_count;
    uint64_t bound; /* of a program: the largest cost, in the scale of the model, of which it says
                       that it proved that no solution costs less; 0: none */
    struct incumbent *incumbents; /* of a search that improves its solution; heap memory; NULL */
    size_t incumbent_count;
    uint64_t solutions;  /* how many there are of this length or cost; 0: not counted */
    double wall_seconds; /* of the search alone: tables, checks and verification are not in it */
    double cpu_seconds;
    double earlier_seconds; /* of wall_seconds: before the checkpoint from which it went on */
};
