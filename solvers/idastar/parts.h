/* The folder in which processes that search one board share a round: who counts which part of it,
 * and what was counted.
 *
 * THRESHOLD-PART.claim       an empty file: somebody began to count the part
 * THRESHOLD-PART.part-COUNTS an empty file: what is in the part, and a hash of all that
 * THRESHOLD-PART.end         a text: what is in a part in which the search ends
 * THRESHOLD.round            a text: what is in the whole round, with the nodes generated in each
 *                            part; the files of the parts are then removed
 *
 * So a list of the folder tells nearly everything: on a file server each file that is opened takes
 * its time, and there are thousands of parts. Each file appears whole or not at all, and whoever
 * makes one makes the same as any other would, but for the time it took. So a claim only saves
 * work: one that a dead process left, or that a file system gave to two, costs a part counted twice
 * and never changes a count. When all is counted, one process adds it up, and the others wait;
 * after ten seconds they do it themselves. */
#pragma once

#include "search/search.h"

/* What was counted in a part of a round, or in all of it. */
struct part_sum {
    struct statistics statistics;
    uint64_t above;        /* the minimum g + h above the threshold */
    double cpu_seconds;    /* that it took */
    unsigned ends, status; /* the search ends in it, as `status`; solved: with search->moves */
};

static inline bool part_sum_solves(const struct part_sum *sum)
{
    return sum->ends && sum->status == STATUS_solved;
}

enum part_state { PART_OPEN, PART_CLAIMED, PART_COUNTED, PART_ENDS };

struct parts {
    struct search *search;
    unsigned threshold;
    unsigned count;
    unsigned end;          /* the search ends in this part at the latest; count - 1 at first */
    bool summed;           /* the file of the whole round is there */
    bool failed;           /* the folder cannot be read or written */
    uint8_t *state;        /* owned; by part: a part_state; the last is the sum's */
    double looked;         /* when the folder was last read, on clock_wall() */
    double waits;          /* since when, on clock_wall(); 0: it does not */
    struct part_sum *sums; /* owned; by part: what is in it, if that is known; of a round whose sum
                              was read, only the nodes generated */
    uint64_t expanded, generated; /* before the round, which they tell from others */
    uint64_t cut;                 /* a hash of how the round is cut, which does, too */
};

/* The parts of the round that the search has begun, in the folder of its limits, which is made.
 * Free with parts_end. */
struct parts parts_start(struct search *search, unsigned threshold);
void parts_end(struct parts *parts);

/* Learns what others have done since, at most once a second while there is a part to begin. */
void parts_look(struct parts *parts);

/* What to do next: count the first part that nobody began; with none left, one that is begun and
 * not counted, as who began it may be dead; with all counted, add them up (`count`), or nothing, as
 * another does (PARTS_WAIT, after a moment). */
enum { PARTS_WAIT = -1 };
long parts_choose(struct parts *parts);

/* Writes what was counted in a part, or (`part` == count) in the whole round; if it ends the search
 * as solved, with search->moves. */
void parts_write(struct parts *parts, unsigned part, const struct part_sum *sum);

/* Reads it, and so parts->sizes; a solution is then in search->moves. False if it is not there or
 * not whole: it is removed and will be counted again. */
bool parts_read(struct parts *parts, unsigned part, struct part_sum *sum);

/* Removes the files of the parts of a round whose sum is written. */
void parts_remove(const struct parts *parts);
