/* A slot for one batch of runs at a time, with its current worker process.
 *
 * There are as many slots as jobs. If the system refuses a process, the slot is closed and the
 * others go on. */
#pragma once

#include "harness/execution/worker.h"
#include "harness/external/cgroup.h"
#include "harness/results/controls.h"
#include "harness/text/display.h"
#include <gsl/gsl_rstat.h>

struct slot {
    struct worker worker;
    const unsigned *processors; /* that its workers are pinned to; NULL: not pinned */
    unsigned threads;           /* of the run that it makes, the most of its batch */
    bool closed;                /* the system refused it a process */
    unsigned warm_left;         /* warm-up runs still to be made by its worker */
    bool cold;      /* its worker has made no control run yet: the first one is not kept */
    unsigned since; /* runs since its last control run */
    char control[CONTROL_ID_BYTES]; /* that; "": none yet */
    double freed;     /* on clock_wall(): when it was last free; 0: not since its start */
    double sync_time; /* seconds spent on flushing rows to the disk by then */
    double searched;  /* seconds that the searches of the current batch took; negative:
                         not all of its runs were measured */
};

struct slots {
    struct slot *items; /* owned */
    unsigned count;
    unsigned threads;      /* the most that a search uses */
    double ended_seconds;  /* processor time of the workers that have ended */
    bool adopting;         /* what dead workers leave falls to this process */
    struct cgroups groups; /* of external solvers */
    bool reported;      /* it was reported that fewer workers can be started than there are slots */
    unsigned warmup;    /* warm-up runs that a new worker makes first */
    unsigned events;    /* of struct worker; set by the caller */
    uint64_t max_bytes; /* the maximum that a search may hold */
    gsl_rstat_quantile_workspace *overhead; /* owned; of a run, in seconds: its median */
};

/* Makes `count` slots without a worker, for searches of at most `threads` threads. `processors`
 * (NULL: not pinned) has so many for each slot, and must live as long. Free with slots_end. */
void slots_start(struct slots *slots, unsigned count, const unsigned *processors, unsigned threads,
                 unsigned warmup, uint64_t max_bytes);

/* Starts the slot's worker process. If the system refuses, closes the slot, reports that once, and
 * returns false. */
bool slot_open(struct slots *slots, struct slot *slot, struct display *display);

/* There will be external solvers: processes that a dead worker leaves fall to this process, and
 * slot_stop ends them. From now on, every child of this process that is no worker is such a one. */
void slots_adopt(struct slots *slots);

/* Whether any slot has a worker process. */
bool slots_alive(const struct slots *slots);

/* The slot is free from now on: its batch is done. `sync_time`: the seconds spent on flushing rows
 * to the disk so far. */
void slot_free(struct slots *slots, struct slot *slot, double sync_time);

/* Ends the slot's worker, if it has one, and returns how it ended, as worker_stop. */
char *slot_stop(struct slots *slots, struct slot *slot, enum status *meaning);

/* The processor time of this program, its workers and the external solvers, in seconds. */
double slots_own_seconds(const struct slots *slots);

/* What the harness took around a search, in seconds: from the last row of one batch to that of the
 * next in the same slot, without the searches and without waiting for the disk, divided by the
 * batch's runs; the median of this call's runs. Negative if there was none. */
double slots_overhead(const struct slots *slots);

/* Ends all workers. */
void slots_stop(struct slots *slots);

void slots_end(struct slots *slots);
