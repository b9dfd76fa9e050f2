/* Where a long piece of work shows what it does: messages and progress.
 *
 * The code that does the work knows only this interface; text/terminal.h implements it on
 * standard error. */
#pragma once

#include "base/compiler.h"
#include <stdbool.h>
#include <stddef.h>

struct display {
    /* Shows whole lines, line ends included. */
    void (*show)(struct display *display, const char *lines);

    /* Shows that `done` pieces are done; `note` ("": none) is shown with it. */
    void (*advance)(struct display *display, size_t done, const char *note);

    bool quiet; /* shows errors alone */
};

/* Shows a message: the program's name, the text made as printf would, a line end. */
void display_say(struct display *display, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for a message of what is no error: a quiet display does not show it. */
void display_note(struct display *display, const char *format, ...) PRINTF_LIKE(2, 3);
