#include "harness/text/display.h"
#include "base/heap.h"

static void show(struct display *display, const char *text)
{
    SCOPED char *line = heap_format("tilelab: %s\n", text);
    display->show(display, line);
}

void display_say(struct display *display, const char *format, ...)
{
    SCOPED char *text = FORMATTED(format);
    show(display, text);
}

void display_note(struct display *display, const char *format, ...)
{
    if (display->quiet)
        return;
    SCOPED char *text = FORMATTED(format);
    show(display, text);
}
