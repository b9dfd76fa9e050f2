/* The progress of a long piece of work, a line on standard error when that is a terminal:
 *     [########........]  120 of 400 runs  96 solved, 24 not  0:12, 0:31 left */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct progress {
    const char *what; /* "runs" */
    size_t total;
    size_t before; /* how many were done at the start: they took no time */
    double started;
    double shown; /* when it was last drawn; 0: never */
    bool terminal;
};

/* Starts with `before` of `total` already done. `quiet`: shows nothing. */
void progress_start(struct progress *progress, const char *what, size_t before, size_t total,
                    bool quiet);

/* Draws the line, at most ten times a second: how many are done, `note` ("": none), the elapsed
 * time and, judging by this call's work, the time left. It fits the terminal. */
void progress_show(struct progress *progress, size_t done, const char *note);

/* Work of unknown length shows a line of text instead, after the first second. Whether it is time
 * for one: at most five times a second. */
bool progress_due(const struct progress *progress);
void progress_line(struct progress *progress, const char *text);

/* Removes the line from the screen, so that something else can be printed. */
void progress_clear(struct progress *progress);
