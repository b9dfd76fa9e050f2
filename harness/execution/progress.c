#include "harness/execution/progress.h"
#include "base/clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void progress_start(struct progress *progress, const char *what, size_t total, bool quiet)
{
    const char *kind = getenv("TERM");
    bool dumb = kind == NULL || strcmp(kind, "dumb") == 0;
    *progress = (struct progress){.what = what,
                                  .total = total,
                                  .started = clock_wall(),
                                  .terminal = !quiet && !dumb && isatty(STDERR_FILENO)};
}

void progress_show(struct progress *progress, size_t done, const char *note)
{
    enum { CELLS = 30 };
    double now = clock_wall();
    if (!progress->terminal || (progress->shown > 0 && now - progress->shown < 0.1))
        return;
    progress->shown = now;
    size_t filled = progress->total == 0 ? CELLS : done * CELLS / progress->total;
    char bar[CELLS + 1];
    for (size_t i = 0; i < CELLS; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[CELLS] = '\0';
    fprintf(stderr, "\r[%s] %zu of %zu %s", bar, done, progress->total, progress->what);
    if (done > 0 && now - progress->started > 0.5) {
        double left = (now - progress->started) / (double)done * (double)(progress->total - done);
        long seconds = (long)(left + 0.5);
        if (seconds < 3600)
            fprintf(stderr, ", %ld:%02ld left", seconds / 60, seconds % 60);
        else
            fprintf(stderr, ", %ld:%02ld:%02ld left", seconds / 3600, seconds / 60 % 60,
                    seconds % 60);
    }
    fprintf(stderr, "%s%s\x1b[K", note[0] == '\0' ? "" : "  ", note);
    fflush(stderr);
}

bool progress_due(const struct progress *progress)
{
    if (!progress->terminal)
        return false;
    const double now = clock_wall();
    return now - progress->started >= 1 && now - progress->shown >= 0.2;
}

void progress_line(struct progress *progress, const char *text)
{
    progress->shown = clock_wall();
    fprintf(stderr, "\r%s\x1b[K", text);
    fflush(stderr);
}

void progress_clear(struct progress *progress)
{
    if (progress->terminal && progress->shown > 0)
        fputs("\r\x1b[K", stderr);
    progress->shown = 0;
}
