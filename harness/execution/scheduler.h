/* The loop that gives the queue's runs to the slots and their answers to the row sink.
 *
 * Runs that are expected to be short (pace.h) are given in batches of at most BATCH_SECONDS, so
 * that the harness does not take longer than the searches; any other run is given alone. The runs
 * of a batch that its worker did not begin, because it died or a run was longer than expected, go
 * back to the queue.
 *
 * Where the experiment asks for them, each worker makes control runs (control.h) before its first
 * run, after so many runs, and after its last.
 *
 * Where some searches have several threads, those that run never have more threads together than
 * there are processors, unless one alone has: the next run waits until there is room for it, and
 * none overtakes it. */
#pragma once

#include "harness/execution/control.h"
#include "harness/execution/machine_watch.h"
#include "harness/execution/pace.h"
#include "harness/execution/queue.h"
#include "harness/execution/row_sink.h"
#include "harness/execution/slot.h"

/* How often runs.csv gets the present time, so that other machines see that its writer lives; how
 * long without that it is taken for dead. */
#define BEAT_SECONDS   10.0
#define SILENT_SECONDS 60.0

struct scheduler {
    /* Filled in by the caller. */
    struct queue *queue;
    struct slots *slots;
    struct row_sink *sink;
    struct machine_watch *watch;
    struct display *display;
    struct control *control; /* its `every` becomes 0 where they are of no use */
    const char *shared;      /* where searches are shared (sharing.h); NULL: they are not */
    unsigned room;           /* the threads that the runs may have together; 0: any number */
    const volatile sig_atomic_t
        *interrupted; /* not 0: start no more runs, end those that are running */

    /* Its own. */
    size_t joined;      /* runs of other shards that were joined */
    struct run joining; /* the run of another shard that is joined next; its solver is NULL: none */
    bool failed;        /* rows cannot be written or no worker can be started: start no more runs */
    struct pace pace;
    uint64_t oom_kills; /* cgroup_oom_kills, when it was last asked */
    double looked;      /* on clock_wall(): when the workers were last looked at */
    double collected;   /* likewise: when rows were last taken from all, also amid their batches */
    double beaten;      /* likewise: when the folder was last given a sign of life */
};

/* Makes the missing runs until all are done (DONE), it is interrupted (INTERRUPTED), or rows cannot
 * be written or workers cannot be started (FAILED, with a message on the display). */
enum ending scheduler_run(struct scheduler *scheduler);
