#include "harness/commands/terminal.h"
#include <stdio.h>

static void show(struct display *display, const char *lines)
{
    struct terminal *terminal = (struct terminal *)display;
    progress_clear(&terminal->progress);
    fputs(lines, stderr);
}

static void advance(struct display *display, size_t done, const char *note)
{
    struct terminal *terminal = (struct terminal *)display;
    progress_show(&terminal->progress, done, note);
}

struct terminal terminal_make(void)
{
    return (struct terminal){.display = {.show = show, .advance = advance}};
}
