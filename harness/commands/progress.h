/* The progress of a long piece of work, a line on standard error when that is a terminal:
 *     [########........]  120 of 400 runs  96 solved, 24 not  0:12, 0:31 left */
#ifndef COMMANDS_PROGRESS_H
#define COMMANDS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    const char *what; /* "runs" */
    size_t total;
    size_t before; /* how many were there when it began: they took none of its time */
    double started;
    double shown; /* when it was last drawn; 0: never */
    bool terminal;
};

/* Begins with `before` of `total` done already. `quiet` shows nothing anywhere. */
void progress_start(struct progress *progress, const char *what, size_t before, size_t total,
                    bool quiet);

/* Draws the line, ten times a second at most: how many are done, `note` ("" for nothing), the time
 * since it began and, as far as this call's work tells, the time left. It fits the terminal. */
void progress_show(struct progress *progress, size_t done, const char *note);

/* Work whose end is not known shows a line of text instead, from a second on: whether it is time
 * for one, five times a second at most. */
bool progress_due(const struct progress *progress);
void progress_line(struct progress *progress, const char *text);

/* Takes the bar off the screen, so that something else can be printed. */
void progress_clear(struct progress *progress);

#endif
