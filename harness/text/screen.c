#include "harness/text/screen.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool wide;

void screen_wide(void)
{
    wide = true;
}

size_t screen_width(FILE *file)
{
    enum { USUAL = 80, MIN_WIDTH = 20 };
    struct winsize size;
    if (wide || !isatty(fileno(file)))
        return SIZE_MAX;
    const char *columns = getenv("COLUMNS");
    const long asked = columns == NULL ? 0 : strtol(columns, NULL, 10);
    if (asked >= MIN_WIDTH && asked <= INT16_MAX)
        return (size_t)asked;
    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col >= MIN_WIDTH)
        return size.ws_col;
    return USUAL;
}
