/* Worker processes: where searches run, so that a crash costs one run.
 *
 * A worker is a fork of the program. It serves one run after the other: the parent sends a run, the
 * worker searches and sends back what it counted and the path that it claims. If anything else
 * happens to it (a signal, an exit, a hang beyond the time limit), the parent notices and replaces
 * it. */
#ifndef EXECUTION_WORKER_H
#define EXECUTION_WORKER_H

#include "harness/results/run.h"
#include <sys/types.h>

struct worker {
    pid_t process; /* 0: none */
    int handle;    /* its pidfd, readable once it has ended; -1 if the system has none */
    int channel;   /* socket to the worker */
    bool busy;
    bool warming;    /* its current run is a warm-up */
    struct run run;  /* its current run */
    double sent;     /* on clock_wall(): when it got that run */
    double deadline; /* on clock_wall(): when it counts as hung; 0: never */
    char *received;  /* the part of the reply that has come; heap memory */
    size_t received_bytes;
};

enum { ANY_PROCESSOR = -1 };

/* How many file descriptors of this process a worker takes. */
enum { WORKER_DESCRIPTORS = 2 };

/* Raises this process's limit of open files as far as allowed, for `count` workers. */
void workers_allow(unsigned count);

/* Starts a worker process for searches that hold at most `max_bytes`, pinned to one processor
 * unless that is ANY_PROCESSOR. False with errno if the system refuses or would have no descriptor
 * left for anything else. */
bool worker_start(struct worker *worker, uint64_t max_bytes, int processor);

/* Gives an idle worker a run, perhaps as a warm-up. What the run points to must have existed,
 * unchanged, since the worker was started. False if the worker is gone. */
bool worker_send(struct worker *worker, const struct run *run, bool warming);

/* The processor time that a worker process has used so far, in seconds. */
double worker_cpu_seconds(const struct worker *worker);

enum worker_news { WORKER_PENDING, WORKER_DONE, WORKER_GONE };

/* Reads all that has come without waiting. DONE: the run's result is in `result` (the caller's to
 * end), the worker is idle. GONE: the process has ended or sent something that is not a reply;
 * worker_stop says how. */
enum worker_news worker_receive(struct worker *worker, struct result *result);

/* Asks a busy worker to end its search as `interrupted`. */
void worker_interrupt(const struct worker *worker);

/* Ends the process, by force if need be, and says how it ended in heap memory ("signal 11
 * (Segmentation fault)", "exit code 3"). *starved (may be NULL) says whether it ended because the
 * system refused it memory outside its search's arena. The worker is then ready for worker_start.
 */
char *worker_stop(struct worker *worker, bool *starved);

#endif
