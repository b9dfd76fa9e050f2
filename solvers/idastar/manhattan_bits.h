/* The Manhattan distance on WIDTH x HEIGHT cells for a subtree counter (idastar/subtree_body.h), as
 * bits that say which slides shorten it (idastar/slide_bits.h). Whether h falls with a move is one
 * test of a constant bit; whether it can fall again after that is one test of a constant mask. */
#pragma once

#include "idastar/slide_bits.h"

/* position_barren is exact: a tight node that is called has a child that is kept. */
#define LOOKS_AHEAD 1

#define POSITION_WORDS(WORD) WORD(word, bits) WORD(word, tiles)

struct position {
    word bits; /* which slides bring a tile nearer; g above them */
    word tiles;
};

struct tables {
    struct slide_bits bits;
};

/* Whether h falls by a move of the blank from `cell`. */
KERNEL bool position_nearer(struct position position, unsigned cell, unsigned move)
{
    return (position.bits & slide_bit(cell, move)) != 0;
}

/* Whether, after this move, every move but the way back lets h rise. The bits of the tiles around
 * the blank's new cell are known already, since none of these tiles moves. The blank's old cell
 * holds no tile yet, and its bit is 0. */
KERNEL bool position_barren(struct position position, unsigned cell, unsigned move)
{
    return (position.bits & bits_around(move_target(shape, cell, move))) == 0;
}

KERNEL struct position position_after(const struct tables *tables, struct position position,
                                      unsigned cell, unsigned move)
{
    const word tile = tile_moved(position.tiles, cell, move);
    position.bits += tables->bits.change[cell][move][tile];
    position.tiles = tiles_after(position.tiles, tile, cell, move);
    return position;
}

/* The word that counts the moves made above G_SHIFT. */
KERNEL word position_count(struct position position)
{
    return position.bits;
}

static struct position position_of(const struct tables *tables, const struct heuristic *heuristic,
                                   const struct board *board, unsigned g)
{
    (void)heuristic;
    return (struct position){.bits = slide_bits_of(&tables->bits, board, g),
                             .tiles = tiles_of(board)};
}

static void tables_make(struct tables *tables, const struct heuristic *heuristic)
{
    slide_bits_make(&tables->bits, heuristic);
}
