#include "harness/text/terminal.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/text/screen.h"

/* Lines that are too long for the terminal go on indented. */
static void print_lines(const char *lines)
{
    const size_t width = screen_width(stderr);
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n");
        SCOPED char *line = heap_format("%.*s", (int)length, lines);
        SCOPED char *shown = text_printable(line);
        screen_print(shown, 0, (int)strspn(shown, " ") + 2, width, stderr);
        putc('\n', stderr);
        lines += length + (lines[length] == '\n');
    }
}

static void show(struct display *display, const char *lines)
{
    struct terminal *terminal = (struct terminal *)display;
    progress_clear(&terminal->progress);
    print_lines(lines);
}

static void advance(struct display *display, size_t done, const char *note)
{
    struct terminal *terminal = (struct terminal *)display;
    SCOPED char *shown = text_printable(note);
    progress_show(&terminal->progress, done, shown);
}

struct terminal terminal_make(void)
{
    return (struct terminal){.display = {.show = show, .advance = advance}};
}
