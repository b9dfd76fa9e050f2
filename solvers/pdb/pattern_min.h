/* Min-compressed tables (Felner, Korf, Meshulam and Holte, "Compressed pattern databases", JAIR 30,
 * 2007): several entries of an ordinary table become one, their minimum.
 *
 * Entry i stands for the ranks i x merged .. i x merged + merged - 1. Ranks count the cells of the
 * last slot first (pdb/pattern.h), so these are mostly placements that differ only in the cell of
 * the last slot's tile: cells that follow each other, row by row, but for those of the other tiles.
 * If the number of cells that the last slot can be on, cells - count + 1, is no multiple of
 * `merged`, some entries reach over to the next cell of the slot before.
 *
 * The minimum is at most the value of each of its placements. The parity of a value follows from
 * the cells of the tiles, as each move changes one tile's distance by 1; so a minimum of the other
 * parity is less than the value, and may be raised by 1. That makes the pair of two values that
 * differ by 1 exact again, and keeps h of the distance's parity. */
#ifndef PDB_PATTERN_MIN_H
#define PDB_PATTERN_MIN_H

#include "pdb/pattern.h"
#include "puzzle/pack.h"

enum { MIN_MERGED = 2, MAX_MERGED = 255 };

/* What pattern_min_entry multiplies with in place of a division: 2^64 / merged, rounded up. */
static inline uint64_t pattern_min_share(unsigned merged)
{
    return UINT64_MAX / merged + 1;
}

/* The entry of a rank: rank / merged. Exact: the share is too large by at most 1, so the product,
 * in units of 2^64, by less than 2^-32, and a quotient lies at least 1 / merged below the next
 * number.
 */
static inline uint32_t pattern_min_entry(uint32_t rank, uint64_t share)
{
    return (uint32_t)((uint128)rank * share >> 64);
}

/* What an entry says of the value of a placement of this parity (0 or 1), which can be brought
 * home. */
static inline unsigned pattern_min_value(unsigned entry, unsigned parity)
{
    return entry + ((entry ^ parity) & 1);
}

/* Makes the entries of so many values of an ordinary table. */
void pattern_min_make(uint8_t *entries, const uint8_t *values, uint64_t count, unsigned merged);

#endif
