/* The runs of an experiment in the order in which they are started: which have a row, and which is
 * next. */
#ifndef EXECUTION_QUEUE_H
#define EXECUTION_QUEUE_H

#include "harness/experiment/experiment.h"

struct queue {
    uint32_t *order; /* owned; the runs' numbers, shuffled (experiment_run_order) */
    bool *done;      /* owned; by run number: its row is written */
    size_t total;
    size_t finished; /* runs that are done */
    size_t next;     /* how many of `order` were looked at */
    size_t warmed;   /* warm-up runs so far */
};

/* Starts with no run done; free with queue_end. */
void queue_start(struct queue *queue, const struct experiment *experiment);

/* Counts the runs that `done` marks: the caller has marked those that have rows. */
void queue_count(struct queue *queue);

/* Writes the run to start next to *run, without starting it; false if all were started. */
bool queue_peek(struct queue *queue, size_t *run);

/* Marks the next run as started. */
void queue_take(struct queue *queue);

/* A run to warm up with: its result is dropped, so it may be one that is done or still to do. */
size_t queue_warm_up(struct queue *queue);

/* Marks a run that has its row. */
void queue_done(struct queue *queue, size_t run);

void queue_end(struct queue *queue);

#endif
