#include "harness/execution/scheduler.h"
#include "base/clock.h"
#include "base/heap.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* How long to wait for news from the workers, and how long a gap between two looks at them means
 * that this process itself was not running: stopped, suspended, or waiting for a disk. */
enum { WAIT_MS = 100 };
#define ABSENT_SECONDS 1.0

/* Acts on the sink's verdict on a run's result. */
static void note_row(struct scheduler *scheduler, const struct run *run, enum row_outcome row)
{
    if (row == ROW_UNWRITTEN)
        scheduler->failed = true;
    else
        queue_done(scheduler->queue, run);
}

/* A worker died, hangs or has no memory: its run's row says so. A warm-up has no row. */
static void worker_lost(struct scheduler *scheduler, struct slot *slot, const char *reason)
{
    const struct run run = slot->worker.run;
    const bool warming = slot->worker.warming;
    bool starved;
    char *how = slot_stop(scheduler->slots, slot, &starved);
    const char *why = reason == NULL ? how : reason;
    if (warming) {
        row_sink_say(scheduler->sink, &run, "no more warm-up runs, since one crashed", why);
        scheduler->slots->warmup = 0;
    } else {
        note_row(scheduler, &run,
                 starved ? row_sink_take_starved(scheduler->sink, &run)
                         : row_sink_take_crash(scheduler->sink, &run, why));
    }
    free(how);
}

static void receive(struct scheduler *scheduler, struct slot *slot)
{
    struct result result;
    double search_seconds = -1;
    switch (worker_receive(&slot->worker, &result)) {
    case WORKER_PENDING:
        break;
    case WORKER_DONE:
        if (slot->worker.warming || result.status == STATUS_interrupted) {
            result_end(&result); /* no row: the next call repeats an interrupted run */
        } else {
            const double elapsed = clock_wall() - slot->worker.sent;
            const double seconds = result.wall_seconds;
            const enum row_outcome row =
                row_sink_take(scheduler->sink, &slot->worker.run, elapsed, &result);
            note_row(scheduler, &slot->worker.run, row);
            search_seconds = row == ROW_WRITTEN ? seconds : -1;
        }
        slot_free(scheduler->slots, slot, search_seconds, scheduler->sink->sync_time);
        break;
    case WORKER_GONE:
        worker_lost(scheduler, slot, NULL);
        break;
    }
}

/* Gives an idle slot the next run, or a warm-up of its worker. */
static void give_run(struct scheduler *scheduler, struct slot *slot)
{
    if (scheduler->failed || *scheduler->interrupted != 0 || !queue_has_next(scheduler->queue))
        return;
    if (slot->worker.process == 0 && !slot_open(scheduler->slots, slot, scheduler->display)) {
        scheduler->failed = !slots_alive(scheduler->slots);
        return;
    }
    const bool warming = slot->warm_left > 0;
    slot->warm_left -= warming;
    const struct run run = warming ? queue_warm_up(scheduler->queue) : queue_take(scheduler->queue);
    if (!worker_send(&slot->worker, &run, warming))
        worker_lost(scheduler, slot, NULL);
}

/* Gives every idle slot a run, as long as there are any. Returns the number of busy slots. */
static unsigned hand_out(struct scheduler *scheduler)
{
    unsigned busy = 0;
    for (unsigned i = 0; i < scheduler->slots->count; i++) {
        struct slot *slot = &scheduler->slots->items[i];
        if (!slot->worker.busy)
            give_run(scheduler, slot);
        busy += slot->worker.busy;
    }
    return busy;
}

/* Reads what a worker has sent and decides whether it ended in the middle of its answer or is late.
 * A worker that is sending is not late. */
static void look_at(struct scheduler *scheduler, struct slot *slot, bool has_sent, bool ended)
{
    const struct worker *worker = &slot->worker;
    if (ended || has_sent)
        receive(scheduler, slot);
    if (worker->busy && ended)
        worker_lost(scheduler, slot, NULL);
    else if (worker->busy && !has_sent && worker->deadline > 0 &&
             scheduler->looked > worker->deadline)
        worker_lost(scheduler, slot, "no answer long after its time limit");
}

/* Time in which this process was not running does not count against the workers: a worker cannot
 * send an answer that nobody reads, and usually it was stopped as well. */
static void forgive_absence(struct scheduler *scheduler)
{
    const double now = clock_wall();
    const double absent = now - scheduler->looked;
    scheduler->looked = now;
    for (unsigned i = 0; i < scheduler->slots->count && absent > ABSENT_SECONDS; i++) {
        struct worker *worker = &scheduler->slots->items[i].worker;
        if (worker->busy && worker->deadline > 0)
            worker->deadline += absent;
    }
}

/* Waits for news from the workers, or for a moment. False, with a message, if that fails. */
static bool wait_for_news(struct scheduler *scheduler, struct pollfd *watched)
{
    enum { CHANNEL, PROCESS, WATCHED };
    const struct slots *slots = scheduler->slots;
    nfds_t count = 0;
    for (unsigned i = 0; i < slots->count; i++) {
        const struct worker *worker = &slots->items[i].worker;
        if (!worker->busy)
            continue;
        watched[count + CHANNEL] = (struct pollfd){.fd = worker->channel, .events = POLLIN};
        watched[count + PROCESS] = (struct pollfd){.fd = worker->handle, .events = POLLIN};
        count += WATCHED;
    }
    if (poll(watched, count, WAIT_MS) < 0) {
        if (errno == EINTR)
            return true;
        display_say(scheduler->display,
                    "the workers cannot be watched: %s; the same command continues",
                    strerror(errno));
        return false;
    }
    forgive_absence(scheduler);
    const struct pollfd *seen = watched;
    for (unsigned i = 0; i < slots->count; i++) {
        if (!slots->items[i].worker.busy)
            continue;
        look_at(scheduler, &slots->items[i], seen[CHANNEL].revents != 0,
                seen[PROCESS].revents != 0);
        seen += WATCHED;
    }
    return true;
}

/* Asks the busy workers to end their searches. */
static void stop_searches(const struct slots *slots)
{
    for (unsigned i = 0; i < slots->count; i++)
        if (slots->items[i].worker.busy)
            worker_interrupt(&slots->items[i].worker);
}

static void show_progress(const struct scheduler *scheduler)
{
    const size_t finished = scheduler->queue->finished;
    const size_t solved = scheduler->sink->ended[STATUS_solved];
    char note[64];
    snprintf(note, sizeof note, "%zu solved, %zu not", solved, finished - solved);
    scheduler->display->advance(scheduler->display, finished, note);
}

static void run_all(struct scheduler *scheduler, struct pollfd *watched)
{
    bool asked = false;
    while (hand_out(scheduler) > 0) {
        if (*scheduler->interrupted != 0 && !asked) {
            asked = true;
            stop_searches(scheduler->slots);
        }
        show_progress(scheduler);
        if (!wait_for_news(scheduler, watched)) {
            scheduler->failed = true;
            break;
        }
        if (!row_sink_sync(scheduler->sink, false))
            scheduler->failed = true;
        if (machine_watch_due(scheduler->watch))
            machine_watch_look(scheduler->watch, slots_own_seconds(scheduler->slots));
    }
    if (!row_sink_sync(scheduler->sink, true))
        scheduler->failed = true;
}

enum ending scheduler_run(struct scheduler *scheduler)
{
    struct pollfd *watched = heap_take(2 * (size_t)scheduler->slots->count, sizeof *watched);
    machine_watch_start(scheduler->watch, scheduler->display, slots_own_seconds(scheduler->slots));
    workers_allow(scheduler->slots->count);
    scheduler->looked = scheduler->sink->synced = clock_wall();
    run_all(scheduler, watched);
    machine_watch_finish(scheduler->watch, slots_own_seconds(scheduler->slots));
    slots_stop(scheduler->slots);
    free(watched);
    return scheduler->failed                                      ? ENDING_FAILED
           : scheduler->queue->finished < scheduler->queue->total ? ENDING_INTERRUPTED
                                                                  : ENDING_DONE;
}
