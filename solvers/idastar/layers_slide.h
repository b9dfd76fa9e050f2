/* Boards of 4x4 in vectors, for idastar/layers_body.h: tiles of four bits, of one board in each
 * lane. */
#pragma once

#include "idastar/layers.h"

enum { WIDTH = 4, CELLS = 16, TILE_BITS = 4 };

typedef uint64_t word;

static const struct shape shape = {WIDTH, CELLS / WIDTH, CELLS};

/* Slides a tile from cell `from`: the bits of the blank are 0 before and after. */
KERNEL vector slid(vector tiles, unsigned cell, unsigned from)
{
    const vector tile = tiles & (word)15 << TILE_BITS * from;
    const vector moved =
        cell > from ? tile << TILE_BITS * (cell - from) : tile >> TILE_BITS * (from - cell);
    return tiles ^ tile ^ moved;
}
