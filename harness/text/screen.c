#include "harness/text/screen.h"
#include "base/heap.h"
#include "base/report.h"
#include <locale.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

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

/* The text with '?' for what could control a terminal, but with its line ends; heap memory. */
static char *harmless(const char *text)
{
    char *shown = heap_text("");
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        SCOPED char *line = heap_format("%.*s", (int)length, text);
        SCOPED char *printable = text_printable(line);
        heap_append(&shown, text[length] == '\n' ? "%s\n" : "%s", printable);
        text += length + (text[length] == '\n');
    }
    return shown;
}

void screen_say(FILE *file, const char *format, ...)
{
    SCOPED char *text = FORMATTED(format);
    SCOPED char *shown = harmless(text);
    fputs(shown, file);
}

void screen_data(FILE *file, const char *format, ...)
{
    SCOPED char *text = FORMATTED(format);
    if (isatty(fileno(file)))
        screen_say(file, "%s", text);
    else
        fputs(text, file);
}

size_t screen_cell(const char *text)
{
    enum { FIRST_ODD = 0x300 }; /* all before it are one cell wide */
    static locale_t unicode;
    const unsigned char *at = (const unsigned char *)text;
    const size_t more = at[0] < 0xC0 ? 0 : at[0] < 0xE0 ? 1 : at[0] < 0xF0 ? 2 : 3;
    wint_t code = (wint_t)(at[0] & (more == 0 ? 0x7F : 0x3F >> more));
    if ((at[0] & 0xC0) == 0x80)
        return 0;
    for (size_t i = 1; i <= more && (at[i] & 0xC0) == 0x80; i++)
        code = code << 6 | (at[i] & 0x3FU);
    if (code < FIRST_ODD)
        return 1;
    if (unicode == 0)
        unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", 0);
    const locale_t before = unicode == 0 ? 0 : uselocale(unicode);
    const int width = unicode == 0 ? 1 : wcwidth((wchar_t)code);
    if (unicode != 0)
        uselocale(before);
    return width < 0 ? 1 : (size_t)width;
}

size_t screen_cells(const char *text, size_t bytes)
{
    size_t cells = 0;
    for (size_t i = 0; i < bytes; i++)
        cells += screen_cell(text + i);
    return cells;
}

void screen_print(const char *text, int column, int indent, size_t width, FILE *file)
{
    size_t filled = (size_t)column;
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        const size_t cells = screen_cells(at, length);
        if (at != text && filled + 1 + cells > width) {
            fprintf(file, "\n%*s", indent, "");
            filled = (size_t)indent;
        } else if (at != text) {
            putc(' ', file);
            filled++;
        }
        fprintf(file, "%.*s", (int)length, at);
        filled += cells;
        at += length + (at[length] == ' ');
    }
}
