#include "harness/text/progress.h"
#include "base/clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void progress_start(struct progress *progress, const char *what, size_t before, size_t total,
                    bool quiet)
{
    const char *kind = getenv("TERM");
    bool dumb = kind == NULL || strcmp(kind, "dumb") == 0;
    *progress = (struct progress){.what = what,
                                  .total = total,
                                  .before = before,
                                  .started = clock_wall(),
                                  .terminal = !quiet && !dumb && isatty(STDERR_FILENO)};
}

/* A time as 0:07, 12:31 or 1:02:09. */
static const char *clock_text(double seconds, char text[32])
{
    const long whole = (long)(seconds + 0.5);
    if (whole < 3600)
        snprintf(text, 32, "%ld:%02ld", whole / 60, whole % 60);
    else
        snprintf(text, 32, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

/* The terminal's width in characters. */
static int terminal_width(void)
{
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

void progress_show(struct progress *progress, size_t done, const char *note)
{
    enum { CELLS = 30, FEWEST_CELLS = 8 };
    const double now = clock_wall();
    if (!progress->terminal || (progress->shown > 0 && now - progress->shown < 0.1))
        return;
    progress->shown = now;
    const double elapsed = now - progress->started;
    const size_t here = done > progress->before ? done - progress->before : 0;
    char time[32];
    char left[48] = "";
    if (here > 0 && elapsed > 0.5)
        snprintf(left, sizeof left, ", %s left",
                 clock_text(elapsed / (double)here * (double)(progress->total - done), time));
    char text[256];
    const int length = snprintf(text, sizeof text, "%zu of %zu %s  %s%s", done, progress->total,
                                progress->what, note, note[0] == '\0' ? "" : "  ");
    snprintf(text + length, sizeof text - (size_t)length, "%s%s", clock_text(elapsed, time), left);
    /* The bar takes the room that is left; a line that is too long is cut so that it does not wrap.
     */
    const int width = terminal_width() - 1;
    int cells = width - (int)strlen(text) - (int)strlen("[]  ");
    cells = cells > CELLS ? CELLS : cells;
    char bar[CELLS + 1] = "";
    if (cells >= FEWEST_CELLS) {
        const size_t filled =
            progress->total == 0 ? (size_t)cells : done * (size_t)cells / progress->total;
        memset(bar, '#', filled);
        memset(bar + filled, '.', (size_t)cells - filled);
        bar[cells] = '\0';
        fprintf(stderr, "\r[%s]  %s\x1b[K", bar, text);
    } else {
        fprintf(stderr, "\r%.*s\x1b[K", width, text);
    }
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
