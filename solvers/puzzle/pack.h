/* Packed boards: what a search stores. The tile of cell 0 is in the lowest bits.
 *
 * - PACK_64: up to 16 cells, 4 bits each, one 64-bit word
 * - PACK_128: up to 25 cells, 5 bits each, one 128-bit word
 * - PACK_BYTES: up to 36 cells, a byte each
 *
 * A search is written once over `enum packing` and compiled with a constant for each
 * (STAMP_ALGORITHM in search/search.h), so that no test of the packing is left at run time. Packed
 * boards are equal exactly if their words are. */
#pragma once

#include "base/compiler.h"
#include "puzzle/board.h"
#include <endian.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

enum packing { PACK_64, PACK_128, PACK_BYTES };

union packed {
    uint64_t narrow;
    uint128 wide;
    uint8_t bytes[MAX_CELLS];
};

static inline enum packing packing_of(struct shape shape)
{
    return shape.cells <= 16 ? PACK_64 : shape.cells <= 25 ? PACK_128 : PACK_BYTES;
}

/* Bytes that a packed board takes in a table. */
KERNEL size_t packed_bytes(enum packing packing)
{
    return packing == PACK_64 ? 8 : packing == PACK_128 ? 16 : MAX_CELLS;
}

KERNEL union packed pack(enum packing packing, const struct board *board)
{
    union packed packed;
    if (packing == PACK_64) {
        packed.narrow = 0;
        for (unsigned i = board->shape.cells; i-- > 0;)
            packed.narrow = packed.narrow << 4 | board->cell[i];
    } else if (packing == PACK_128) {
        packed.wide = 0;
        for (unsigned i = board->shape.cells; i-- > 0;)
            packed.wide = packed.wide << 5 | board->cell[i];
    } else {
        memcpy(packed.bytes, board->cell, MAX_CELLS);
    }
    return packed;
}

/* Eight numbers of 4 bits, the first in the lowest bits, as eight bytes in memory. */
KERNEL uint64_t eight_bytes(uint64_t numbers)
{
    numbers = (numbers | numbers << 16) & 0x0000ffff0000ffffU;
    numbers = (numbers | numbers << 8) & 0x00ff00ff00ff00ffU;
    numbers = (numbers | numbers << 4) & 0x0f0f0f0f0f0f0f0fU;
    return htole64(numbers);
}

/* Unpacks into a board whose shape and blank are set already. Cells beyond the shape are 0. */
KERNEL void unpack(enum packing packing, union packed packed, struct board *board)
{
    enum { TWELVE = 12 }; /* cells in 60 bits, so that most work is on 64-bit words */
    if (packing == PACK_64) {
        const uint64_t half[] = {eight_bytes(packed.narrow & UINT32_MAX),
                                 eight_bytes(packed.narrow >> 32)};
        memcpy(board->cell, half, sizeof half);
    } else if (packing == PACK_128) {
        for (unsigned part = 0; part < 2; part++) {
            const uint64_t tiles = (uint64_t)(packed.wide >> 5 * TWELVE * part);
            for (unsigned i = 0; i < TWELVE; i++)
                board->cell[TWELVE * part + i] = (uint8_t)(tiles >> 5 * i & 31);
        }
        board->cell[2 * TWELVE] = (uint8_t)(packed.wide >> 5 * 2 * TWELVE & 31);
    } else {
        memcpy(board->cell, packed.bytes, MAX_CELLS);
    }
}

/* The tile on a cell. */
KERNEL unsigned packed_tile(enum packing packing, union packed packed, unsigned cell)
{
    if (packing == PACK_64)
        return (unsigned)(packed.narrow >> 4 * cell & 15);
    if (packing == PACK_128)
        return (unsigned)(packed.wide >> 5 * cell & 31);
    return packed.bytes[cell];
}

/* The board after `tile` moved from cell `from` to the blank's cell `to`. */
KERNEL union packed packed_slide(enum packing packing, union packed packed, unsigned tile,
                                 unsigned from, unsigned to)
{
    if (packing == PACK_64) {
        packed.narrow ^= tile * (UINT64_C(1) << 4 * from | UINT64_C(1) << 4 * to);
    } else if (packing == PACK_128) {
        packed.wide ^= (uint128)tile << 5 * from | (uint128)tile << 5 * to;
    } else {
        packed.bytes[from] = 0;
        packed.bytes[to] = (uint8_t)tile;
    }
    return packed;
}

KERNEL bool packed_equal(enum packing packing, union packed a, union packed b)
{
    if (packing == PACK_64)
        return a.narrow == b.narrow;
    if (packing == PACK_128)
        return a.wide == b.wide;
    return memcmp(a.bytes, b.bytes, MAX_CELLS) == 0;
}

KERNEL union packed packed_load(enum packing packing, const unsigned char *table, uint32_t index)
{
    union packed packed;
    memcpy(&packed, table + packed_bytes(packing) * index, packed_bytes(packing));
    return packed;
}

KERNEL void packed_store(enum packing packing, unsigned char *table, uint32_t index,
                         union packed packed)
{
    if (packing == PACK_64) /* tables are aligned as words are */
        ((uint64_t *)(void *)table)[index] = packed.narrow;
    else
        memcpy(table + packed_bytes(packing) * index, &packed, packed_bytes(packing));
}
