/* The progress bar of a long piece of work: on standard error, when that is a terminal. */
#ifndef EXECUTION_PROGRESS_H
#define EXECUTION_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    const char *what; /* "runs" */
    size_t total;
    double started;
    double shown; /* when it was last drawn; 0: never */
    bool terminal;
};

/* `quiet` shows nothing anywhere. */
void progress_start(struct progress *progress, const char *what, size_t total, bool quiet);

/* Draws the bar with the time that is left, ten times a second at most. `note` is shown behind it
 * ("" for nothing). */
void progress_show(struct progress *progress, size_t done, const char *note);

/* Work whose end is not known shows a line of text instead, from a second on: whether it is time
 * for one, five times a second at most. */
bool progress_due(const struct progress *progress);
void progress_line(struct progress *progress, const char *text);

/* Takes the bar off the screen, so that something else can be printed. */
void progress_clear(struct progress *progress);

#endif
