/* The loop that gives the queue's runs to the slots and their answers to the row sink. */
#ifndef EXECUTION_SCHEDULER_H
#define EXECUTION_SCHEDULER_H

#include "harness/execution/machine_watch.h"
#include "harness/execution/queue.h"
#include "harness/execution/slot.h"
#include "harness/results/row_sink.h"
#include "harness/text/ending.h"
#include <signal.h>

struct scheduler {
    /* Filled in by the caller. */
    struct queue *queue;
    struct slots *slots;
    struct row_sink *sink;
    struct machine_watch *watch;
    struct display *display;
    const volatile sig_atomic_t
        *interrupted; /* not 0: start no more runs, end those that are running */

    /* Its own. */
    bool failed;   /* rows cannot be written or no worker can be started: start no more runs */
    double looked; /* on clock_wall(): when the workers were last looked at */
};

/* Makes the missing runs until all are done (DONE), it is interrupted (INTERRUPTED), or rows cannot
 * be written or workers cannot be started (FAILED, with a message on the display). */
enum ending scheduler_run(struct scheduler *scheduler);

#endif
