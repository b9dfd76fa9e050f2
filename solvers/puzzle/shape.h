/* The shape of a board: W x H cells, numbered row by row from 0 at the top left. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { MAX_CELLS = 36, MIN_SIDE = 2, MAX_SIDE = 18 };

struct shape {
    uint8_t width;
    uint8_t height;
    uint8_t cells; /* width * height */
};

/* Makes a shape. False unless both sides are at least 2 and there are at most 36 cells. */
bool shape_make(unsigned width, unsigned height, struct shape *shape);

/* Reads "WxH" (columns x rows) with nothing before or after it. False if it is not a shape. */
bool shape_parse(const char *text, struct shape *shape);

static inline bool shape_equal(struct shape a, struct shape b)
{
    return a.width == b.width && a.height == b.height;
}

/* The distance between two cells, horizontal plus vertical. */
static inline unsigned shape_distance(struct shape shape, unsigned a, unsigned b)
{
    int columns = (int)(a % shape.width) - (int)(b % shape.width);
    int rows = (int)(a / shape.width) - (int)(b / shape.width);
    return (unsigned)((columns < 0 ? -columns : columns) + (rows < 0 ? -rows : rows));
}
