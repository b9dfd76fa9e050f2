/* A heuristic of your own for tilelab, as a shared object. This header is all that it needs: plain
 * C11, or C++.
 *
 *     cc -O2 -shared -fPIC -o mine.so mine.c
 *     tilelab verify heuristics --plugin mine.so mine
 *     tilelab solve --plugin mine.so -s 'astar(mine)' 8 1 3 4 0 2 7 6 5
 *
 * and in an experiment file `plugins: [mine.so]`. From a source tree that is not installed,
 * add -I and the path of its folder `include`.
 *
 * The object defines one variable, `tilelab_heuristic`. Its functions are called from one thread:
 * by `tilelab run` in worker processes, where a crash costs one run, by other commands in their own
 * process. The value of a board must depend on nothing but the puzzle and the board: the functions
 * keep nothing from one call to the next but the data of `prepare`, print nothing (what they print
 * goes to standard error) and start nothing. To load the object is to run it (its constructors, in
 * at most 10 s), so to check or run an experiment with plugins is to run a program.
 *
 * This is version 2. Versions only add to the ends of tilelab_puzzle and tilelab_heuristic, so an
 * object goes on working that was made for an earlier one. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define TILELAB_HEURISTIC_VERSION 2

/* What may be claimed: the value is never above the number of moves to the goal; or, which is more,
 * it is 0 at the goal and no move lowers it by more than 1. `tilelab verify heuristics` shows
 * whether that holds. Solvers rely on it: with a false claim their answers are wrong. */
#define TILELAB_ADMISSIBLE 1
#define TILELAB_CONSISTENT 3

/* A larger value of a board counts as this one. */
#define TILELAB_LARGEST_VALUE 4095

/* What is to be solved. Cells are numbered row by row from 0, the blank is tile 0. */
struct tilelab_puzzle {
    unsigned width, height; /* columns and rows; at most 36 cells */
    unsigned cells;
    const unsigned char *goal; /* the tile on each cell of the goal */
    const unsigned char *home; /* the goal cell of each tile, and of the blank */

    /* Since version 2. */
    const long long *options; /* the heuristic's: their values, in the order of its table */
};

/* An option, written name=value after the heuristic: astar(mine, k=3); or, of an algorithm of your
 * own, among its others: mine(manhattan, k=3). */
#define TILELAB_FLAG    1 /* 0 or 1 */
#define TILELAB_CHOICE  2 /* the number of the word */
#define TILELAB_NUMBER  3 /* a whole number, or -1 for `none` if that is the default */
#define TILELAB_DECIMAL 4 /* thousandths */
struct tilelab_option {
    const char *name;   /* as a heuristic's; not a name that tilelab has for anything in a solver;
                           NULL ends the table, which may have 6 options */
    const char *help;   /* one line */
    unsigned kind;      /* one of the four */
    long long initial;  /* the value of an option that is not given */
    long long min, max; /* of a number or decimal, 0 or more: whole numbers, decimals too */
    const char *const *choices; /* words, at most 4, then NULL */
    unsigned forfeits;          /* claims that do not hold with any other value; of a heuristic: 0,
                                    TILELAB_CONSISTENT, or TILELAB_ADMISSIBLE: then it claims nothing */
};

struct tilelab_heuristic {
    unsigned version; /* TILELAB_HEURISTIC_VERSION */
    const char *name; /* what solvers call it: a lower-case letter, then lower-case letters, digits
                         and _; at most 40; not a name that tilelab has already */
    const char *summary; /* what it is, on one line */
    unsigned claims;     /* 0, TILELAB_ADMISSIBLE or TILELAB_CONSISTENT */

    /* Why it is not defined for a puzzle: "needs a square board"; NULL if it is. The text is the
     * object's. NULL instead of the function: it is defined for all. */
    const char *(*refuses)(const struct tilelab_puzzle *puzzle);

    /* Makes what `evaluate` needs, such as tables, once for each goal and all values of options in
     * each process; its time
     * counts for the time limit, but not as time of the search. NULL: memory is short. NULL in
     * place of the function: `data` is NULL. The puzzle lives until `end`. Memory that is taken
     * here is not counted as the search's. */
    void *(*prepare)(const struct tilelab_puzzle *puzzle);

    /* The value of a board: `tiles` has the tile on each cell. NULL: see `evaluate_batch`. */
    unsigned (*evaluate)(const struct tilelab_puzzle *puzzle, const void *data,
                         const unsigned char *tiles);

    /* Frees what `prepare` made; may be NULL. */
    void (*end)(void *data);

    /* Since version 2. */
    const struct tilelab_option *options; /* NULL: none; in `max` all have their defaults */

    /* The values of `count` boards, which lie in `tiles` one after the other, puzzle->cells tiles
     * each: what `evaluate` gives for each. Searches that have several boards at once ask for them
     * so (batch_astar, batch_wastar). NULL: they are asked for one by one. If this function is
     * there, `evaluate` may be NULL. */
    void (*evaluate_batch)(const struct tilelab_puzzle *puzzle, const void *data,
                           const unsigned char *tiles, unsigned count, unsigned *values);
};

#if defined __GNUC__
__attribute__((visibility("default")))
#endif
extern const struct tilelab_heuristic tilelab_heuristic;

#ifdef __cplusplus
}
#endif
