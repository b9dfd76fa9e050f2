/* Counting the subtrees of a round before the search comes to them.
 *
 * What lies below a node and below a threshold can be counted at any time and in any order. So the
 * round is cut: its trunk, the nodes near the start, is walked in operator order; what hangs from
 * it, the subtrees of little slack, is counted ahead, many at once and on several threads. A scout
 * walks the trunk first and notes the roots of the next few thousand subtrees. The crew counts
 * them, a group of GROUP_ROOTS at a time. Then the search itself comes along the same trunk, and at
 * the first root of each group it adds what was counted.
 *
 * Why nothing changes. Only the search adds to its statistics, group after group in operator order.
 * It takes a group only if the goal is in none of its subtrees, and the limit of nodes is reached
 * neither in them nor on the trunk between them: then all of it lies before the end, wherever that
 * is. Any other group it walks, as it walks a round that is not cut. What was counted beyond the
 * end is thrown away. How the round is cut depends on what was counted, never on time or threads.
 *
 * The scout's walk costs as much as the trunk is long, less than one node in a hundred. In the last
 * round the crew stops at the first group that it cannot count, so at most one group for each
 * thread is counted in vain. */
#pragma once

#include "idastar/subtree.h"

enum { GROUP_ROOTS = 32, WINDOW_GROUPS = 128, WINDOW_ROOTS = GROUP_ROOTS * WINDOW_GROUPS };

/* The root of a subtree. */
struct ahead_root {
    struct board board;
    uint16_t g;
    uint16_t h;
    uint16_t back; /* the move back to its parent */
};

/* What is in a group of subtrees. */
struct ahead_sum {
    uint64_t expanded;
    uint64_t generated;
    uint64_t max_depth;
    unsigned above; /* the minimum g + h above the threshold */
};

/* What the algorithm does. `number` is that of the thread, 0 for the caller's. */
struct ahead_hands {
    /* Walks on along the trunk and gives each root to ahead_note, until ahead_is_full. True at the
     * end of the round. */
    bool (*scout)(void *context);
    /* Counts the subtrees below `count` roots, if the goal is in none and they have at most `left`
     * nodes. `contexts`: of the roots, in a search that prunes. Ends early with SUBTREE_STOPPED as
     * soon as *interrupted is not 0. */
    enum subtree_outcome (*count)(void *context, unsigned number, const struct ahead_root *roots,
                                  const uint32_t *contexts, unsigned count, uint64_t left,
                                  struct ahead_sum *sum);
};

struct ahead;

/* Starts a crew of `threads`. NULL if the budget does not allow it. */
struct ahead *ahead_start(struct search *search, unsigned threads, const struct ahead_hands *hands,
                          void *context);

/* Where the search stands in a round of which it has taken some groups. */
struct ahead_place {
    unsigned slack; /* ahead_slack */
    unsigned taken; /* roots before it, of a group that is in the statistics already */
};
struct ahead_place ahead_place(const struct ahead *ahead);

/* A round begins (NULL), or goes on from a place where search and scout stand. */
void ahead_begin_round(struct ahead *ahead, const struct ahead_place *place);

/* The slack of subtrees that are counted ahead: a node is a root if it has no more, and is neither
 * the search's root nor below another one. It changes while the search is on a root. */
unsigned ahead_slack(const struct ahead *ahead);

/* For the scout: notes a root, when `trunk` nodes of the trunk have been generated; and whether
 * there is room for no more. */
void ahead_note(struct ahead *ahead, const struct enode *root, uint64_t trunk);
bool ahead_is_full(const struct ahead *ahead);

/* For the search: it has come to the next root. COUNTED: its subtree is in the statistics, perhaps
 * since an earlier root of its group, and *above is lowered as needed. REFUSED: it must be walked.
 * STOPPED: time is up or the search was interrupted. */
enum subtree_outcome ahead_take(struct ahead *ahead, const struct enode *root, unsigned *above);

/* What thread `number` looks at instead of limits.interrupted. */
const volatile sig_atomic_t *ahead_interrupted(const struct ahead *ahead, unsigned number);

/* Ends the crew and adds its processor time to search->crew_seconds; its memory stays in the arena.
 * NULL is allowed. */
void ahead_end(struct ahead *ahead);
