#include "puzzle/shape.h"
#include <ctype.h>
#include <stdlib.h>

bool shape_make(unsigned width, unsigned height, struct shape *shape)
{
    if (width < MIN_SIDE || height < MIN_SIDE || width > MAX_SIDE || height > MAX_SIDE ||
        width * height > MAX_CELLS)
        return false;
    *shape = (struct shape){(uint8_t)width, (uint8_t)height, (uint8_t)(width * height)};
    return true;
}

bool shape_parse(const char *text, struct shape *shape)
{
    if (!isdigit((unsigned char)text[0]))
        return false;
    char *end;
    unsigned long width = strtoul(text, &end, 10);
    if ((*end != 'x' && *end != 'X') || !isdigit((unsigned char)end[1]))
        return false;
    unsigned long height = strtoul(end + 1, &end, 10);
    return *end == '\0' && width <= MAX_SIDE && height <= MAX_SIDE &&
           shape_make((unsigned)width, (unsigned)height, shape);
}
