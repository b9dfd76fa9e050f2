/* A large round of IDA* divided into parts (round.h: cut), which processes that search the same
 * board count together through a folder (parts.h).
 *
 * The first such round is cut where that leaves ROOTS_A_PART subtrees or more for each part. A part
 * has subtrees that follow each other in operator order, and all parts are expected to be of one
 * size, as rounds have grown by the same factor so far. The next round is cut at the same nodes and
 * those that the last one dropped above them, and divided by what each part was found to have. The
 * round is at its end when all parts are counted; whoever sees that first adds them up. In the last
 * round, that is the parts up to the first that has the goal. So path and counters are those of one
 * process alone, at every limit of nodes, however many there are and whichever of them die. Smaller
 * rounds are searched by each process itself. A process that starts later, or again, takes over
 * what is there. */
#pragma once

#include "idastar/walkers.h"

/* How the last round that was split was divided, and what its parts had. */
struct last_split {
    unsigned threshold;
    unsigned score, by_slack; /* of its cut */
    unsigned *first;          /* by part: its first root, and at the end their number; NULL: none */
    struct part_sum *parts;   /* by part: what was in it (idastar/parts.h) */
};

enum split_outcome { SPLIT_DONE, SPLIT_OVER, SPLIT_REFUSED };

/* Searches a round whose E-node is the start; *last, at first all 0, is what the search keeps of
 * one round for the next. DONE: all is counted; OVER: the search is over, as search->status says;
 * REFUSED: it must be searched whole, as the search is not shared (as it is not with a table, an
 * observer, or if all solutions are counted), the round before was small, it cannot be cut or the
 * folder cannot be used; nothing has changed then. */
enum split_outcome split_search(struct round *round, struct walkers *walkers,
                                struct last_split *last);

void last_split_end(struct last_split *last);
