/* Boards of up to 16 cells for the compact A* (astar/compact.h): a word of 64 bits.
 *
 * A strip is up to 4 neighbouring cells of a row that the blank can be on. Its key has 56 bits: the
 * tiles in the order of the cells, the blank and the first two tiles left out, and the number of
 * the strip's cells. The two tiles that are left can lie in one order only: to exchange them is an
 * odd permutation of the tiles, and a move along a column permutes them by a cycle as long as a
 * row, so the row of the blank says which permutations can be reached; a move along a row changes
 * nothing. The 56 bits are multiplied by an odd number modulo 2^56. So the high bits depend on
 * every cell, and keys are equal only if strips are.
 *
 * A word of the open list takes 8 bytes: cells 0 to 14, from which the last follows, and 4 bits. */
#pragma once

#include "astar/strip.h"
#include "search/search.h"

#define COMPACT_PACKING PACK_64
#define COMPACT_WORD    narrow

enum {
    TILE_BITS = 4,
    COMPACT_CELLS = 16,
    STRIP = 4,     /* states of a strip, at most */
    KEY_UNUSED = 8 /* low bits of a key that are 0 */
};

typedef uint64_t compact_board;
typedef uint64_t compact_key;
typedef uint32_t compact_high; /* what the tag leaves of a key: all bytes but one */
typedef uint64_t open_word;    /* of the open list: a node with 4 bits, or an index */

/* A board with what is dear to make of it: nothing. */
struct kept_board {
    compact_board board;
};

/* What all boards of a search have in common. */
struct board_code {
    unsigned tiles;                 /* all of them, XORed */
    uint64_t before[COMPACT_CELLS]; /* by the blank's cell: the bits of the cells before it */
    uint64_t strip[COMPACT_CELLS];  /* ... what its strip adds to a key, and ... */
    uint8_t place[COMPACT_CELLS];   /* ... which of the strip's cells it is */
};

/* One way for the blank to leave a cell. */
struct way {
    uint64_t slide;               /* times the tile: the bits that change in the packed board */
    uint8_t cell;                 /* the tile's, ... */
    uint8_t from;                 /* ... and as a shift in the packed board */
    uint8_t bit;                  /* the child, in a mask of a node's children */
    uint8_t undo;                 /* the move that takes the blank back */
    uint8_t next;                 /* the child's ways: an index of compact->ways */
    uint8_t shift;                /* where the child's note lies in its strip's */
    uint16_t bits[COMPACT_CELLS]; /* by tile: the child's bits, if the heuristic is incremental */
};

/* The high bits of a key with their lowest byte first in memory, and back. */
KERNEL compact_high high_in_order(compact_high high)
{
    return htole32(high);
}

#include "astar/board_word.h"

/* The key of a board's strip, the blank being on that cell. */
KERNEL compact_key packed_key(const struct board_code *code, compact_board board, unsigned blank)
{
    const uint64_t before = board & code->before[blank];
    const uint64_t tiles = before << 4 | (board & ~code->before[blank]);
    return ((tiles & ~(uint64_t)0xfff) + code->strip[blank]) * 0x9e3779b97f4a7c15U;
}

static inline compact_key board_key(const struct board_code *code, const struct board *board)
{
    return packed_key(code, compact_pack(board), board->blank);
}

KERNEL struct kept_board keep_board(compact_board board, compact_key key)
{
    (void)key;
    return (struct kept_board){board};
}

KERNEL compact_key kept_key(const struct board_code *code, const struct kept_board *kept,
                            unsigned blank)
{
    return packed_key(code, kept->board, blank);
}

static inline unsigned all_tiles(compact_board board)
{
    board ^= board >> 32;
    board ^= board >> 16;
    board ^= board >> 8;
    board ^= board >> 4;
    return board & 15;
}

static inline void code_make(struct board_code *code, const struct board *start)
{
    code->tiles = all_tiles(compact_pack(start));
    for (unsigned cell = 0; cell < start->shape.cells; cell++) {
        code->before[cell] = (UINT64_C(1) << 4 * cell) - 1;
        code->strip[cell] = (uint64_t)strip_of(start->shape, cell, STRIP) << 8;
        code->place[cell] = (uint8_t)strip_place(start->shape, cell, STRIP);
    }
}

/* The way of the tile on cell `from` to the blank's cell. */
static inline struct way way_make(const struct board_code *code, unsigned from, unsigned blank)
{
    (void)code;
    return (struct way){.slide = UINT64_C(1) << 4 * from | UINT64_C(1) << 4 * blank,
                        .cell = (uint8_t)from,
                        .from = (uint8_t)(4 * from)};
}

KERNEL compact_key way_key(const struct board_code *code, const struct way *way,
                           const struct kept_board *parent, unsigned tile, compact_board child)
{
    (void)parent;
    (void)tile;
    return packed_key(code, child, way->from / 4U);
}

/* A node with 4 bits. */
KERNEL open_word word_of(const struct board_code *code, const struct kept_board *node,
                         unsigned blank, unsigned bits)
{
    (void)code;
    (void)blank;
    return node->board << 4 | bits;
}

KERNEL unsigned word_bits(open_word word)
{
    return word & 15;
}

/* The same node without some of its bits. */
KERNEL open_word word_without(open_word word, unsigned bits)
{
    return word & ~(open_word)bits;
}

/* The cell of the blank: the lowest that is 0. */
static inline unsigned blank_of(compact_board board)
{
    uint64_t some = board | board >> 1;
    some |= some >> 2;
    return (unsigned)__builtin_ctzll(~some & 0x1111111111111111U) / 4;
}

/* The board of a word's node. Returns the cell of its blank. */
KERNEL unsigned word_board(const struct board_code *code, open_word word, struct kept_board *kept)
{
    const uint64_t board = word >> 4;
    kept->board = board | (uint64_t)(all_tiles(board) ^ code->tiles) << 60;
    return blank_of(kept->board);
}

KERNEL open_word word_of_index(uint64_t index)
{
    return index;
}

KERNEL uint64_t word_index(open_word word)
{
    return word;
}
