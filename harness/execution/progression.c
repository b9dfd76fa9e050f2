#include "harness/execution/progression.h"
#include "base/clock.h"
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/results/messages.h"
#include "harness/results/record.h"
#include "harness/results/verdict.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A job's worker process, or the next one in its place. */
struct crew {
    struct worker worker;
    bool closed;        /* no process can be had for it */
    unsigned warm_left; /* warm-up runs it still has to make */
    double since;       /* on clock_wall(): when it was last free */
    double sync_time;   /* the progression's, then */
};

/* When the machine is first looked at for noise, and how often from then on. */
#define FIRST_LOOK_SECONDS 1.0
#define LOOK_SECONDS       5.0

/* How long to wait for news from the workers, and after how long without a look at them this
 * process was not running itself: stopped, suspended, or waiting for a disk. */
enum { WAIT_MS = 100 };
#define ABSENT_SECONDS 1.0

static volatile sig_atomic_t interrupts;

static void count_interrupt(int signal)
{
    (void)signal;
    interrupts = interrupts + 1;
    if (interrupts > 1)
        _exit(EXIT_INTERRUPTED);
}

static void say_row(struct progression *progression, const struct run *run, const char *what,
                    const char *why)
{
    const struct instance *instance = &progression->experiment->instances.items[run->instance];
    progress_clear(&progression->progress);
    fprintf(stderr, "tilelab: %s: %s on %s/%s: %s\n", what,
            progression->experiment->solvers[run->solver].text, instance->set, instance->name, why);
}

/* Keeps a row's message beside the rows. */
static void keep_message(struct progression *progression, const struct record *record,
                         const char *message)
{
    const char *why;
    if (messages_add(progression->folder.path, record->run_id, record->finished_at,
                     status_rows[record->result->status].name, message, &why)) {
        progression->messages++;
        return;
    }
    progress_clear(&progression->progress);
    fprintf(stderr, "tilelab: the message cannot be kept in %s/%s: %s\n", progression->folder.path,
            MESSAGES_FILE, why);
}

/* What does not stand of a result, in heap memory; NULL when all does. `elapsed` is the time since
 * the run was begun, in seconds. */
static char *verify(struct progression *progression, size_t number, double elapsed,
                    struct result *result)
{
    const struct run run = experiment_run(progression->experiment, number);
    const struct experiment_solver *solver = &progression->experiment->solvers[run.solver];
    const struct instance *instance = &progression->experiment->instances.items[run.instance];
    char *why = verify_cells(&solver->solver, instance, &solver->limits, elapsed, result);
    if (why == NULL)
        why = verify_result(&solver->solver, instance, result);
    if (why == NULL)
        why = cross_check(progression->cross, number, result);
    if (why != NULL)
        say_row(progression, &run,
                result->status == STATUS_wrong_answer ? "wrong answer" : "not repeatable", why);
    return why;
}

/* Writes the row of a result, and `why` it is what it is beside it; NULL for nothing to say. The
 * result is ended. */
static void finish_run(struct progression *progression, size_t number, struct result *result,
                       const char *why)
{
    const struct experiment *experiment = progression->experiment;
    const struct run run = experiment_run(experiment, number);
    const struct experiment_solver *solver = &experiment->solvers[run.solver];
    const struct instance *instance = &experiment->instances.items[run.instance];
    char time[32];
    progression->findings += why != NULL;
    record_time(time);
    struct record record = {.experiment = experiment->name,
                            .instance = instance,
                            .solver = &solver->solver,
                            .order = experiment->order,
                            .repetition = run.repetition,
                            .limits = &solver->limits,
                            .result = result,
                            .host = progression->host,
                            .finished_at = time};
    record_run_id(instance, solver->text, experiment->order, &solver->limits, run.repetition,
                  record.run_id);
    if (why != NULL)
        keep_message(progression, &record, why);
    char *line = record_line(&record, progression->all_moves);
    if (folder_append(&progression->folder, line)) {
        progression->done[number] = true;
        progression->finished++;
        progression->solved += result->status == STATUS_solved;
        progression->again += status_rows[result->status].made_again;
    } else {
        progress_clear(&progression->progress);
        fprintf(stderr,
                "tilelab: a row cannot be written to %s/runs.csv: %s; the rows before it are safe, "
                "the same command goes on from there\n",
                progression->folder.path, strerror(errno));
        progression->code = EXIT_FAILED;
    }
    free(line);
    result_end(result);
}

/* Ends a worker's process and returns how it ended; heap memory. */
static char *stop(struct progression *progression, struct crew *crew)
{
    if (crew->worker.process != 0)
        progression->reaped += worker_cpu_seconds(&crew->worker);
    return worker_stop(&crew->worker);
}

/* A worker died or hangs: its run's row says so. A warm-up has no row. */
static void bury(struct progression *progression, struct crew *crew, const char *reason)
{
    struct result result = {.status = STATUS_crashed, .h_start = -1};
    const size_t number = crew->worker.run;
    const bool warming = crew->worker.warming;
    const struct run run = experiment_run(progression->experiment, number);
    char *how = stop(progression, crew);
    const char *why = reason == NULL ? how : reason;
    say_row(progression, &run, warming ? "no more warm-up, as one crashed" : "crashed", why);
    if (warming)
        progression->no_warmup = true;
    else
        finish_run(progression, number, &result, why);
    free(how);
}

/* The worker is free from now on. `search_seconds` of the time since it last was are its search's;
 * negative: that time is no measure of anything. */
static void set_free(struct progression *progression, struct crew *crew, double search_seconds)
{
    const double now = clock_wall();
    const double syncing = progression->sync_time - crew->sync_time;
    if (search_seconds >= 0 && crew->since > 0)
        gsl_rstat_quantile_add(now - crew->since - syncing - search_seconds, progression->overhead);
    crew->since = now;
    crew->sync_time = progression->sync_time;
}

static void receive(struct progression *progression, struct crew *crew)
{
    struct result result;
    switch (worker_receive(&crew->worker, &result)) {
    case WORKER_PENDING:
        break;
    case WORKER_DONE:
        if (crew->worker.warming || result.status == STATUS_interrupted) {
            result_end(&result); /* no row: the next call makes an interrupted run again */
            set_free(progression, crew, -1);
        } else {
            const double elapsed = clock_wall() - crew->worker.sent;
            char *why = verify(progression, crew->worker.run, elapsed, &result);
            const double seconds = result.wall_seconds;
            finish_run(progression, crew->worker.run, &result, why);
            set_free(progression, crew, why == NULL ? seconds : -1);
            free(why);
        }
        break;
    case WORKER_GONE:
        bury(progression, crew, NULL);
        break;
    }
}

/* The next run that has no row yet; false when there is none, or none is to be started any more. */
static bool next_run(struct progression *progression, size_t *run)
{
    while (progression->next < progression->total &&
           progression->done[progression->order[progression->next]])
        progression->next++;
    if (progression->next == progression->total || progression->code != EXIT_DONE || interrupts > 0)
        return false;
    *run = progression->order[progression->next];
    return true;
}

/* The system refuses another process: the jobs that have one go on alone. */
static void do_with_fewer(struct progression *progression, struct crew *crew)
{
    const char *why = strerror(errno);
    unsigned workers = 0;
    crew->closed = true;
    for (unsigned i = 0; i < progression->jobs; i++) {
        /* Those that were never started would be refused as well. */
        if (&progression->crew[i] > crew && progression->crew[i].worker.process == 0)
            progression->crew[i].closed = true;
        workers += progression->crew[i].worker.process != 0;
    }
    if (workers > 0 && progression->fewer_told)
        return;
    progression->fewer_told = true;
    progress_clear(&progression->progress);
    if (workers > 0) {
        fprintf(stderr, "tilelab: only %u worker process%s can be started: %s; going on with %u\n",
                workers, workers == 1 ? "" : "es", why, workers);
        return;
    }
    fprintf(stderr,
            "tilelab: no worker process can be started: %s; see ulimit -n and ulimit -u, the same "
            "command goes on from there\n",
            why);
    progression->code = EXIT_FAILED;
}

static bool start(struct progression *progression, struct crew *crew)
{
    const struct experiment *experiment = progression->experiment;
    const size_t job = (size_t)(crew - progression->crew);
    const int processor =
        progression->processors == NULL ? ANY_PROCESSOR : (int)progression->processors[job];
    if (crew->closed)
        return false;
    if (!worker_start(&crew->worker, experiment, processor)) {
        do_with_fewer(progression, crew);
        return false;
    }
    crew->warm_left = progression->no_warmup ? 0 : experiment->warmup;
    crew->since = 0; /* the start of a process is not a run's overhead */
    return true;
}

/* Gives every idle worker a run, as long as there are any. Returns the number of busy workers. */
static unsigned hand_out(struct progression *progression)
{
    unsigned busy = 0;
    size_t run;
    for (unsigned i = 0; i < progression->jobs; i++) {
        struct crew *crew = &progression->crew[i];
        if (!crew->worker.busy && next_run(progression, &run) &&
            (crew->worker.process != 0 || start(progression, crew))) {
            const bool warming = crew->warm_left > 0;
            if (warming) {
                crew->warm_left--;
                run = progression->order[progression->warmed++ % progression->total];
            } else {
                progression->next++;
            }
            if (!worker_send(&crew->worker, progression->experiment, run, warming))
                bury(progression, crew, NULL);
        }
        busy += crew->worker.busy;
    }
    return busy;
}

/* Reads what a worker has sent, and judges it: ended in the middle of its answer, or late with it.
 * One that is sending is not late. */
static void look_at(struct progression *progression, struct crew *crew, bool has_sent, bool ended)
{
    const struct worker *worker = &crew->worker;
    if (ended || has_sent)
        receive(progression, crew);
    if (worker->busy && ended)
        bury(progression, crew, NULL);
    else if (worker->busy && !has_sent && worker->deadline > 0 &&
             progression->looked > worker->deadline)
        bury(progression, crew, "no answer long after its time limit");
}

/* The time that this process was not running, since it last looked at the workers, is not theirs:
 * a worker whose answer nobody reads cannot send it, and most often it was stopped as well. */
static void forgive_absence(struct progression *progression)
{
    const double now = clock_wall();
    const double absent = now - progression->looked;
    progression->looked = now;
    for (unsigned i = 0; i < progression->jobs && absent > ABSENT_SECONDS; i++)
        if (progression->crew[i].worker.busy && progression->crew[i].worker.deadline > 0)
            progression->crew[i].worker.deadline += absent;
}

/* Waits for news from the workers, or for a moment. False when that cannot be done. */
static bool wait_for_news(struct progression *progression, struct pollfd *watched)
{
    enum { CHANNEL, PROCESS, WATCHED };
    nfds_t count = 0;
    for (unsigned i = 0; i < progression->jobs; i++) {
        const struct worker *worker = &progression->crew[i].worker;
        if (!worker->busy)
            continue;
        watched[count + CHANNEL] = (struct pollfd){.fd = worker->channel, .events = POLLIN};
        watched[count + PROCESS] = (struct pollfd){.fd = worker->handle, .events = POLLIN};
        count += WATCHED;
    }
    if (poll(watched, count, WAIT_MS) < 0) {
        if (errno == EINTR)
            return true;
        progress_clear(&progression->progress);
        fprintf(stderr, "tilelab: the workers cannot be watched: %s; the same command goes on\n",
                strerror(errno));
        progression->code = EXIT_FAILED;
        return false;
    }
    forgive_absence(progression);
    const struct pollfd *seen = watched;
    for (unsigned i = 0; i < progression->jobs; i++) {
        if (!progression->crew[i].worker.busy)
            continue;
        look_at(progression, &progression->crew[i], seen[CHANNEL].revents != 0,
                seen[PROCESS].revents != 0);
        seen += WATCHED;
    }
    return true;
}

/* Puts the rows on the disk when it is time to, or in any case. */
static void sync_rows(struct progression *progression, bool in_any_case)
{
    const double now = clock_wall();
    if (!in_any_case && now - progression->synced < progression->sync_seconds)
        return;
    progression->synced = now;
    if (progression->messages > 0 && !messages_sync(progression->folder.path)) {
        progress_clear(&progression->progress);
        fprintf(stderr, "tilelab: %s/%s cannot be put on the disk: %s\n", progression->folder.path,
                MESSAGES_FILE, strerror(errno));
    }
    char *wrong = folder_sync(&progression->folder);
    if (wrong != NULL) {
        progress_clear(&progression->progress);
        fprintf(stderr, "tilelab: %s\n", wrong);
        progression->code = EXIT_FAILED;
    }
    free(wrong);
    progression->sync_time += clock_wall() - now;
}

/* The processor time of this program and its workers. */
static double own_seconds(const struct progression *progression)
{
    double seconds = clock_cpu() + progression->reaped;
    for (unsigned i = 0; i < progression->jobs; i++)
        if (progression->crew[i].worker.process != 0)
            seconds += worker_cpu_seconds(&progression->crew[i].worker);
    return seconds;
}

static void look_for_noise(struct progression *progression)
{
    char *disturbed = noise_look(&progression->noise, own_seconds(progression));
    progression->look_again = clock_wall() + LOOK_SECONDS;
    if (disturbed == NULL)
        return;
    progress_clear(&progression->progress);
    fprintf(stderr, "tilelab: %s; counters are exact all the same, times may not be\n", disturbed);
    free(disturbed);
}

static void run_all(struct progression *progression, struct pollfd *watched)
{
    bool asked = false;
    while (hand_out(progression) > 0) {
        if (interrupts > 0 && !asked) {
            asked = true;
            for (unsigned i = 0; i < progression->jobs; i++)
                if (progression->crew[i].worker.busy)
                    worker_interrupt(&progression->crew[i].worker);
        }
        char note[64];
        snprintf(note, sizeof note, "%zu solved, %zu not", progression->solved,
                 progression->finished - progression->solved);
        progress_show(&progression->progress, progression->finished, note);
        if (!wait_for_news(progression, watched))
            break;
        sync_rows(progression, false);
        if (clock_wall() > progression->look_again)
            look_for_noise(progression);
    }
    sync_rows(progression, true);
}

void progression_run(struct progression *progression)
{
    struct sigaction counting = {.sa_handler = count_interrupt};
    struct pollfd *watched = heap_take(2 * (size_t)progression->jobs, sizeof *watched);
    progression->crew = heap_take(progression->jobs, sizeof *progression->crew);
    progression->overhead = gsl_rstat_quantile_alloc(0.5);
    if (progression->overhead == NULL)
        heap_exhausted();
    sigaction(SIGINT, &counting, NULL);
    sigaction(SIGTERM, &counting, NULL);
    noise_start(&progression->noise, "", own_seconds(progression));
    progression->synced = clock_wall();
    progression->look_again = progression->synced + FIRST_LOOK_SECONDS;
    progress_start(&progression->progress, progression->total == 1 ? "run" : "runs",
                   progression->finished, progression->total, progression->quiet);
    workers_allow(progression->jobs);
    progression->looked = clock_wall();
    run_all(progression, watched);
    /* What a short experiment was disturbed by would else go unseen. */
    if (clock_wall() - progression->noise.looked > FIRST_LOOK_SECONDS / 2)
        look_for_noise(progression);
    progress_clear(&progression->progress);
    for (unsigned i = 0; i < progression->jobs; i++)
        free(stop(progression, &progression->crew[i]));
    free(progression->crew);
    free(watched);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

double progression_overhead(const struct progression *progression)
{
    if (progression->overhead == NULL || progression->overhead->n == 0)
        return -1;
    return gsl_rstat_quantile_get(progression->overhead);
}

void progression_end(struct progression *progression)
{
    if (progression->overhead != NULL)
        gsl_rstat_quantile_free(progression->overhead);
    progression->overhead = NULL;
}
