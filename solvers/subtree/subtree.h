/* Subtrees counted at once.
 *
 * How many nodes a depth-first search below a threshold finds under a node does not depend on the
 * order of its moves, and where the goal is not among them, nothing else about them matters. So
 * they need not be walked with all that a search must be ready for at each of them (the end, the
 * path, a limit, an observer): a counter made for one heuristic and one shape does nothing but
 * count, many times faster. Where that is not enough, as the goal is in the subtree or the limit of
 * nodes is reached in it, the search walks it, and has its smaller subtrees counted. */
#ifndef SUBTREE_SUBTREE_H
#define SUBTREE_SUBTREE_H

#include "search/search.h"

enum subtree_outcome {
    SUBTREE_COUNTED, /* all of it is in the statistics */
    SUBTREE_REFUSED, /* must be walked: nothing was changed */
    SUBTREE_STOPPED  /* time is up or the search interrupted; the status says which */
};

/* A heuristic and a shape, or more than one. */
struct subtree_kind {
    bool (*fits)(const struct heuristic *heuristic); /* it knows it by its functions */
    size_t bytes;                                    /* of the counter's tables and state */
    unsigned most_slack; /* subtrees of at most this slack are worth counting */
    void (*prepare)(void *data, struct search *search);
    enum subtree_outcome (*count)(void *data, const struct enode *root, unsigned slack);
};

#define SUBTREE(heuristic, width, height)                                                          \
    extern const struct subtree_kind subtree_##heuristic##_##width##x##height;
#define SUBTREE_PDB(cells, groups, between)                                                        \
    extern const struct subtree_kind subtree_pdb_##cells##_##groups;
#include "subtree/subtree.def"
#undef SUBTREE
#undef SUBTREE_PDB

struct subtree_counter {
    const struct subtree_kind *kind; /* NULL: there is none */
    void *data;
};

/* The counter for the search's heuristic and shape, its tables taken from the arena. None where no
 * kind fits or the arena is spent. */
struct subtree_counter subtree_counter_start(struct search *search);

/* Counts a node, which is not the search's root, as expanded, and all below it: generated, kept and
 * expanded where g + h stays within the threshold, which is the node's g + h + 2 * slack; each
 * slack lets h rise once where it could have fallen by 1. At least one. Counters are of heuristics
 * alone with which g + h keeps its parity, so that what is dropped costs at least the threshold +
 * 2. */
static inline enum subtree_outcome subtree_count(const struct subtree_counter *counter,
                                                 const struct enode *root, unsigned slack)
{
    assert(slack > 0 && root->undo != MOVE_NONE);
    return counter->kind->count(counter->data, root, slack);
}

#endif
