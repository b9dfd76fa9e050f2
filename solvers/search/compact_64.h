/* Boards of up to 16 cells for the compact A* (search/compact_width.h): a word of 64 bits.
 *
 * A key has 56 bits. It is made of cells 1 to 14 of the packed board, which determine the state.
 * With fewer than 16 cells only cell 0 is left out, and it holds the one tile that lies nowhere
 * else. With 16 cells two tiles are left for cells 0 and 15, and only one of their two arrangements
 * can be reached: to exchange them is an odd permutation, but as both cells have the same colour,
 * it would take the blank an even number of moves. The 56 bits are multiplied by an odd number
 * modulo 2^56. So the high bits depend on every cell, and keys are equal only if states are.
 *
 * A word of the open list takes 8 bytes: cells 0 to 14, from which the last follows, and 4 bits. */
#ifndef SEARCH_COMPACT_64_H
#define SEARCH_COMPACT_64_H

#include "search/search.h"

enum {
    COMPACT_CELLS = 16,
    KEY_UNUSED = 8,  /* low bits of a key that are 0 */
    CLOSED_WIDE = 7, /* entries in a line of a small closed list ... */
#ifdef COMPACT_REOPENING
    CLOSED_NARROW = 8, /* ... and of a large one */
    CLOSED_SHORT = 3   /* bytes of an entry's rest in a large one */
#else
    CLOSED_NARROW = 10,
    CLOSED_SHORT = 2
#endif
};

typedef uint64_t compact_board;
typedef uint64_t compact_key;
typedef uint32_t compact_rest; /* what the tag leaves of a key */
typedef uint64_t open_word;    /* of the open list: a node with 4 bits, or an index */

/* A board with what is dear to make of it: nothing. */
struct kept_board {
    compact_board board;
};

/* What all boards of a search have in common. */
struct board_code {
    unsigned tiles; /* all of them, XORed */
};

/* One way for the blank to leave a cell. */
struct way {
    uint64_t slide; /* times the tile: the bits that change in the packed board */
    uint8_t from;   /* the tile's cell, as a shift in the packed board */
    uint8_t bit;    /* the child, in a mask of a node's children */
    uint8_t note;   /* the move that takes the blank back, as the note of a state has it */
    uint8_t next;   /* the child's ways: an index of compact->ways */
    uint16_t bits[COMPACT_CELLS]; /* by tile: the child's bits, if the heuristic is incremental */
};

/* A rest with its lowest byte first in memory, and back. */
KERNEL compact_rest rest_in_order(compact_rest rest)
{
    return htole32(rest);
}

/* Sets the cells of a board whose shape and blank are set already. */
KERNEL void compact_unpack(compact_board packed, struct board *board)
{
    unpack(PACK_64, (union packed){.narrow = packed}, board);
}

static inline compact_board compact_pack(const struct board *board)
{
    return pack(PACK_64, board).narrow;
}

KERNEL compact_key packed_key(compact_board board)
{
    return (board << 4 & ~(uint64_t)255) * 0x9e3779b97f4a7c15U;
}

static inline compact_key board_key(const struct board_code *code, const struct board *board)
{
    (void)code;
    return packed_key(compact_pack(board));
}

KERNEL struct kept_board keep_board(compact_board board, compact_key key)
{
    (void)key;
    return (struct kept_board){board};
}

KERNEL compact_key kept_key(const struct board_code *code, const struct kept_board *kept)
{
    (void)code;
    return packed_key(kept->board);
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
}

/* The way of the tile on cell `from` to the blank's cell. */
static inline struct way way_make(const struct board_code *code, unsigned from, unsigned blank)
{
    (void)code;
    return (struct way){.slide = UINT64_C(1) << 4 * from | UINT64_C(1) << 4 * blank,
                        .from = (uint8_t)(4 * from)};
}

KERNEL unsigned way_cell(const struct way *way)
{
    return way->from / 4U;
}

KERNEL unsigned way_tile(const struct way *way, compact_board parent)
{
    return parent >> way->from & 15;
}

KERNEL compact_board way_board(const struct way *way, compact_board parent, unsigned tile)
{
    return parent ^ tile * way->slide;
}

KERNEL compact_key way_key(const struct board_code *code, const struct way *way,
                           const struct kept_board *parent, unsigned tile, compact_board child)
{
    (void)way;
    (void)parent;
    (void)tile;
    (void)code;
    return packed_key(child);
}

/* A node with 4 bits. */
KERNEL open_word word_of(const struct kept_board *node, unsigned bits)
{
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

#endif
