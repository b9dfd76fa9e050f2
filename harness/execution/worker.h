/* Worker processes: where searches run, so that a crash costs one run.
 *
 * A worker is a fork of the program. It serves one batch of runs after the other: the parent sends
 * the runs, the worker makes them in order and sends, after each, what it counted and the path that
 * it claims. It rings a bell when the batch is at its end, so that the parent is not woken for each
 * of many short runs; what was sent stays with the system even if the worker dies. If anything else
 * happens to it (a signal, an exit, a hang beyond the time limit), the parent notices and replaces
 * it: the run that was under way is lost, later ones can be given to another worker. An
 * external solver is a child of its worker, which ends it with all that it started. */
#pragma once

#include "harness/external/events.h"
#include "harness/results/run.h"

/* Runs that a worker makes one after the other. It ends a batch early, as soon as the searches of
 * it took more than BATCH_SECONDS of processor time: the later runs were not made. */
#define BATCH_SECONDS 0.002
enum { BATCH_RUNS = 64 };
struct batch {
    struct run runs[BATCH_RUNS];
    unsigned count;
    unsigned made; /* of these, the results were received; the next is under way */
    /* Only runs have rows; joined ones have theirs in another shard. */
    enum batch_kind { BATCH_OF_RUNS, BATCH_WARM_UP, BATCH_CONTROL, BATCH_JOINED } kind;
};

struct worker {
    pid_t process; /* 0: none */
    int handle;    /* its pidfd, readable once it has ended; -1 if the system has none */
    int channel;   /* socket to the worker */
    int bell;      /* eventfd, readable when replies wait in the channel */
    bool busy;
    unsigned events;    /* bit i: event i of each run is counted; of the caller, after the start */
    struct batch batch; /* its current one, or the last */
    double since;       /* on clock_wall(): no later than the start of the run under way */
    double deadline;    /* on clock_wall(): when that run counts as hung; 0: never */
    char *received;     /* what has come; heap memory */
    size_t received_bytes, room;
    size_t taken; /* bytes of it that were replies already returned */
};

/* How many file descriptors of this process a worker takes. */
enum { WORKER_DESCRIPTORS = 3 };

/* Raises this process's limit of open files as far as allowed, for `count` workers. */
void workers_allow(unsigned count);

/* Where searches keep what they have done, so that it is not lost with a process. */
struct keeping {
    const char *folder; /* of results: there are checkpoints in it .. */
    double seconds;     /* .. so often; 0: there are none */
    const char *shared; /* each search is shared through SHARED/RUN_ID (sharing.h), .. */
    unsigned parts;     /* .. its large rounds in so many parts; NULL: it is not */
};

/* Workers that are started from now on do so; the texts must remain. A search that is shared has no
 * checkpoints. */
void workers_keep(struct keeping keeping);

/* Starts a worker process for searches that hold at most `max_bytes`, pinned to `count` processors
 * unless they are NULL. False with errno if the system refuses or would have no descriptor left for
 * anything else. */
bool worker_start(struct worker *worker, uint64_t max_bytes, const unsigned *processors,
                  unsigned count);

/* Gives an idle worker the runs in its `batch`, of which the caller has filled in `runs`, `count`
 * and `kind`. What the runs point to must have existed, unchanged, since the worker was started.
 * False if the worker is gone. */
bool worker_send(struct worker *worker);

/* The processor time that a worker process has used so far, in seconds. */
double worker_cpu_seconds(const struct worker *worker);

/* Whether only a part of a reply has come: the rest comes without a bell. */
bool worker_is_sending(const struct worker *worker);

/* Notes that the bell was heard, before what it rang for is received. */
void worker_hear(const struct worker *worker);

enum worker_news { WORKER_PENDING, WORKER_DONE, WORKER_GONE };

/* Takes the next reply without waiting for it. DONE: `made` rose by one; that run's result, made in
 * at most `elapsed` seconds, is in `result`, and what else an external solver said in `answer` (the
 * caller ends both), what was counted of events in `events`. The worker is no longer busy if it was
 * the batch's last. GONE: the process has ended or sent something that is not a reply; worker_stop
 * says how. */
enum worker_news worker_receive(struct worker *worker, struct result *result, struct answer *answer,
                                uint64_t events[EVENTS], double *elapsed);

/* Asks a busy worker to end its search as `interrupted`, and its batch with it. */
void worker_interrupt(const struct worker *worker);

/* Ends the process, by force if need be, and says how it ended in heap memory ("signal 11
 * (Segmentation fault)", "exit code 3"). *meaning (may be NULL) is what that makes of the run under
 * way: out_of_memory where the system refused it memory outside its search's arena, lost where
 * somebody else killed it (SIGKILL), else crashed. The worker is then ready for worker_start. */
char *worker_stop(struct worker *worker, enum status *meaning);
