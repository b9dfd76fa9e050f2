/* Signals that ask for an end (Ctrl-C, SIGTERM, and SIGUSR1, which clusters send some time before
 * it) are noted while a piece of work looks for them, so that it can end cleanly. */
#pragma once

#include <signal.h>

/* Whether one came since interrupt_start. */
extern volatile sig_atomic_t interrupted;

/* From here to interrupt_end such a signal does no more than set `interrupted`. One piece of work
 * at a time. */
void interrupt_start(void);
void interrupt_end(void);
