/* The Manhattan distance on WIDTH x HEIGHT cells as bits that say which slides shorten it
 * (subtree/slide_bits.h): what a subtree counter for it is stamped from
 * (subtree/subtree_body.h). Whether h falls by a move is one test of a constant bit, and whether it
 * can fall again after that is one test of some constant bits more. */
#ifndef SUBTREE_MANHATTAN_BITS_H
#define SUBTREE_MANHATTAN_BITS_H

#include "subtree/slide_bits.h"

/* position_barren is exact: a node called though its slack is spent has a child that is kept. */
enum { LOOKS_AHEAD = 1 };

#define POSITION_WORDS(WORD) WORD(word, bits) WORD(word, tiles)

struct position {
    word bits; /* which slides bring a tile nearer; above them g */
    word tiles;
};

struct slides {
    struct slide_bits bits;
};

/* Whether h falls by a move of the blank from `cell`. */
KERNEL bool position_nearer(struct position position, unsigned cell, unsigned move)
{
    return (position.bits & slide_bit(cell, move)) != 0;
}

/* No move changes h otherwise. */
KERNEL bool position_contrary(const struct slides *slides, struct position position, unsigned cell,
                              unsigned move, bool nearer)
{
    (void)slides;
    (void)position;
    (void)cell;
    (void)move;
    (void)nearer;
    return false;
}

/* Whether after this move every other but the way back lets h rise. The bits of the tiles around
 * the cell that the blank comes to are those of now, as none of these tiles moves; where the blank
 * is now there is no tile yet, and its bit is 0. */
KERNEL bool position_barren(struct position position, unsigned cell, unsigned move)
{
    return (position.bits & bits_around(move_target(shape, cell, move))) == 0;
}

KERNEL struct position position_after(const struct slides *slides, struct position position,
                                      unsigned cell, unsigned move)
{
    const word tile = tile_moved(position.tiles, cell, move);
    position.bits += slides->bits.change[cell][move][tile];
    position.tiles = tiles_after(position.tiles, tile, cell, move);
    return position;
}

/* The word that counts the moves made above G_SHIFT. */
KERNEL word position_count(struct position position)
{
    return position.bits;
}

static struct position position_of(const struct slides *slides, const struct heuristic *heuristic,
                                   const struct board *board, unsigned g)
{
    (void)heuristic;
    return (struct position){.bits = slide_bits_of(&slides->bits, board, g),
                             .tiles = tiles_of(board)};
}

static void slides_make(struct slides *slides, const struct heuristic *heuristic)
{
    slide_bits_make(&slides->bits, heuristic);
}

#endif
