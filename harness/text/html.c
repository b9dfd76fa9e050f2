#include "harness/text/html.h"
#include "base/heap.h"
#include "base/report.h"
#include <stdint.h>

static void put_escaped(char character, FILE *file)
{
    switch (character) {
    case '&':
        fputs("&amp;", file);
        return;
    case '<':
        fputs("&lt;", file);
        return;
    case '>':
        fputs("&gt;", file);
        return;
    case '"':
        fputs("&quot;", file);
        return;
    case '\'':
        fputs("&#39;", file);
        return;
    default:
        putc(character, file);
    }
}

/* The character that a valid text begins with, and its bytes. */
static uint32_t character_of(const char *text, unsigned *bytes)
{
    const unsigned char *at = (const unsigned char *)text;
    *bytes = at[0] < 0x80 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    uint32_t character = *bytes == 1 ? at[0] : at[0] & (0x7Fu >> *bytes);
    for (unsigned i = 1; i < *bytes; i++)
        character = character << 6 | (at[i] & 0x3Fu);
    return character;
}

/* Whether a text begins with a letter of a script that is written from right to left: the blocks
 * that Unicode keeps for those. */
static bool is_leftward(const char *text)
{
    static const uint32_t blocks[][2] = {
        {0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}};
    unsigned bytes;
    const uint32_t character = character_of(text, &bytes);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (character >= blocks[i][0] && character <= blocks[i][1])
            return true;
    return false;
}

/* Words that stand beside each other are one stretch. */
static bool stretch_goes_on(const char *text)
{
    while (*text == ' ')
        text++;
    return is_leftward(text);
}

void html_text(const char *text, FILE *file)
{
    SCOPED char *shown = text_printable(text);
    bool isolated = false;
    unsigned bytes;
    for (const char *at = shown; *at != '\0'; at += bytes) {
        if (isolated ? !stretch_goes_on(at) : is_leftward(at)) {
            fputs(isolated ? "</bdi>" : "<bdi>", file);
            isolated = !isolated;
        }
        character_of(at, &bytes);
        for (unsigned i = 0; i < bytes; i++)
            put_escaped(at[i], file);
    }
    fputs(isolated ? "</bdi>" : "", file);
}

void html_plain(const char *text, FILE *file)
{
    SCOPED char *shown = text_printable(text);
    for (const char *at = shown; *at != '\0'; at++)
        put_escaped(*at, file);
}

void html_json(const char *text, FILE *file)
{
    SCOPED char *shown = text_printable(text);
    putc('"', file);
    for (const char *at = shown; *at != '\0'; at++) {
        if (*at == '<')
            fputs("\\u003c", file); /* </script> ends a script wherever it stands */
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else
            putc(*at, file);
    }
    putc('"', file);
}

/* What stands for the beginning of a text within a tag; NULL: itself. */
static const char *substitute(const char *at, size_t *length)
{
    static const struct {
        const char *old_text, *new_text;
    } rows[] = {
        {"a xlink:href=", "a tabindex=\"-1\" href="},
        {"xlink:href=", "href="},
        {"'Bitstream Vera Sans', 'Computer Modern Sans Serif', 'Lucida Grande', 'Verdana', "
         "'Geneva', 'Lucid', 'Arial', 'Helvetica', 'Avant Garde', sans-serif",
         "sans-serif"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *length = strlen(rows[i].old_text);
        if (strncmp(at, rows[i].old_text, *length) == 0)
            return rows[i].new_text;
    }
    return NULL;
}

/* Past an element that begins here, if it is one that a page does not need. */
static const char *past_unneeded(const char *at)
{
    static const char *const rows[][2] = {{"<metadata>", "</metadata>"}, {"<style", "</style>"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool begins = strncmp(at, rows[i][0], strlen(rows[i][0])) == 0;
        const char *end = begins ? strstr(at, rows[i][1]) : NULL;
        if (end != NULL)
            return end + strlen(rows[i][1]);
    }
    return at;
}

void html_picture(const char *svg, FILE *file)
{
    bool inside = false; /* a tag */
    const char *at = strstr(svg, "<svg");
    for (size_t length; at != NULL && *(at = past_unneeded(at)) != '\0'; at += length) {
        const char *other = inside ? substitute(at, &length) : NULL;
        if (other != NULL) {
            fputs(other, file);
            continue;
        }
        inside = *at == '<' || (inside && *at != '>');
        putc(*at == '\n' && inside ? ' ' : *at, file);
        length = *at == '\n' ? 1 + strspn(at + 1, " ") : 1;
    }
}
