/* The Manhattan distance on WIDTH x HEIGHT cells as bits that say which slides shorten it: what a
 * subtree counter for it is stamped from (search/subtree_body.h).
 *
 * A slide takes one tile to a neighbouring cell, one step nearer its goal cell or one step away
 * from it. For each cell and each neighbour of it there is one bit: would the tile on the neighbour
 * come nearer by sliding onto the cell? The bits of one cell lie side by side. So whether h falls
 * is one test of a constant bit, for any goal, and whether it can fall again after that is one test
 * of some constant bits more.
 *
 * A slide changes the bits of the tile that moves and no others, and how depends on the tile and
 * the two cells alone: it is a number from a table, which is added. The top bits of the word count
 * the moves made, as every number of the table has a 1 there. The tiles themselves are packed as in
 * puzzle/pack.h. */
#ifndef HEURISTICS_MANHATTAN_BITS_H
#define HEURISTICS_MANHATTAN_BITS_H

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

/* position_barren is exact: a node called though its slack is spent has a child that is kept. */
enum { LOOKS_AHEAD = 1 };

struct position {
    word bits; /* which slides bring a tile nearer; above them g */
    word tiles;
};

struct slides {
    word change[CELLS][MOVES][CELLS]; /* blank's cell, its move, tile: what is added to the bits */
    word nearer[CELLS][CELLS];        /* tile, cell: the bits of the tile there */
};

static const struct shape shape = {WIDTH, HEIGHT, CELLS};

/* The bits of the tiles around a cell begin at this one: four for each cell before it, but for the
 * edges. */
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

/* What a move of the blank from `cell` takes of the slack: nothing if h falls, 1 if it rises. */
KERNEL int position_rise(struct position position, unsigned cell, unsigned move)
{
    return (position.bits & slide_bit(cell, move)) == 0;
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
    const unsigned from = move_target(shape, cell, move);
    const word tile = position.tiles >> TILE_BITS * from & ((1 << TILE_BITS) - 1);
    position.bits += slides->change[cell][move][tile];
    position.tiles ^= tile << TILE_BITS * from | tile << TILE_BITS * cell;
    return position;
}

KERNEL unsigned position_g(struct position position)
{
    return (unsigned)(position.bits >> G_SHIFT);
}

/* A depth in the form that position_reaches compares with. */
KERNEL word depth_mark(unsigned g)
{
    return (word)g << G_SHIFT;
}

KERNEL unsigned mark_depth(word mark)
{
    return (unsigned)(mark >> G_SHIFT);
}

/* Whether at least as many moves were made as the mark says. */
KERNEL bool position_reaches(struct position position, word mark)
{
    return position.bits >= mark;
}

static struct position position_of(const struct slides *slides, const struct board *board,
                                   unsigned g)
{
    struct position position = {.bits = (word)g << G_SHIFT};
    for (unsigned cell = 0; cell < CELLS; cell++) {
        position.bits += slides->nearer[board->cell[cell]][cell];
        position.tiles |= (word)board->cell[cell] << TILE_BITS * cell;
    }
    return position;
}

static void slides_make(struct slides *slides, const struct heuristic *heuristic)
{
    for (unsigned to = 0; to < CELLS; to++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, to, move);
            for (unsigned tile = 1; tile < CELLS && from != NO_CELL; tile++)
                if (shape_distance(shape, to, heuristic->home[tile]) <
                    shape_distance(shape, from, heuristic->home[tile]))
                    slides->nearer[tile][from] |= slide_bit(to, move);
        }
    for (unsigned to = 0; to < CELLS; to++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, to, move);
            for (unsigned tile = 1; tile < CELLS && from != NO_CELL; tile++)
                slides->change[to][move][tile] =
                    slides->nearer[tile][to] - slides->nearer[tile][from] + ((word)1 << G_SHIFT);
        }
}

#endif
