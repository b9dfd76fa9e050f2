/* One round of IDA* (idastar/idastar.c): everything below a node within a threshold, depth first.
 *
 * The path is an explicit stack as deep as the threshold. Subtrees that are small, hold no goal and
 * stay below the limit of nodes are counted, if there is a counter for them, or were counted ahead.
 * There is one copy of the walk for searches that are viewed, one for scouts, one for parts of a
 * round, one for the others, which then pay nothing. */
#pragma once

#include "idastar/ahead.h"
#include "idastar/pruning.h"
#include "idastar/transposition.h"

/* How far a path may grow with a search that is counted ahead, or below another one: more than
 * thresholds ever rise. */
enum { DEEPER = 256 };

/* A node on the current path. */
struct visit {
    unsigned h;
    uint8_t undo; /* the move back to the parent; MOVE_NONE at the root */
    uint8_t turn; /* operators tried so far */
};

/* A node at a cut. */
struct root {
    uint32_t score;
    uint32_t slack; /* threshold - (g + h) */
    uint32_t part;  /* in which it was when the last round was split */
};

/* A cut through a round, and which of the nodes at it, numbered from 0 in operator order, are
 * searched below: those from `first` on, before `last`. A node has a score of by_slack for each 1
 * of its slack, threshold - (g + h), and of by_h for each 1 of h; those at the cut are the first on
 * their paths with less than `score`, and those above it are walked, never counted as a subtree.
 * What is counted belongs to the part from the entry of `first` (or from the start, if that is 0)
 * until `last` is to be entered: so the sums of consecutive parts are those of the whole round, and
 * the part with the goal ends with it. */
struct cut {
    unsigned score; /* 0: there is no cut */
    unsigned by_slack, by_h;
    unsigned first, last;
    unsigned at;        /* nodes met at the cut so far */
    unsigned root_g;    /* of the one below which the walk is; UINT_MAX: it is above the cut */
    struct root *roots; /* the nodes met are noted here; NULL: they are not */
    bool ended;         /* `last` was met: the walk has stopped */
    struct statistics before; /* with which the part begins, and its limit of nodes */
    uint64_t nodes;
};

struct round {
    struct search *search;
    struct subtree_counter subtrees;
    struct ahead *ahead;         /* NULL: nothing is counted ahead in this round */
    struct transposition *table; /* NULL: none */
    struct visit *path;
    struct enode enode; /* the last node of the path */
    uint32_t *contexts; /* of the nodes of the path (idastar/pruning.h); NULL: nothing is pruned */
    unsigned threshold;
    unsigned above;          /* the minimum g + h above the threshold */
    unsigned goal_h;         /* of the goal: 0 if the heuristic is admissible */
    unsigned counted_slack;  /* subtrees of at most this slack are counted */
    bool steady;             /* each move changes h by exactly 1 */
    bool counts_flat;        /* subtrees without slack are counted, too: of many roots most are */
    bool counts_only;        /* it is not the search itself and keeps no solution */
    bool counts_all;         /* the round goes on after a solution: search->solutions */
    unsigned root_g;         /* where the walk began */
    uint64_t saved_expanded; /* expanded at the last checkpoint */
    uint64_t root;           /* the number of the node at root_g, of a search below several */
    uint64_t before;         /* generated before the first round */
    unsigned refused_g;      /* of the root, refused by `ahead`, that is being walked; UINT_MAX */
    const struct pdb_falls *falls; /* that subtrees are counted by; may be NULL */
    struct cut cut;
};

/* What all rounds of a search share; the E-node is the start without its h. */
struct round round_start(struct search *search);

/* Makes room in the arena for so many nodes on the path; those that are on it stay. False when the
 * budget is spent. */
bool round_make_path(struct round *round, struct arena *arena, uint64_t levels);

/* Searches everything within the threshold from the E-node on, whose g is root_g and for whose path
 * there is room. False when the search is over; search->status says why. If search->paused, it was
 * stopped at the E-node, of which nothing is counted yet: called again, it goes on from there. */
bool round_search(struct round *round);

/* The same for the part of a round that round->cut describes, from the start on. False also at the
 * end of the part: cut.ended. */
bool round_search_part(struct round *round);

/* A scout's walk (idastar/ahead.h), from the root or on from where it stopped, as long as the
 * window has room. True when it is at its end. */
bool round_scout(struct round *round);
