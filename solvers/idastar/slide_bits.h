/* Bits that say which slides on WIDTH x HEIGHT cells bring a tile nearer to its goal cell: shared
 * by the headers of heuristics that subtree counters are compiled from (idastar/subtree_body.h).
 *
 * A slide takes one tile to a neighbouring cell: one step nearer to its goal cell, or one step
 * away. There is one bit for each cell and each of its neighbours: would the tile on the neighbour
 * come nearer by sliding onto the cell? The bits of a cell lie side by side. So for any goal, one
 * test of a constant bit says whether the Manhattan distance falls.
 *
 * A slide changes only the bits of the tile that moves, and the change depends only on the tile and
 * the two cells: it is looked up in a table and added. The top bits of the word count the moves
 * made, since every number of the table has a 1 there. The tiles themselves are packed as in
 * puzzle/pack.h.
 */
#pragma once

#include "heuristics/heuristic.h"
#include "puzzle/moves.h"
#include "puzzle/pack.h"

enum { CELLS = WIDTH * HEIGHT };

#if WIDTH * HEIGHT <= 16
typedef uint64_t word;
enum { TILE_BITS = 4 };
#else
typedef uint128 word;
enum { TILE_BITS = 5 };
#endif

enum { G_SHIFT = 8 * sizeof(word) - 16 };
_Static_assert(2 * (2 * CELLS - WIDTH - HEIGHT) <= G_SHIFT, "a bit for each slide there is");

/* How slides change the word of bits. */
struct slide_bits {
    word change[CELLS][MOVES][CELLS]; /* blank's cell, its move, tile: what is added */
    word nearer[CELLS][CELLS];        /* tile, cell: the bits of the tile there */
};

static const struct shape shape = {WIDTH, HEIGHT, CELLS};

/* The first bit of the tiles around a cell: four for each cell before it, less those at the edges.
 */
KERNEL unsigned first_bit(unsigned cell)
{
    const unsigned top = cell < WIDTH ? cell : WIDTH;
    const unsigned bottom = cell < CELLS - WIDTH ? 0 : cell - (CELLS - WIDTH);
    const unsigned left = (cell + WIDTH - 1) / WIDTH;
    const unsigned right = cell / WIDTH;
    return 4 * cell - top - bottom - left - right;
}

/* The bit of the tile that changes places with a blank on `cell` by `move`. */
KERNEL word slide_bit(unsigned cell, unsigned move)
{
    unsigned bit = first_bit(cell);
    for (unsigned other = 0; other < MOVES; other++)
        bit += other < move && move_target(shape, cell, other) != NO_CELL;
    return (word)1 << bit;
}

/* The bits of all tiles around a cell. */
KERNEL word bits_around(unsigned cell)
{
    return ((word)1 << first_bit(cell + 1)) - ((word)1 << first_bit(cell));
}

/* The tile that a move of the blank from `cell` slides onto it. */
KERNEL word tile_moved(word tiles, unsigned cell, unsigned move)
{
    return tiles >> TILE_BITS * move_target(shape, cell, move) & ((1 << TILE_BITS) - 1);
}

/* The tiles after `tile` slid onto the cell. */
KERNEL word tiles_after(word tiles, word tile, unsigned cell, unsigned move)
{
    return tiles ^ (tile << TILE_BITS * move_target(shape, cell, move) | tile << TILE_BITS * cell);
}

static word tiles_of(const struct board *board)
{
    word tiles = 0;
    for (unsigned cell = 0; cell < CELLS; cell++)
        tiles |= (word)board->cell[cell] << TILE_BITS * cell;
    return tiles;
}

/* The bits of a board, with g above them. */
static word slide_bits_of(const struct slide_bits *bits, const struct board *board, unsigned g)
{
    word of = (word)g << G_SHIFT;
    for (unsigned cell = 0; cell < CELLS; cell++)
        of += bits->nearer[board->cell[cell]][cell];
    return of;
}

static void slide_bits_make(struct slide_bits *bits, const struct heuristic *heuristic)
{
    for (unsigned to = 0; to < CELLS; to++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, to, move);
            for (unsigned tile = 1; tile < CELLS && from != NO_CELL; tile++)
                if (shape_distance(shape, to, heuristic->home[tile]) <
                    shape_distance(shape, from, heuristic->home[tile]))
                    bits->nearer[tile][from] |= slide_bit(to, move);
        }
    for (unsigned to = 0; to < CELLS; to++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, to, move);
            for (unsigned tile = 1; tile < CELLS && from != NO_CELL; tile++)
                bits->change[to][move][tile] =
                    bits->nearer[tile][to] - bits->nearer[tile][from] + ((word)1 << G_SHIFT);
        }
}
