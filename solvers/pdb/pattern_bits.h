/* The one-bit form of zero-aware tables (Clausecker and Reinefeld, "Zero-aware pattern databases
 * with 1-bit compression for sliding tile puzzles", SoCS 2019): an eighth of the memory.
 *
 * In a zero-aware table a move of a tile of the pattern leads from an entry to exactly one other,
 * and can be taken back. So their values differ by at most 1; and as the move takes a tile to a
 * cell of the other colour, the values are not equal. Of a value only the second bit (value / 2
 * mod 2) is kept: it differs between value - 1 and value + 1, so it tells which of the two the
 * neighbour of an entry of known value has. Where no neighbour's value is known, it is counted: the
 * parity of a value follows from the cells of the tiles, so value mod 4 is known, and an entry's
 * neighbour that is 1 smaller mod 4 is 1 smaller. From neighbour to neighbour this leads to the
 * goal's entry in as many steps as the value. For ordinary tables this does not hold: their values
 * leave open where the blank lies, and a move may change them by 3 and more. */
#pragma once

#include "pdb/pattern_sets.h"

/* The bytes that the bits of this many entries take. */
static inline uint64_t pattern_bits_bytes(uint64_t entries)
{
    return (entries + 7) / 8;
}

/* Enters the values of the entries first .. first + count - 1; their bits must be 0 before. */
void pattern_bits_enter(uint8_t *bits, uint64_t first, const uint8_t *values, uint64_t count);

static inline unsigned pattern_bits_at(const uint8_t *bits, uint32_t entry)
{
    return (unsigned)bits[entry / 8] >> entry % 8 & 1;
}

/* The value of an entry with this bit, of which a neighbour has the value `value`. */
static inline unsigned pattern_bits_next(unsigned value, unsigned bit)
{
    return value + 1 - 2 * (((value + 1) / 2 ^ bit) & 1);
}

/* The value of a placement with the blank on a free cell, found by descending to the goal;
 * UNREACHABLE if it cannot be brought home. `pattern` is the table's, `sets` are those of its shape
 * and number of tiles. */
unsigned pattern_bits_value(const uint8_t *bits, const struct pattern_sets *sets,
                            const struct pattern *pattern, const uint8_t at[MAX_PATTERN],
                            unsigned blank);
