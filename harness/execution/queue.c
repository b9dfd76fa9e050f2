#include "harness/execution/queue.h"
#include "base/heap.h"
#include "harness/external/program.h"

void queue_start(struct queue *queue, const struct run_ids *runs, uint32_t *order, size_t total)
{
    *queue = (struct queue){.runs = runs, .order = order, .total = total};
    queue->done = heap_take(runs->count, sizeof *queue->done);
    queue->lost = heap_take(runs->count, sizeof *queue->lost);
}

void queue_count(struct queue *queue)
{
    queue->finished = 0;
    for (size_t i = 0; i < queue->total; i++)
        queue->finished += queue->done[queue->order[i]];
}

size_t queue_leave_out(struct queue *queue, const bool *elsewhere)
{
    const size_t before = queue->total;
    queue->total = 0;
    for (size_t i = 0; i < before; i++)
        if (queue->done[queue->order[i]] || !elsewhere[queue->order[i]])
            queue->order[queue->total++] = queue->order[i];
    const size_t joined_before = queue->join_count;
    queue->join_count = 0;
    for (size_t i = 0; i < joined_before; i++)
        if (!elsewhere[queue->joined[i]])
            queue->joined[queue->join_count++] = queue->joined[i];
    return before - queue->total;
}

bool queue_has_next(struct queue *queue)
{
    while (queue->next < queue->total && queue->done[queue->order[queue->next]])
        queue->next++;
    return queue->back_count > 0 || queue->next < queue->total;
}

struct run queue_next(struct queue *queue)
{
    return run_ids_run(queue->runs, queue->back_count > 0 ? queue->back[queue->back_count - 1]
                                                          : queue->order[queue->next]);
}

void queue_take(struct queue *queue)
{
    if (queue->back_count > 0)
        queue->back_count--;
    else
        queue->next++;
}

void queue_give_back(struct queue *queue, const struct run *run)
{
    queue->back =
        heap_reserve(queue->back, &queue->back_room, queue->back_count + 1, sizeof *queue->back);
    queue->back[queue->back_count++] = (uint32_t)run->number;
}

bool queue_lose(struct queue *queue, const struct run *run)
{
    enum { MOST_TRIES = 3 };
    if (++queue->lost[run->number] == MOST_TRIES)
        return false;
    queue_give_back(queue, run);
    return true;
}

struct run queue_warm_up(struct queue *queue)
{
    struct run run = run_ids_run(queue->runs, queue->order[queue->warmed++ % queue->total]);
    if (run.limits.seconds == 0 || run.limits.seconds > WARM_UP_RUN_SECONDS)
        run.limits.seconds = WARM_UP_RUN_SECONDS;
    return run;
}

bool queue_join(struct queue *queue, struct run *run)
{
    const bool any = queue->join_next < queue->join_count;
    if (any)
        *run = run_ids_run(queue->runs, queue->joined[queue->join_next++]);
    return any;
}

void queue_done(struct queue *queue, const struct run *run)
{
    queue->done[run->number] = true;
    queue->finished++;
}

void queue_end(struct queue *queue)
{
    FREE(queue->order, queue->back, queue->joined, queue->done, queue->lost);
    *queue = (struct queue){0};
}
