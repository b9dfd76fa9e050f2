#include "harness/execution/scheduler.h"
#include "base/heap.h"
#include "harness/execution/sharing.h"
#include "harness/external/program_heuristic.h"
#include <errno.h>
#include <math.h>
#include <poll.h>

/* How long to wait for news from the workers, and how long a gap between two looks at them means
 * that this process itself was not running: stopped, suspended, or waiting for a disk. */
enum { WAIT_MS = 100 };
#define ABSENT_SECONDS 1.0

/* How often rows are taken from a batch that is not at its end: a run may be longer than expected.
 */
#define COLLECT_SECONDS 0.1

/* How long a signal to a worker may precede that to this process, in hundredths of a second. */
enum { MOMENTS = 50 };

/* Acts on the sink's verdict on a run's result. */
static void note_row(struct scheduler *scheduler, const struct run *run, enum row_outcome row)
{
    if (row == ROW_UNWRITTEN)
        scheduler->failed = true;
    else
        queue_done(scheduler->queue, run);
    if (row != ROW_UNWRITTEN && scheduler->shared != NULL)
        sharing_note_done(scheduler->shared, run);
}

/* The runs of a batch from number `first` on were not begun. */
static void give_back(struct scheduler *scheduler, const struct batch *batch, unsigned first)
{
    for (unsigned i = batch->count; i > first && batch->kind == BATCH_OF_RUNS; i--)
        queue_give_back(scheduler->queue, &batch->runs[i - 1]);
}

/* The process of a run was killed, but not by tilelab: the run is made again, or its row says that
 * it is lost. */
static void take_loss(struct scheduler *scheduler, const struct run *run, const char *why)
{
    const uint64_t kills = cgroup_oom_kills(CGROUP_ROOT, CGROUP_SELF);
    SCOPED char *how =
        heap_format("%s%s", why,
                    kills > scheduler->oom_kills
                        ? ": the system had no memory left (oom_kill of the control group)"
                        : ", from outside");
    scheduler->oom_kills = kills;
    if (queue_lose(scheduler->queue, run))
        row_sink_say(scheduler->sink, run, "killed, and made again", how);
    else
        note_row(scheduler, run, row_sink_take_end(scheduler->sink, run, STATUS_lost, how));
}

/* A worker died, hangs or has no memory: the row of the run that it was making says so, the runs
 * behind that are made by another. A warm-up has no row. */
static void worker_lost(struct scheduler *scheduler, struct slot *slot, const char *reason)
{
    const struct batch *batch = &slot->worker.batch;
    const struct run run = batch->runs[batch->made];
    const enum batch_kind kind = batch->kind;
    enum status status;
    give_back(scheduler, batch, batch->made + 1);
    SCOPED char *how = slot_stop(scheduler->slots, slot, &status);
    const char *why = reason == NULL ? how : reason;
    if (kind == BATCH_CONTROL) {
        row_sink_say(scheduler->sink, &run, "no more control runs, since one crashed", why);
        scheduler->control->every = 0;
    } else if (kind == BATCH_JOINED) {
        row_sink_say(scheduler->sink, &run, "its search is not shared here, as that crashed", why);
    } else if (kind == BATCH_WARM_UP) {
        row_sink_say(scheduler->sink, &run, "no more warm-up runs, since one crashed", why);
        scheduler->slots->warmup = 0;
    } else if (status == STATUS_lost) {
        take_loss(scheduler, &run, why);
    } else {
        note_row(scheduler, &run,
                 row_sink_take_end(scheduler->sink, &run, status,
                                   status == STATUS_out_of_memory ? NULL : why));
    }
}

/* Takes in that a signal ended a run's search. Where this process gets one as well, now or in a
 * moment, there is no row: the next call makes the run. A signal to the worker alone is a crash. */
static void take_interrupt(struct scheduler *scheduler, const struct run *run)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < MOMENTS && *scheduler->interrupted == 0; i++)
        nanosleep(&moment, NULL);
    if (*scheduler->interrupted == 0)
        note_row(scheduler, run,
                 row_sink_take_end(scheduler->sink, run, STATUS_crashed,
                                   "its worker was interrupted by a signal (SIGINT, SIGTERM or "
                                   "SIGUSR1) that tilelab itself did not get"));
}

/* Takes the result of a control run. The first one of a worker process is a warm-up. */
static void take_control(struct scheduler *scheduler, struct slot *slot, const struct run *run,
                         struct result *result)
{
    const unsigned worker = (unsigned)(slot - scheduler->slots->items) + 1;
    slot->searched = -1;
    if (slot->cold || result->status == STATUS_interrupted) {
        slot->cold = false;
        result_end(result);
        return;
    }
    slot->since = 0;
    if (!row_sink_take_control(scheduler->sink, run, worker, result, slot->control))
        scheduler->control->every = 0;
}

/* Takes the result of a run, `elapsed` seconds after its begin. */
static void take_result(struct scheduler *scheduler, struct slot *slot, const struct run *run,
                        double elapsed, struct result *result, const struct answer *answer,
                        const uint64_t events[EVENTS])
{
    if (slot->worker.batch.kind == BATCH_CONTROL) {
        take_control(scheduler, slot, run, result);
        return;
    }
    if (slot->worker.batch.kind == BATCH_WARM_UP || slot->worker.batch.kind == BATCH_JOINED ||
        result->status == STATUS_interrupted) {
        if (slot->worker.batch.kind == BATCH_OF_RUNS)
            take_interrupt(scheduler, run);
        result_end(result);
        slot->searched = -1;
        return;
    }
    if (result->status == STATUS_lost) {
        result_end(result);
        take_loss(scheduler, run, answer->message);
        slot->searched = -1;
        return;
    }
    if (result->status == STATUS_crashed &&
        run->external == NULL) { /* its heuristic is a program */
        result_end(result);
        note_row(scheduler, run,
                 row_sink_take_end(scheduler->sink, run, STATUS_crashed, answer->message));
        slot->searched = -1;
        return;
    }
    const double wall_seconds = result->wall_seconds;
    const double cpu_seconds = result->cpu_seconds;
    const struct beside beside = {slot->control, events};
    const enum row_outcome row = row_sink_take(scheduler->sink, run, elapsed, result,
                                               run->external != NULL ? answer : NULL, &beside);
    slot->since++;
    note_row(scheduler, run, row);
    if (row != ROW_WRITTEN) {
        slot->searched = -1;
        return;
    }
    pace_note(&scheduler->pace, run, cpu_seconds);
    if (slot->searched >= 0)
        slot->searched += wall_seconds;
}

/* Takes the replies that a worker has sent. */
static void receive(struct scheduler *scheduler, struct slot *slot)
{
    struct worker *worker = &slot->worker;
    enum worker_news news = WORKER_DONE;
    worker_hear(worker);
    while (worker->busy && news == WORKER_DONE) {
        struct result result;
        struct answer answer;
        uint64_t events[EVENTS];
        double elapsed;
        news = worker_receive(worker, &result, &answer, events, &elapsed);
        if (news == WORKER_DONE) {
            take_result(scheduler, slot, &worker->batch.runs[worker->batch.made - 1], elapsed,
                        &result, &answer, events);
            scheduler->slots->ended_seconds += fmax(answer.lost_seconds, 0);
            answer_end(&answer);
        }
    }
    if (news == WORKER_GONE)
        worker_lost(scheduler, slot, NULL);
    if (worker->busy || news != WORKER_DONE)
        return;
    give_back(scheduler, &worker->batch, worker->batch.made);
    slot_free(scheduler->slots, slot, scheduler->sink->sync_time);
}

static unsigned threads_of(const struct run *run)
{
    return run->external != NULL ? external_threads(run->external) : solver_threads(run->solver);
}

/* The threads of the runs under way. */
static unsigned threads_held(const struct slots *slots)
{
    unsigned held = 0;
    for (unsigned i = 0; i < slots->count; i++)
        held += slots->items[i].worker.busy ? slots->items[i].threads : 0;
    return held;
}

/* Whether a slot makes a control run next: before its first run, after so many, after the last. */
static bool control_is_due(struct scheduler *scheduler, const struct slot *slot)
{
    const unsigned every = scheduler->control->every;
    if (every == 0 || slot->closed)
        return false;
    if (!queue_has_next(scheduler->queue))
        return slot->worker.process != 0 && slot->since > 0;
    return slot->control[0] == '\0' || slot->since >= every;
}

/* Whether there is a run of another shard to join, now that no own one is left to be started: it is
 * then scheduler->joining. */
static bool finds_joined(struct scheduler *scheduler)
{
    struct run *run = &scheduler->joining;
    while (scheduler->shared != NULL &&
           (run->solver == NULL || sharing_is_done(scheduler->shared, run->id)))
        if (!queue_join(scheduler->queue, run)) {
            run->solver = NULL;
            break;
        }
    return run->solver != NULL;
}

/* Whether there are processors for what an idle slot would run next, and notes its threads. A
 * warm-up may be a run of any solver. */
static bool has_room(struct scheduler *scheduler, struct slot *slot)
{
    const struct slots *slots = scheduler->slots;
    const bool warming = slot->worker.process == 0 ? slots->warmup > 0 : slot->warm_left > 0;
    const bool control = control_is_due(scheduler, slot);
    const struct run run = control                            ? scheduler->control->run
                           : queue_has_next(scheduler->queue) ? queue_next(scheduler->queue)
                                                              : scheduler->joining;
    const unsigned held = scheduler->room == 0 ? 0 : threads_held(slots);
    slot->threads = warming ? slots->threads : threads_of(&run);
    if (held == 0 || held + slot->threads <= scheduler->room)
        return true;
    slot->freed = 0; /* waiting is not overhead of a run */
    return false;
}

/* Fills in the batch that a worker is to make next: one run, and more while all of them are
 * expected to be short and have no more threads than the first. */
static void fill_batch(struct scheduler *scheduler, struct slot *slot)
{
    struct batch *batch = &slot->worker.batch;
    double expected = 0;
    const unsigned every = scheduler->control->every;
    const unsigned most =
        every == 0 || every - slot->since > BATCH_RUNS ? BATCH_RUNS : every - slot->since;
    batch->kind = BATCH_OF_RUNS;
    for (batch->count = 0; batch->count < most && queue_has_next(scheduler->queue);) {
        const struct run run = queue_next(scheduler->queue);
        expected += run.external != NULL ? (double)INFINITY : pace_of(&scheduler->pace, &run);
        if (batch->count > 0 && (expected > BATCH_SECONDS || scheduler->sink->sync_seconds <= 0 ||
                                 threads_of(&run) > slot->threads))
            break;
        batch->runs[batch->count++] = run;
        queue_take(scheduler->queue);
    }
}

/* Gives an idle slot the next runs, or a warm-up of its worker. */
static void give_runs(struct scheduler *scheduler, struct slot *slot)
{
    struct batch *batch = &slot->worker.batch;
    if (scheduler->failed || *scheduler->interrupted != 0 ||
        !(queue_has_next(scheduler->queue) || control_is_due(scheduler, slot) ||
          finds_joined(scheduler)) ||
        !has_room(scheduler, slot))
        return;
    if (slot->worker.process == 0 && !slot_open(scheduler->slots, slot, scheduler->display)) {
        scheduler->failed = !slots_alive(scheduler->slots);
        return;
    }
    slot->searched = 0;
    if (slot->warm_left > 0) {
        slot->warm_left--;
        batch->runs[0] = queue_warm_up(scheduler->queue);
        batch->count = 1;
        batch->kind = BATCH_WARM_UP;
    } else if (control_is_due(scheduler, slot)) {
        batch->runs[0] = scheduler->control->run;
        batch->count = 1;
        batch->kind = BATCH_CONTROL;
    } else if (!queue_has_next(scheduler->queue)) {
        batch->runs[0] = scheduler->joining;
        batch->count = 1;
        batch->kind = BATCH_JOINED;
        scheduler->joined++;
        scheduler->joining.solver = NULL;
    } else {
        fill_batch(scheduler, slot);
    }
    if (batch->runs[0].external != NULL || program_heuristics_has(batch->runs[0].solver))
        slots_adopt(scheduler->slots);
    if (!worker_send(&slot->worker))
        worker_lost(scheduler, slot, NULL);
}

/* Gives every idle slot runs, as long as there are any. Returns the number of busy slots. */
static unsigned hand_out(struct scheduler *scheduler)
{
    unsigned busy = 0;
    for (unsigned i = 0; i < scheduler->slots->count; i++) {
        struct slot *slot = &scheduler->slots->items[i];
        if (!slot->worker.busy)
            give_runs(scheduler, slot);
        busy += slot->worker.busy;
    }
    return busy;
}

/* Reads what a worker has sent and decides whether it ended in the middle of its answer or is late.
 * A worker that is sending is not late. */
static void look_at(struct scheduler *scheduler, struct slot *slot, bool has_sent, bool ended)
{
    const struct worker *worker = &slot->worker;
    const unsigned made = worker->batch.made;
    if (ended || has_sent || scheduler->collected == scheduler->looked)
        receive(scheduler, slot);
    has_sent = has_sent || worker->batch.made != made;
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
    enum { CHANNEL, BELL, PROCESS, WATCHED };
    const struct slots *slots = scheduler->slots;
    nfds_t count = 0;
    for (unsigned i = 0; i < slots->count; i++) {
        const struct worker *worker = &slots->items[i].worker;
        if (!worker->busy)
            continue;
        /* The replies within a batch do not wake this process; the rest of a long one does. */
        watched[count + CHANNEL] = (struct pollfd){
            .fd = worker->channel, .events = worker_is_sending(worker) ? POLLIN : 0};
        watched[count + BELL] = (struct pollfd){.fd = worker->bell, .events = POLLIN};
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
    if (scheduler->looked - scheduler->collected >= COLLECT_SECONDS)
        scheduler->collected = scheduler->looked;
    const struct pollfd *seen = watched;
    for (unsigned i = 0; i < slots->count; i++) {
        if (!slots->items[i].worker.busy)
            continue;
        look_at(scheduler, &slots->items[i], (seen[CHANNEL].revents | seen[BELL].revents) != 0,
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
    const size_t solved = scheduler->sink->tally.ended[STATUS_solved];
    char note[64];
    snprintf(note, sizeof note, "%zu solved, %zu not", solved, finished - solved);
    scheduler->display->advance(scheduler->display, finished, note);
}

/* Shows others that this process lives: rows alone may be hours apart. */
static void give_sign(struct scheduler *scheduler)
{
    if (scheduler->looked - scheduler->beaten < BEAT_SECONDS)
        return;
    scheduler->beaten = scheduler->looked;
    folder_beat(scheduler->sink->folder);
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
        give_sign(scheduler);
        if (machine_watch_due(scheduler->watch))
            machine_watch_look(scheduler->watch, slots_own_seconds(scheduler->slots));
    }
    if (!row_sink_sync(scheduler->sink, true))
        scheduler->failed = true;
}

enum ending scheduler_run(struct scheduler *scheduler)
{
    SCOPED struct pollfd *watched = heap_take(3 * (size_t)scheduler->slots->count, sizeof *watched);
    pace_start(&scheduler->pace, scheduler->queue->runs->solvers);
    machine_watch_start(scheduler->watch, scheduler->display, slots_own_seconds(scheduler->slots));
    workers_allow(scheduler->slots->count);
    scheduler->oom_kills = cgroup_oom_kills(CGROUP_ROOT, CGROUP_SELF);
    scheduler->looked = scheduler->sink->synced = scheduler->beaten = clock_wall();
    folder_beat(scheduler->sink->folder);
    run_all(scheduler, watched);
    machine_watch_finish(scheduler->watch, slots_own_seconds(scheduler->slots));
    slots_stop(scheduler->slots);
    pace_end(&scheduler->pace);
    return scheduler->failed                                      ? ENDING_FAILED
           : scheduler->queue->finished < scheduler->queue->total ? ENDING_INTERRUPTED
                                                                  : ENDING_DONE;
}
