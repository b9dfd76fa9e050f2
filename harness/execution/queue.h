/* The runs of an experiment in the order in which they are started: which have a row, and which is
 * next. */
#ifndef EXECUTION_QUEUE_H
#define EXECUTION_QUEUE_H

#include "harness/results/run_ids.h"
#include <stdbool.h>

struct queue {
    const struct run_ids *runs;
    uint32_t *order; /* owned; the runs' numbers in the order in which they are started */
    bool *done;      /* owned; by run number: its row is written */
    size_t total;
    size_t finished; /* runs that are done */
    size_t next;     /* how many of `order` were considered */
    size_t warmed;   /* warm-up runs so far */
};

/* Starts with no run done; free with queue_end. The runs must outlive the queue; `order`, which has
 * all their numbers, is taken. */
void queue_start(struct queue *queue, const struct run_ids *runs, uint32_t *order);

/* Counts the runs that `done` marks: the caller has marked those that have rows. */
void queue_count(struct queue *queue);

/* Whether there is a run that was not started. */
bool queue_has_next(struct queue *queue);

/* The run to start next, which there is. */
struct run queue_take(struct queue *queue);

/* A run to warm up with, of WARM_UP_SECONDS at most: its result is not kept, so it may be done or
 * be done again. */
#define WARM_UP_SECONDS 1.0
struct run queue_warm_up(struct queue *queue);

/* Marks a run that has its row. */
void queue_done(struct queue *queue, const struct run *run);

void queue_end(struct queue *queue);

#endif
