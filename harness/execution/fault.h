/* Deliberate faults, so that tests can see what a crash or a lie costs.
 *
 * Only the program `tilelab-faulty`, which the build makes for the tests and does not install, has
 * them (tests/faults.c); in `tilelab` these functions do nothing and ignore the environment.
 * TILELAB_FAULT=KIND@N makes the worker fail that gets run number N (from 0, not as a warm-up).
 * Before it searches:
 * - segv, abort, kill: that signal
 * - exit: exit code 7
 * - hang: waits for ever and ignores interrupts
 * - stack: recursion without end
 * - memory: heap without end
 * - starve: searches, but there is no memory left and the system refuses more
 * - garbage: sends bytes that are not a reply
 * - short: sends half a reply and exits
 * - orphan: dies by SIGKILL and leaves a process that holds the socket open
 *
 * The lies, made after the search, are in FAULT_LIES of tests/faults.c: each falsifies one part of
 * an honest result. And fork@N: the system refuses the N-th worker process (from 0) and all after
 * it; late@N: the N-th one takes half a second to begin. */
#pragma once

#include "search/task.h"

/* Reads TILELAB_FAULT, once, before any worker is started. Returns what is wrong, in heap memory,
 * if it is set but not KIND@N; else NULL. */
char *fault_read(void);

/* The fault that was requested; NULL: none. */
const char *fault_asked(void);

/* Fails if that is requested for this run; `channel` is the worker's socket. */
void fault_strike(size_t run, int channel);

/* Falsifies the result of this run if that is requested. */
void fault_lie(size_t run, struct result *result);

/* Whether the next worker process is to be refused, with errno EAGAIN. */
bool fault_refuses_fork(void);

/* A worker process begins, and has no handlers of its own yet: takes its time if that is requested.
 */
void fault_starts_late(void);
