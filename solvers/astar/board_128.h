/* Boards of 17 to 25 cells for the compact A* (astar/compact.h): a word of 128 bits, and a
 * key of 88.
 *
 * The key is a number of the strip, up to 5 neighbouring cells of a row that the blank can be on,
 * and of the tiles' order. The tiles are read in the order of the cells, without the blank. A
 * tile's digit says how many larger tiles come before it: 0 .. u for a tile with u larger ones.
 * These digits determine the order (an inversion table: Knuth, The Art of Computer Programming 3,
 * section 5.1.1), as the largest tile, the next, and so on can be put in their places one after the
 * other. With the strip they determine a set of states that moves along the row lead to from one
 * another. The digit of u = 1 is left out. It follows from the others: the number of inversions,
 * which is the digits' sum, changes its parity with every move that passes an odd number of tiles,
 * so with each of the blank's moves along a column if rows have an even number of cells, and never
 * if they have an odd number. Digits share bits two at a time: those of u = 2k and 2k + 1 make a
 * number below (2k + 1)(2k + 2). So the order of 25 cells takes 83 bits and the strip, of which
 * there are 12 at most, 4.
 *
 * The number is multiplied by an odd number modulo 2^88. So its high bits depend on every digit,
 * and keys are equal only if strips are. All of this is a sum, each digit times a weight; so a
 * child's key is its parent's, and what its move adds. A move along a row changes the strip at
 * most. Along a column the tile passes those in between, and for each of them one digit changes by
 * 1, that of the smaller tile of the two.
 *
 * A word of the open list takes 12 bytes: a key, the blank's place in the strip, and 4 bits. */
#pragma once

#include "astar/strip.h"
#include "search/search.h"

#define COMPACT_PACKING PACK_128
#define COMPACT_WORD    wide

enum {
    TILE_BITS = 5,
    COMPACT_CELLS = 25,
    STRIP = 5,       /* states of a strip, at most */
    KEY_UNUSED = 40, /* low bits of a key that are 0 */
    CODE_PAIRS = 11  /* of digits: u = 2k and 2k + 1 for k = 1 .. 11 */
};

typedef uint128 compact_board;
typedef uint128 compact_key;
typedef uint64_t compact_high; /* what the tag leaves of a key: all bytes but one */

/* A word of the open list: a node with 4 bits, or an index. */
typedef struct {
    uint32_t part[3];
} open_word;

/* A board with what is dear to make of it: its key. */
struct kept_board {
    compact_board board;
    compact_key key;
};

/* What all boards of a search have in common. */
struct board_code {
    struct shape shape;
    unsigned odd;                 /* parity of the inversions when the blank is in row 0 */
    compact_key strip;            /* what a key gains with each strip that the blank goes on */
    uint8_t place[COMPACT_CELLS]; /* of the blank's cell in its strip */
    uint8_t cell[COMPACT_CELLS];  /* the first cell of each strip */
    compact_key inverse;          /* of the multiplier */
    compact_board first[COMPACT_CELLS]; /* the bits of so many cells, from the first */
    /* What the key of a board gains when tile a passes tile b, which came before it: [a][b]. */
    compact_key pass[COMPACT_CELLS][COMPACT_CELLS];
};

/* One way for the blank to leave a cell. */
struct way {
    compact_board slide;          /* times the tile: the bits that change in the packed board */
    compact_key strip;            /* what the blank's move adds to the key */
    uint8_t cell;                 /* the tile's, ... */
    uint8_t from;                 /* ... and as a shift in the packed board */
    uint8_t passed;               /* how many tiles it passes ... */
    uint8_t first;                /* ... from this cell on, as a shift in the packed board ... */
    bool goes_on;                 /* ... and whether it then comes after them */
    uint8_t bit;                  /* the child, in a mask of a node's children */
    uint8_t undo;                 /* the move that takes the blank back */
    uint8_t next;                 /* the child's ways: an index of compact->ways */
    uint8_t shift;                /* where the child's note lies in its strip's */
    uint16_t bits[COMPACT_CELLS]; /* by tile: the child's bits, if the heuristic is incremental */
};

/* The high bits of a key with their lowest byte first in memory, and back. */
KERNEL compact_high high_in_order(compact_high high)
{
    return htole64(high);
}

#include "astar/board_word.h"

/* The bits of the number of a state: where the pair of digits of u = 2k and 2k + 1 begins. */
static inline unsigned code_bit(unsigned k)
{
    static const uint8_t bit[CODE_PAIRS + 2] = {0, 0, 4, 9, 15, 22, 30, 38, 46, 55, 64, 73, 83};
    return bit[k];
}

/* How many tiles of a smaller cell are larger. */
static inline unsigned code_digit(const struct board *board, unsigned cell)
{
    unsigned digit = 0;
    for (unsigned i = 0; i < cell; i++)
        digit += board->cell[i] > board->cell[cell];
    return digit;
}

/* The key's weight of the digit of the tile with u larger ones. */
static inline compact_key code_weight(unsigned u)
{
    const compact_key multiplier = (compact_key)0x9e3779b97f4a7c15U << 64 | 0xf39cc0605cedc835U;
    const compact_key weight = (compact_key)(u % 2 == 0 ? u + 2 : 1) << code_bit(u / 2);
    return u < 2 ? 0 : weight * multiplier << KEY_UNUSED;
}

static inline void code_make(struct board_code *code, const struct board *start)
{
    const unsigned largest = start->shape.cells - 1U;
    code->shape = start->shape;
    code->odd = 0;
    for (unsigned i = 0; i < start->shape.cells; i++)
        if (start->cell[i] != 0)
            code->odd ^= code_digit(start, i) & 1;
    if (start->shape.width % 2 == 0)
        code->odd ^= start->blank / start->shape.width & 1U;
    const compact_key one = code_weight(3) >> KEY_UNUSED; /* the multiplier */
    code->inverse = 1;
    for (unsigned bits = 1; bits < 128; bits *= 2) /* that are right (Newton's method) */
        code->inverse *= 2 - one * code->inverse;
    code->strip = one << code_bit(CODE_PAIRS + 1) << KEY_UNUSED;
    for (unsigned cell = start->shape.cells; cell-- > 0;) {
        code->place[cell] = (uint8_t)strip_place(start->shape, cell, STRIP);
        code->cell[strip_of(start->shape, cell, STRIP)] = (uint8_t)cell;
    }
    for (unsigned i = 0; i < COMPACT_CELLS; i++)
        code->first[i] = ((compact_board)1 << 5 * i) - 1;
    for (unsigned a = 1; a <= largest; a++)
        for (unsigned b = 1; b <= largest; b++)
            code->pass[a][b] = a < b ? -code_weight(largest - a) : code_weight(largest - b);
}

/* The key of any board; slow. */
static inline compact_key board_key(const struct board_code *code, const struct board *board)
{
    compact_key key = 0;
    for (unsigned i = 0; i < code->shape.cells; i++)
        key += board->cell[i] == 0
                   ? strip_of(code->shape, i, STRIP) * code->strip
                   : code_digit(board, i) * code_weight(code->shape.cells - 1U - board->cell[i]);
    return key;
}

KERNEL struct kept_board keep_board(compact_board board, compact_key key)
{
    return (struct kept_board){board, key};
}

KERNEL compact_key kept_key(const struct board_code *code, const struct kept_board *kept,
                            unsigned blank)
{
    (void)code;
    (void)blank;
    return kept->key;
}

/* The way of the tile on cell `from` to the blank's cell. */
static inline struct way way_make(const struct board_code *code, unsigned from, unsigned blank)
{
    const unsigned lower = from < blank ? from : blank;
    const unsigned upper = from < blank ? blank : from;
    return (struct way){
        .slide = (compact_board)1 << 5 * from | (compact_board)1 << 5 * blank,
        .strip = strip_of(code->shape, from, STRIP) * code->strip -
                 strip_of(code->shape, blank, STRIP) * code->strip,
        .cell = (uint8_t)from,
        .from = (uint8_t)(5 * from),
        .passed = (uint8_t)(upper - lower - 1),
        .first = (uint8_t)(5 * (lower + 1)),
        .goes_on = from < blank,
    };
}

KERNEL compact_key way_key(const struct board_code *code, const struct way *way,
                           const struct kept_board *parent, unsigned tile, compact_board child)
{
    (void)child;
    const compact_key *pass = code->pass[tile];
    compact_key gain = 0;
    uint64_t passed = (uint64_t)(parent->board >> way->first); /* 11 tiles at most */
    for (unsigned i = way->passed; i > 0; i--, passed >>= 5)
        gain += pass[passed & 31];
    return parent->key + way->strip + (way->goes_on ? -gain : gain);
}

/* A node with 4 bits. */
KERNEL open_word word_of(const struct board_code *code, const struct kept_board *node,
                         unsigned blank, unsigned bits)
{
    const compact_key key = node->key;
    return (open_word){{(uint32_t)(key >> 32) | (uint32_t)code->place[blank] << 4 | bits,
                        (uint32_t)(key >> 64), (uint32_t)(key >> 96)}};
}

KERNEL unsigned word_bits(open_word word)
{
    return word.part[0] & 15;
}

/* The same node without some of its bits. */
KERNEL open_word word_without(open_word word, unsigned bits)
{
    word.part[0] &= ~bits;
    return word;
}

/* Puts a tile between cells: after the first ones, whose bits are `first`. */
KERNEL uint128 put_between(uint128 cells, uint128 first, unsigned tile)
{
    const uint128 low = cells & first;
    return low + ((cells - low) << 5) + (first + 1) * tile;
}

KERNEL uint64_t put_between_few(uint64_t cells, unsigned before, unsigned tile)
{
    const uint64_t low = cells & ((UINT64_C(1) << 5 * before) - 1);
    return low + ((cells - low) << 5) + ((uint64_t)tile << 5 * before);
}

/* The board of a word's node. Returns the cell of its blank. */
static inline unsigned word_board(const struct board_code *code, open_word word,
                                  struct kept_board *kept)
{
    enum { FEW = 12 }; /* tiles in a word of 64 bits */
    const unsigned largest = code->shape.cells - 1U;
    kept->key = (compact_key)word.part[2] << 96 | (compact_key)word.part[1] << 64 |
                (compact_key)(word.part[0] & ~255U) << 32;
    const compact_key number = (kept->key >> KEY_UNUSED) * code->inverse;
    const unsigned strip = (unsigned)(number >> code_bit(CODE_PAIRS + 1)) & 15;
    const unsigned blank = code->cell[strip] + (word.part[0] >> 4 & 15);
    unsigned odd = code->odd ^ (code->shape.width % 2 == 0 ? blank / code->shape.width & 1 : 0);
    uint8_t digit[2 * CODE_PAIRS + 2];
    for (unsigned k = 1; 2 * k < largest; k++) {
        const unsigned pair =
            (unsigned)(number >> code_bit(k)) & ((1U << (code_bit(k + 1) - code_bit(k))) - 1);
        digit[2 * k] = (uint8_t)(pair / (2 * k + 2));
        digit[2 * k + 1] = (uint8_t)(pair % (2 * k + 2));
        odd ^= (digit[2 * k] ^ digit[2 * k + 1]) & 1;
    }
    uint64_t few = put_between_few(largest, odd, largest - 1);
    for (unsigned u = 2; u < FEW; u++)
        few = put_between_few(few, digit[u], largest - u);
    uint128 tiles = few;
    for (unsigned u = FEW; u < largest; u++)
        tiles = put_between(tiles, code->first[digit[u]], largest - u);
    kept->board = put_between(tiles, code->first[blank], 0);
    return blank;
}

KERNEL open_word word_of_index(uint64_t index)
{
    return (open_word){{(uint32_t)index, (uint32_t)(index >> 32), 0}};
}

KERNEL uint64_t word_index(open_word word)
{
    return (uint64_t)word.part[1] << 32 | word.part[0];
}
