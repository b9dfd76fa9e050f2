#include "harness/text/display.h"
#include "base/heap.h"
#include <stdarg.h>
#include <stdio.h>

void display_say(struct display *display, const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0)
        heap_exhausted();
    va_end(values);
    char *line = heap_format("tilelab: %s\n", text);
    display->show(display, line);
    free(line);
    free(text);
}
