/* The runs of an experiment, or of a shard of it, in the order in which they are started: which
 * have a row, and which is next. */
#pragma once

#include "harness/results/run_ids.h"

struct queue {
    const struct run_ids *runs;
    uint32_t *order; /* owned; the runs' numbers in the order in which they are started */
    bool *done;      /* owned; by run number: its row is written */
    uint8_t *lost;   /* owned; by run number: how often its process was killed from outside */
    size_t total;    /* how many `order` has */
    size_t finished; /* runs that are done */
    size_t next;     /* how many of `order` were considered */
    uint32_t *back;  /* owned; runs that were taken and given back, the next one last */
    size_t back_count, back_room;
    uint32_t *joined; /* owned; runs of other shards whose searches it shares in the end */
    size_t join_count, join_next;
    size_t warmed; /* warm-up runs so far */
};

/* Starts with no run done; free with queue_end. The runs must outlive the queue; `order`, which has
 * the numbers of `total` of them, is taken. */
void queue_start(struct queue *queue, const struct run_ids *runs, uint32_t *order, size_t total);

/* Counts the runs that `done` marks: the caller has marked those that have rows. */
void queue_count(struct queue *queue);

/* Leaves out the runs that are not done but are marked in `elsewhere` (by run number), and those to
 * join that are marked. Returns how many of the first. */
size_t queue_leave_out(struct queue *queue, const bool *elsewhere);

/* Whether there is a run that was not started. */
bool queue_has_next(struct queue *queue);

/* The run to start next, if queue_has_next; it is not taken yet. */
struct run queue_next(struct queue *queue);

/* Takes the run that queue_next returned. */
void queue_take(struct queue *queue);

/* Gives back a run that was taken and not started: it is the next one. */
void queue_give_back(struct queue *queue, const struct run *run);

/* The process of a run that was taken was killed from outside. Gives the run back, unless that is
 * the third time; false then. */
bool queue_lose(struct queue *queue, const struct run *run);

/* A run to warm up with, of at most WARM_UP_RUN_SECONDS: its result is not kept, so it may have a
 * row already, or get one later. */
struct run queue_warm_up(struct queue *queue);

/* The next run of another shard to join, when no own one is left to be started; false if there is
 * none. It has no row here. */
bool queue_join(struct queue *queue, struct run *run);

/* Marks a run that has its row. */
void queue_done(struct queue *queue, const struct run *run);

void queue_end(struct queue *queue);
