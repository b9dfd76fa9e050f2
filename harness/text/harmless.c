#include "harness/text/harmless.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The character at `text`, and how many bytes it has; a byte that is not UTF-8 is U+FFFD of length
 * 1. */
static uint32_t character_at(const unsigned char *text, size_t *length)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; /* by length */
    const unsigned char first = text[0];
    const size_t expected = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint32_t code = expected == 1 ? first : first & (0x7Fu >> expected);
    size_t read = 1;
    while (read < expected && (text[read] & 0xC0) == 0x80)
        code = code << 6 | (text[read++] & 0x3F);
    const bool good = read == expected && (first < 0x80 || (first >= 0xC2 && first < 0xF5)) &&
                      code >= smallest[expected] && code < 0x110000 &&
                      (code < 0xD800 || code > 0xDFFF);
    *length = good ? expected : 1;
    return good ? code : 0xFFFD;
}

static bool is_harmless(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     {0x61C, 0x61C},   {0x200E, 0x200F},
        {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFFFD, 0xFFFD},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return false;
    return true;
}

void harmless(char *text)
{
    char *to = text;
    size_t length;
    for (const char *from = text; *from != '\0'; from += length) {
        if (is_harmless(character_at((const unsigned char *)from, &length))) {
            memmove(to, from, length);
            to += length;
        } else {
            *to++ = '?';
        }
    }
    *to = '\0';
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += (*text & 0xC0) != 0x80;
    return width;
}
