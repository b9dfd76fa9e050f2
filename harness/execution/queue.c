#include "harness/execution/queue.h"
#include "base/heap.h"

void queue_start(struct queue *queue, const struct experiment *experiment)
{
    *queue = (struct queue){.order = experiment_run_order(experiment),
                            .total = experiment_run_count(experiment)};
    queue->done = heap_take(queue->total, sizeof *queue->done);
}

void queue_count(struct queue *queue)
{
    queue->finished = 0;
    for (size_t i = 0; i < queue->total; i++)
        queue->finished += queue->done[i];
}

bool queue_peek(struct queue *queue, size_t *run)
{
    while (queue->next < queue->total && queue->done[queue->order[queue->next]])
        queue->next++;
    if (queue->next == queue->total)
        return false;
    *run = queue->order[queue->next];
    return true;
}

void queue_take(struct queue *queue)
{
    queue->next++;
}

size_t queue_warm_up(struct queue *queue)
{
    return queue->order[queue->warmed++ % queue->total];
}

void queue_done(struct queue *queue, size_t run)
{
    queue->done[run] = true;
    queue->finished++;
}

void queue_end(struct queue *queue)
{
    free(queue->order);
    free(queue->done);
    *queue = (struct queue){0};
}
