#include "harness/execution/queue.h"
#include "base/heap.h"

void queue_start(struct queue *queue, const struct run_ids *runs, uint32_t *order)
{
    *queue = (struct queue){.runs = runs, .order = order, .total = runs->count};
    queue->done = heap_take(queue->total, sizeof *queue->done);
}

void queue_count(struct queue *queue)
{
    queue->finished = 0;
    for (size_t i = 0; i < queue->total; i++)
        queue->finished += queue->done[i];
}

bool queue_has_next(struct queue *queue)
{
    while (queue->next < queue->total && queue->done[queue->order[queue->next]])
        queue->next++;
    return queue->next < queue->total;
}

struct run queue_take(struct queue *queue)
{
    return run_ids_run(queue->runs, queue->order[queue->next++]);
}

struct run queue_warm_up(struct queue *queue)
{
    struct run run = run_ids_run(queue->runs, queue->order[queue->warmed++ % queue->total]);
    if (run.limits.seconds == 0 || run.limits.seconds > WARM_UP_SECONDS)
        run.limits.seconds = WARM_UP_SECONDS;
    return run;
}

void queue_done(struct queue *queue, const struct run *run)
{
    queue->done[run->number] = true;
    queue->finished++;
}

void queue_end(struct queue *queue)
{
    free(queue->order);
    free(queue->done);
    *queue = (struct queue){0};
}
