#include "harness/text/display.h"
#include "base/heap.h"

static void show(struct display *display, const char *format, va_list values)
{
    SCOPED char *text = heap_format_list(format, values);
    SCOPED char *line = heap_format("tilelab: %s\n", text);
    display->show(display, line);
}

void display_say(struct display *display, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    show(display, format, values);
    va_end(values);
}

void display_note(struct display *display, const char *format, ...)
{
    va_list values;
    if (display->quiet)
        return;
    va_start(values, format);
    show(display, format, values);
    va_end(values);
}
