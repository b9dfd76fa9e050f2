/* Linear conflict on WIDTH x WIDTH cells for a subtree counter (idastar/subtree_body.h): the bits
 * of the Manhattan distance (idastar/slide_bits.h), and the codes of all rows and all columns
 * (heuristics/linear_conflict.h), side by side in a word each.
 *
 * A move that takes a tile nearer to its goal cell lets h fall, unless the tile comes to its goal
 * line and is in the way there: then one more tile must leave, and h rises. A move that takes a
 * tile away lets h rise, unless the tile leaves its goal line and one tile fewer must leave that
 * line. So one look at the code of one line is enough: is one tile fewer to leave without this
 * tile? The line along which the tile moves does not matter, as the tile passes no other in it. */
#pragma once

#include "heuristics/linear_conflict.h"
#include "idastar/slide_bits.h"

_Static_assert(WIDTH == HEIGHT && WIDTH <= TABLED_CELLS, "one table of codes for all lines");

/* Whether a child has children within the threshold is not known before it is called. */
#define LOOKS_AHEAD 0

/* Each line's code has 16 bits, so that one instruction extracts the first. */
enum { CODE_BITS = WIDTH * DIGIT_BITS, LINE_SHIFT = 16 };

#define POSITION_WORDS(WORD) WORD(word, bits) WORD(word, tiles) WORD(word, rows) WORD(word, columns)

struct position {
    word bits; /* which slides bring a tile nearer; g above them */
    word tiles;
    word rows; /* codes, the first row's in the lowest bits */
    word columns;
};

struct tables {
    struct slide_bits bits;
    /* By the blank's cell, its move and the tile: what is added to the codes. */
    word rows[CELLS][MOVES][CELLS];
    word columns[CELLS][MOVES][CELLS];
    uint8_t codes[1 << CODE_BITS];
};

/* Where a cell's digit lies in the codes of all rows, and in those of all columns. */
KERNEL unsigned row_shift(unsigned cell)
{
    return cell / WIDTH * LINE_SHIFT + cell % WIDTH * DIGIT_BITS;
}

KERNEL unsigned column_shift(unsigned cell)
{
    return cell % WIDTH * LINE_SHIFT + cell / WIDTH * DIGIT_BITS;
}

/* Whether one tile fewer must leave the line of `cell` across the move if the tile on `cell` is
 * gone. */
KERNEL bool is_leaver(const struct tables *tables, word lines, unsigned cell, bool in_row)
{
    const unsigned line = in_row ? cell / WIDTH : cell % WIDTH;
    const unsigned place = in_row ? cell % WIDTH : cell / WIDTH;
    const unsigned code = (uint16_t)(lines >> line * LINE_SHIFT);
    return (tables->codes[code] & 1U << (LEAVERS_BITS + place)) != 0;
}

/* Whether a move of the blank from `cell` brings the tile nearer to its goal cell. */
KERNEL bool position_nearer(struct position position, unsigned cell, unsigned move)
{
    return (position.bits & slide_bit(cell, move)) != 0;
}

#define HAS_CONTRARY

/* Whether h rises although the tile comes nearer, or falls although it goes away. */
KERNEL bool position_contrary(const struct tables *tables, struct position position, unsigned cell,
                              unsigned move, bool nearer)
{
    const bool vertical = move == MOVE_U || move == MOVE_D;
    const word lines = vertical ? position.rows : position.columns;
    if (!nearer)
        return is_leaver(tables, lines, move_target(shape, cell, move), vertical);
    const word tile = tile_moved(position.tiles, cell, move);
    return is_leaver(tables, lines + (vertical ? tables->rows : tables->columns)[cell][move][tile],
                     cell, vertical);
}

KERNEL struct position position_after(const struct tables *tables, struct position position,
                                      unsigned cell, unsigned move)
{
    const word tile = tile_moved(position.tiles, cell, move);
    position.bits += tables->bits.change[cell][move][tile];
    position.rows += tables->rows[cell][move][tile];
    position.columns += tables->columns[cell][move][tile];
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

static struct position position_of(const struct tables *tables, const struct heuristic *heuristic,
                                   const struct board *board, unsigned g)
{
    struct position position = {.bits = slide_bits_of(&tables->bits, board, g),
                                .tiles = tiles_of(board)};
    for (unsigned cell = 0; cell < CELLS; cell++) {
        position.rows += row_digit(heuristic, board->cell[cell], cell);
        position.columns += column_digit(heuristic, board->cell[cell], cell);
    }
    return position;
}

static void tables_make(struct tables *tables, const struct heuristic *heuristic)
{
    slide_bits_make(&tables->bits, heuristic);
    memcpy(tables->codes, linear_conflict_codes(heuristic), sizeof tables->codes);
    for (unsigned to = 0; to < CELLS; to++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, to, move);
            for (unsigned tile = 1; tile < CELLS && from != NO_CELL; tile++) {
                tables->rows[to][move][tile] =
                    row_digit(heuristic, tile, to) - row_digit(heuristic, tile, from);
                tables->columns[to][move][tile] =
                    column_digit(heuristic, tile, to) - column_digit(heuristic, tile, from);
            }
        }
}
