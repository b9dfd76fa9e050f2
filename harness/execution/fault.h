/* Faults on purpose, so that tests can see what a crash costs.
 *
 * TILELAB_FAULT=KIND@N in the environment has the worker that gets run number N (from 0, not as a
 * warm-up) fail there, before it searches. The kinds:
 * - segv, abort, kill: that signal
 * - exit: exit code 7
 * - hang: waits for ever, deaf to interrupts
 * - stack: recursion without end
 * - memory: heap without end
 * - garbage: sends what is no reply
 * - short: sends half a reply and exits
 * - orphan: dies by SIGKILL and leaves a process behind that holds the socket open
 */
#ifndef EXECUTION_FAULT_H
#define EXECUTION_FAULT_H

#include <stddef.h>

/* Fails if the environment asks for it at this run; `channel` is the worker's socket. */
void fault_strike(size_t run, int channel);

#endif
