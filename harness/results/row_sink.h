/* Where results become rows: each is verified, held against the other rows and appended to the
 * folder, and what is wrong with it is said and kept beside it.
 *
 * The sink also decides when the rows are put on the disk, and counts what it wrote. */
#ifndef RESULTS_ROW_SINK_H
#define RESULTS_ROW_SINK_H

#include "harness/results/cross.h"
#include "harness/results/folder.h"
#include "harness/text/display.h"

struct row_sink {
    /* Filled in by the caller. */
    struct folder *folder;
    struct cross *cross;
    struct display *display;
    const char *host;
    bool all_moves;      /* write long paths too */
    double sync_seconds; /* how often the rows are put on the disk */
    size_t solved;       /* rows that say so; the caller begins with those that were there */
    size_t findings;     /* rows that crashed, are wrong or contradict another; likewise */

    /* Its own. */
    size_t again;     /* rows whose runs the next call makes again */
    size_t messages;  /* kept in messages.csv */
    double synced;    /* on clock_wall(): when the rows were last put on the disk */
    double sync_time; /* how long that has taken in all, in seconds */
};

enum row_outcome {
    ROW_WRITTEN,
    ROW_DOUBTED, /* written, with a claim that does not stand */
    ROW_UNWRITTEN
};

/* Takes a worker's result of a run in, `elapsed` seconds after the run was begun. The result is
 * ended. */
enum row_outcome row_sink_take(struct row_sink *sink, const struct run *run, double elapsed,
                               struct result *result);

/* Takes in that the system refused memory to the worker of a run before the search could say so. */
enum row_outcome row_sink_take_starved(struct row_sink *sink, const struct run *run);

/* Takes in that the worker of a run was lost; `why` is how. */
enum row_outcome row_sink_take_crash(struct row_sink *sink, const struct run *run, const char *why);

/* Says something of a run: "WHAT: SOLVER on SET/INSTANCE: WHY". */
void row_sink_say(struct row_sink *sink, const struct run *run, const char *what, const char *why);

/* Puts the rows on the disk when it is time to, or in any case. False, with a message, when they
 * cannot be put there or runs.csv was changed by another program. */
bool row_sink_sync(struct row_sink *sink, bool in_any_case);

#endif
