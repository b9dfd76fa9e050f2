/* The display on standard error: messages, and a progress line where that is a terminal. */
#ifndef COMMANDS_TERMINAL_H
#define COMMANDS_TERMINAL_H

#include "harness/commands/progress.h"
#include "harness/text/display.h"

struct terminal {
    struct display display; /* the first, so that a pointer to one is a pointer to the other */
    struct progress progress;
};

/* A display without a progress line: progress_start begins that. */
struct terminal terminal_make(void);

#endif
