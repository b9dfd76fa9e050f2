/* Counting a whole subtree at once.
 *
 * How many nodes a depth-first search below a threshold finds under a node does not depend on the
 * order of its moves; and if the goal is not among them, nothing else about them matters. A search
 * that walks them must be ready, at each node, for the goal, a limit and an observer, and has to
 * know the path. A counter, made for one heuristic and one shape, only counts: many times faster.
 * Where counting is not enough, because the goal lies in the subtree or the limit of nodes is
 * reached in it, the search walks the subtree, and has smaller subtrees in it counted. */
#pragma once

#include "search/search.h"

struct pdb_falls;

enum subtree_outcome {
    SUBTREE_COUNTED, /* the whole subtree is in the statistics */
    SUBTREE_REFUSED, /* it must be walked; nothing was changed */
    SUBTREE_STOPPED  /* time is up or the search was interrupted; search->status says which */
};

/* One counter: for a heuristic and one shape or several. */
struct subtree_kind {
    bool falls;  /* it reads idastar/pdb_falls.h */
    bool prunes; /* it leaves out what search->pruning drops */
    bool (*fits)(const struct heuristic
                     *heuristic); /* compares the functions of its kind, and what it is made with */
    size_t bytes;                 /* its size: tables and state */
    unsigned max_slack;           /* subtrees of at most this slack are worth counting */
    void (*prepare)(void *data, struct search *search, const struct pdb_falls *falls);
    enum subtree_outcome (*count)(void *data, const struct enode *root, unsigned slack);
    /* The same for up to MANY_ROOTS below one threshold, all or none. NULL: that gains nothing. */
    enum subtree_outcome (*count_many)(void *data, const struct enode *roots, unsigned number,
                                       unsigned threshold);
};

enum { MANY_ROOTS = 32 };

struct subtree_counter {
    const struct subtree_kind *kind; /* NULL: none fits */
    void *data;
};

/* The counter for the search's heuristic and shape, with its tables taken from `arena`, where they
 * stay until arena_end. `falls`: NULL, or entries that it is to read; they may be made later. Its
 * kind is NULL if none fits or the budget does not allow it. */
struct subtree_counter subtree_counter_start(struct search *search, struct arena *arena,
                                             const struct pdb_falls *falls);

/* Frees its tables before. */
void subtree_counter_end(struct subtree_counter *counter, struct arena *arena);

/* Counts as expanded a node other than the search's root, and all nodes below it: generated, and
 * kept and expanded if their g + h is within the threshold. The threshold is the node's
 * g + h + 2 * slack: each slack lets h rise by 1 once where it could have fallen by 1. There are
 * counters only for heuristics with which g + h keeps its parity, so whatever is dropped costs at
 * least the threshold + 2. */
static inline enum subtree_outcome subtree_count(const struct subtree_counter *counter,
                                                 const struct enode *root, unsigned slack)
{
    assert(root->undo != MOVE_NONE);
    return counter->kind->count(counter->data, root, slack);
}
