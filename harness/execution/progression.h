/* An experiment on its way: workers get runs in the shuffled order, and what they answer is checked
 * and written, row by row. */
#ifndef EXECUTION_PROGRESSION_H
#define EXECUTION_PROGRESSION_H

#include "harness/execution/noise.h"
#include "harness/execution/progress.h"
#include "harness/execution/worker.h"
#include "harness/results/cross.h"
#include "harness/results/folder.h"
#include <gsl/gsl_rstat.h>

struct progression {
    /* Filled in by the caller. */
    const struct experiment *experiment;
    struct folder folder;
    struct cross *cross; /* the rows so far, against each other */
    bool *done;          /* by run: its row is written */
    uint32_t *order;     /* the runs in the order in which they are started */
    size_t total;
    size_t finished;            /* rows there are */
    size_t solved;              /* rows that say so */
    size_t findings;            /* rows that say crashed or wrong_answer */
    size_t again;               /* rows of this call whose runs the next one makes again */
    unsigned jobs;              /* as many as were asked for; the system may refuse some */
    const unsigned *processors; /* one for each job, for workers that are pinned; else NULL */
    double sync_seconds;        /* how often the rows are put on the disk */
    bool all_moves;
    bool quiet;
    const char *host;

    /* Its own. */
    struct crew *crew; /* one for each job */
    size_t next;       /* how many of `order` were looked at */
    size_t warmed;     /* warm-up runs so far */
    size_t messages;   /* kept in messages.csv by this call */
    bool no_warmup;    /* one of them crashed */
    bool fewer_told;   /* that not as many workers as jobs can be started */
    double looked;     /* on clock_wall(): when the workers were last looked at */
    double reaped;     /* processor time of the workers that have ended */
    double synced;     /* on clock_wall(): when the rows were last put on the disk */
    double sync_time;  /* how long that has taken, in all */
    double look_again; /* on clock_wall(): when to look for noise */
    struct noise noise;
    struct progress progress;
    gsl_rstat_quantile_workspace *overhead; /* of a run, in seconds: its median */
    int code;                               /* why it ends early; EXIT_DONE while all is well */
};

/* Runs what is missing until all is done, an interrupt came (SIGINT or SIGTERM; a second one ends
 * the process at once) or the rows cannot be written. The counts and `code` say which. Messages go
 * to standard error. */
void progression_run(struct progression *progression);

/* What the harness took around a search, in seconds: from the end of one row to the end of the next
 * in the same worker, less the search itself and less waiting for the disk; the median of this
 * call's runs. Negative when there was none. */
double progression_overhead(const struct progression *progression);

void progression_end(struct progression *progression);

#endif
