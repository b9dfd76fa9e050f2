/* The runs of an experiment in the order in which they are started: which have their row, and which
 * is next. */
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

/* Starts with no run done; queue_end. */
void queue_start(struct queue *queue, const struct experiment *experiment);

/* Counts the runs that `done` marks: whoever knows the rows that are there has marked them. */
void queue_count(struct queue *queue);

/* The run to start next goes to *run and stays the next one; false when all were started. */
bool queue_peek(struct queue *queue, size_t *run);

/* The next run is started. */
void queue_take(struct queue *queue);

/* A run to warm up with: its result is not kept, so it may be done or be done again. */
size_t queue_warm_up(struct queue *queue);

/* A run has its row. */
void queue_done(struct queue *queue, size_t run);

void queue_end(struct queue *queue);

#endif
