/* A search algorithm of your own for tilelab, as a shared object: plain C11, or C++.
 *
 *     cc -O2 -shared -fPIC -o mine.so mine.c
 *     tilelab solve --plugin mine.so -s 'mine(manhattan)' 8 1 3 4 0 2 7 6 5
 *
 * and in an experiment file `plugins: [mine.so]`. The object defines one variable,
 * `tilelab_algorithm`. What tilelab/heuristic.h says of loading, threads and printing holds here,
 * too.
 *
 * The search asks tilelab for everything: tilelab makes the successors, asks the heuristic, counts,
 * holds the limits and replays the solution. So its counters are those of the built-in algorithms:
 * the root is generated once, before the search is called; `expand` counts an expansion, `child` a
 * generated node. Call `expand` once for a node whenever you expand it, then `child` with 0, 1, ..
 * until there are no more; what you do with a child before you ask for the next one is your affair.
 *
 * This is version 1. A later version only adds to the ends of tilelab_algorithm and tilelab_search;
 * the other structures stay as they are. */
#pragma once

#include <stddef.h>
#include <tilelab/heuristic.h> /* struct tilelab_puzzle, struct tilelab_option */

#ifdef __cplusplus
extern "C" {
#endif

#define TILELAB_ALGORITHM_VERSION 1

/* What may be claimed, joined by |. A path that is longer than promised, and a search that gives up
 * although it claims to be complete, are found out in runs. */
#define TILELAB_OPTIMAL          1 /* its solutions are shortest ones; informed: if h is admissible */
#define TILELAB_COMPLETE         2 /* it finds a solution, given enough time and memory */
#define TILELAB_INFORMED         4 /* no claim, but a need: it takes a heuristic */
#define TILELAB_NEEDS_CONSISTENT 8 /* optimal if h is consistent; admissible is not enough */

/* A state on a path. It is yours to copy and keep. */
struct tilelab_node {
    unsigned char tiles[36]; /* the tile on each cell, row by row; the blank is 0 */
    unsigned char blank;     /* its cell */
    char move;          /* the way the blank went to get here, U, D, L or R, which is not undone
                           by a child; 0: none, and all children are made */
    unsigned char tile; /* the tile that moved */
    unsigned short h;   /* the heuristic's value; 0 without a heuristic */
    unsigned g;         /* moves from the start */
};

/* What tilelab cannot count; a counter that stays 0 is an empty cell. `tilelab list columns runs`
 * says what each means. */
struct tilelab_counters {
    unsigned long long duplicates, reopened, max_open, max_stored, max_depth, open_at_end;
};

/* A search in progress. What a call returns once the search must end, at a limit or because a
 * person stopped it, it returns ever after: free what is not tilelab's, and return. */
struct tilelab_search {
    const struct tilelab_puzzle *puzzle;
    struct tilelab_node start;
    const long long *options;          /* values of its own, in the order of the table */
    struct tilelab_counters *counters; /* yours to change */

    /* Counts an expansion of the node. 0: the search must end. */
    int (*expand)(struct tilelab_search *search, const struct tilelab_node *node);

    /* Makes child `number` of the node, in operator order, and counts it as generated. The child
     * may not be the node itself. 1; 0: there are no more; -1: the search must end. */
    int (*child)(struct tilelab_search *search, const struct tilelab_node *node, unsigned number,
                 struct tilelab_node *child);

    /* The heuristic's value of any board of the puzzle; 0 without a heuristic. */
    unsigned (*value)(struct tilelab_search *search, const unsigned char *tiles);

    /* For searches that deepen: a round begins with this threshold, the first one, too. Counts an
     * iteration; a search that never calls it has one. 0: the search must end. */
    int (*round)(struct tilelab_search *search, unsigned threshold);

    /* Memory that counts against memory_limit: zeroed, aligned to 64 bytes. NULL: the search must
     * end. `resize` takes a block from here or NULL; what is new of it is not zeroed. What is not
     * released is freed after the search. */
    void *(*take)(struct tilelab_search *search, size_t bytes);
    void *(*resize)(struct tilelab_search *search, void *block, size_t bytes);
    void (*release)(struct tilelab_search *search, void *block);

    /* The solution: the moves of the blank, letters as in struct tilelab_node; copied. Then the
     * search must end. */
    void (*solution)(struct tilelab_search *search, const char *moves, size_t length);
};

#define TILELAB_EXHAUSTED 1 /* there is no solution, or none within what the options allow */
#define TILELAB_STUCK     2 /* it gave up */

struct tilelab_algorithm {
    unsigned version; /* TILELAB_ALGORITHM_VERSION */
    const char *name; /* as a heuristic's; not a name that tilelab has for anything in a solver */
    const char *summary; /* what it is, on one line */
    unsigned claims;
    const struct tilelab_option *options; /* NULL: none */

    /* Searches from the start, from which the goal can be reached. Returns TILELAB_EXHAUSTED or
     * TILELAB_STUCK; after a solution, or when the search had to end, the value does not matter.
     * Nothing may be kept for another search. */
    int (*search)(struct tilelab_search *search);
};

#if defined __GNUC__
__attribute__((visibility("default")))
#endif
extern const struct tilelab_algorithm tilelab_algorithm;

#ifdef __cplusplus
}
#endif
