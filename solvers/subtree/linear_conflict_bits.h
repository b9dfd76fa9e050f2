/* Linear conflict on WIDTH x WIDTH cells, as what a subtree counter for it is stamped from
 * (subtree/subtree_body.h): the bits of the Manhattan distance (subtree/slide_bits.h), and the
 * codes of all rows and of all columns (heuristics/linear_conflict.h), side by side in a word each.
 *
 * A move that takes a tile nearer to its goal cell lets h fall, unless the line that the tile comes
 * to is its goal line and it is in the way there: then one tile more must leave, and h rises. A
 * move that takes a tile away lets h rise, unless the line that it leaves is its goal line and one
 * tile fewer must leave that. So one look at the code of one line is enough: has the tile, as long
 * as it is there, a bit in what is looked up? The way along which the tile moves need not be looked
 * at, as it passes no tile there. */
#ifndef SUBTREE_LINEAR_CONFLICT_BITS_H
#define SUBTREE_LINEAR_CONFLICT_BITS_H

#include "heuristics/linear_conflict.h"
#include "subtree/slide_bits.h"

_Static_assert(WIDTH == HEIGHT && WIDTH <= TABLED_CELLS, "one table of codes for all lines");

/* Whether a child has children is not known before it is called. */
enum { LOOKS_AHEAD = 0 };

/* A line's code has 16 bits to itself, so that the first is cut out by one instruction. */
enum { CODE_BITS = WIDTH * DIGIT_BITS, LINE_SHIFT = 16 };

#define POSITION_WORDS(WORD) WORD(word, bits) WORD(word, tiles) WORD(word, rows) WORD(word, columns)

struct position {
    word bits; /* which slides bring a tile nearer; above them g */
    word tiles;
    word rows; /* codes; the first row's lowest */
    word columns;
};

struct slides {
    struct slide_bits bits;
    /* By the blank's cell, its move and the tile: what is added to the codes. */
    word rows[CELLS][MOVES][CELLS];
    word columns[CELLS][MOVES][CELLS];
    uint8_t codes[1 << CODE_BITS];
};

/* The shift of a cell's digit in the codes of all rows, and in those of all columns. */
KERNEL unsigned row_shift(unsigned cell)
{
    return cell / WIDTH * LINE_SHIFT + cell % WIDTH * DIGIT_BITS;
}

KERNEL unsigned column_shift(unsigned cell)
{
    return cell % WIDTH * LINE_SHIFT + cell / WIDTH * DIGIT_BITS;
}

/* Whether of the line across the move in which `cell` lies one tile fewer must leave without the
 * tile on `cell`. */
KERNEL bool is_leaver(const struct slides *slides, word lines, unsigned cell, bool in_row)
{
    const unsigned line = in_row ? cell / WIDTH : cell % WIDTH;
    const unsigned place = in_row ? cell % WIDTH : cell / WIDTH;
    const unsigned code = (uint16_t)(lines >> line * LINE_SHIFT);
    return (slides->codes[code] & 1U << (LEAVERS_BITS + place)) != 0;
}

/* Whether a move of the blank from `cell` brings the tile nearer to its goal cell. */
KERNEL bool position_nearer(struct position position, unsigned cell, unsigned move)
{
    return (position.bits & slide_bit(cell, move)) != 0;
}

/* Whether h rises though the tile comes nearer, or falls though it goes away. */
KERNEL bool position_contrary(const struct slides *slides, struct position position, unsigned cell,
                              unsigned move, bool nearer)
{
    const bool vertical = move == MOVE_U || move == MOVE_D;
    const word lines = vertical ? position.rows : position.columns;
    if (!nearer)
        return is_leaver(slides, lines, move_target(shape, cell, move), vertical);
    const word tile = tile_moved(position.tiles, cell, move);
    return is_leaver(slides, lines + (vertical ? slides->rows : slides->columns)[cell][move][tile],
                     cell, vertical);
}

/* See LOOKS_AHEAD. */
KERNEL bool position_barren(struct position position, unsigned cell, unsigned move)
{
    (void)position;
    (void)cell;
    (void)move;
    return false;
}

KERNEL struct position position_after(const struct slides *slides, struct position position,
                                      unsigned cell, unsigned move)
{
    const word tile = tile_moved(position.tiles, cell, move);
    position.bits += slides->bits.change[cell][move][tile];
    position.rows += slides->rows[cell][move][tile];
    position.columns += slides->columns[cell][move][tile];
    position.tiles = tiles_after(position.tiles, tile, cell, move);
    return position;
}

/* The word that counts the moves made above G_SHIFT. */
KERNEL word position_count(struct position position)
{
    return position.bits;
}

/* A tile's digit in the codes of all rows, and in those of all columns. */
static word row_digit(const struct heuristic *heuristic, unsigned tile, unsigned cell)
{
    const unsigned home = heuristic->home[tile];
    return tile == 0 || home / WIDTH != cell / WIDTH ? 0
                                                     : (word)(1 + home % WIDTH) << row_shift(cell);
}

static word column_digit(const struct heuristic *heuristic, unsigned tile, unsigned cell)
{
    const unsigned home = heuristic->home[tile];
    return tile == 0 || home % WIDTH != cell % WIDTH
               ? 0
               : (word)(1 + home / WIDTH) << column_shift(cell);
}

static struct position position_of(const struct slides *slides, const struct heuristic *heuristic,
                                   const struct board *board, unsigned g)
{
    struct position position = {.bits = slide_bits_of(&slides->bits, board, g),
                                .tiles = tiles_of(board)};
    for (unsigned cell = 0; cell < CELLS; cell++) {
        position.rows += row_digit(heuristic, board->cell[cell], cell);
        position.columns += column_digit(heuristic, board->cell[cell], cell);
    }
    return position;
}

static void slides_make(struct slides *slides, const struct heuristic *heuristic)
{
    slide_bits_make(&slides->bits, heuristic);
    memcpy(slides->codes, linear_conflict_codes(heuristic), sizeof slides->codes);
    for (unsigned to = 0; to < CELLS; to++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, to, move);
            for (unsigned tile = 1; tile < CELLS && from != NO_CELL; tile++) {
                slides->rows[to][move][tile] =
                    row_digit(heuristic, tile, to) - row_digit(heuristic, tile, from);
                slides->columns[to][move][tile] =
                    column_digit(heuristic, tile, to) - column_digit(heuristic, tile, from);
            }
        }
}

#endif
