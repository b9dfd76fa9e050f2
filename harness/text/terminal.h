/* The display on standard error: messages, and a progress line where that is a terminal. */
#pragma once

#include "harness/text/display.h"
#include "harness/text/progress.h"

struct terminal {
    struct display display; /* first, so that a pointer to it is a pointer to the whole */
    struct progress progress;
};

/* A display without a progress line: progress_start adds one. */
struct terminal terminal_make(void);
