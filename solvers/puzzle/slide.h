/* Slides on boards that are numbers, for breadth-first searches over ranked boards.
 *
 * A code is a board and the move that led to it, in 32 bits:
 *     bits 0-1   the move (enum move)
 *     bits 2-5   the place of the blank    (as in puzzle/rank.h)
 *     bits 6-31  the arrangement           (as there; less than 11!)
 *
 * A slide along a line of the reading changes only the blank's place. A slide across takes one tile
 * past the side - 1 tiles between (side: the shorter one, 2 or 3): `side` tiles that are neighbours
 * in the reading are rotated. Of the arrangement's Lehmer code only their digits change, and the
 * new digits depend on the old ones alone: the digits of two neighbours say which is the larger,
 * and exchanging the two changes no other digit. So what is added to the code is looked up by the
 * value of these digits, and a slide is two multiplications and an addition. */
#pragma once

#include "base/compiler.h"
#include "puzzle/moves.h"
#include "puzzle/pack.h"
#include "puzzle/rank.h"

struct slide {
    const uint32_t *code; /* the new code less the old arrangement's, by the value of the digits */
    uint64_t part;        /* 2^64 / (unit * span), rounded up; 0 along the line */
    uint32_t span;        /* how many values the digits have; 0 along the line */
    uint32_t along;       /* along the line: what `code` points to */
};

/* The slides that can follow a move, in operator order, without the one that undoes it. */
struct slides_after {
    uint32_t count;
    struct slide slide[MOVES - 1];
};

/* The sum of 11 * 10 * 9, 10 * 9 * 8, .. 3 * 2 * 1: all values of the digits, for 3 x 4 cells. */
enum { MAX_CHANGES = 2970 };

enum { CODE_PLACE = 2, CODE_ARRANGEMENT = 6 };

struct slides {
    struct ranking ranking;
    struct slide slide[MAX_RANKED_CELLS][MOVES];      /* by the blank's place */
    struct slides_after after[1 << CODE_ARRANGEMENT]; /* by the low bits of a code */
    uint32_t
        across[2][MAX_CHANGES]; /* for a blank that moves forwards in the reading, and backwards */
    uint32_t none;              /* of slides that fill up a list: 0 */
};

/* The slides of a ranking's shape, in this operator order. `slides` points into itself: it must not
 * be moved. */
void slides_make(const struct ranking *ranking, const struct operators *operators,
                 struct slides *slides);

/* The code of a board that was reached by `move`. */
uint32_t slides_code(const struct slides *slides, const struct board *board, unsigned move);

/* The rank of a code's board; two codes of one board have the same. */
static inline uint32_t slides_rank(const struct slides *slides, uint32_t code)
{
    return (code >> CODE_PLACE & 15) * slides->ranking.per_cell + (code >> CODE_ARRANGEMENT) / 2;
}

/* The code after a slide from a code. */
KERNEL uint32_t slide_code(const struct slide *slide, uint32_t code)
{
    /* The value of the digits is arrangement / unit % span: what is left of arrangement / (unit *
     * span), as a fraction of 2^64, times span (Lemire, Kaser and Kurz, "Faster remainder by direct
     * computation", 2019). As `part` is rounded up, the fraction is too large by less than
     * arrangement < 2^26, far from the next value at 2^64 / (unit * span) >= 2^64 / 11!. */
    const uint64_t fraction = (code >> CODE_ARRANGEMENT) * slide->part;
    const uint64_t digits = (uint64_t)((uint128)fraction * slide->span >> 64);
    return (code & (uint32_t) - (1 << CODE_ARRANGEMENT)) + slide->code[digits];
}

/* The code after a move that is legal there. */
static inline uint32_t slides_move(const struct slides *slides, uint32_t code, unsigned move)
{
    return slide_code(&slides->slide[code >> CODE_PLACE & 15][move], code);
}

/* Codes are expanded in chunks of this size: all children are known before the first is looked up,
 * so that memory can be prefetched. */
enum { SLIDES_CHUNK = 32, SLIDES_CHILDREN = SLIDES_CHUNK * (MOVES - 1) };

/* The children of `count` codes, at most SLIDES_CHUNK, in operator order; parents[i] is the index
 * of child i's parent. Returns how many there are. Most codes have one child or two, at random, and
 * a branch would often be mispredicted: two are always made, and as many as there are counted. */
static inline unsigned slides_expand(const struct slides *slides, const uint32_t *restrict codes,
                                     unsigned count, uint32_t *restrict children,
                                     uint8_t *restrict parents)
{
    unsigned made = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct slides_after *after = &slides->after[codes[i] % (1 << CODE_ARRANGEMENT)];
        children[made] = slide_code(&after->slide[0], codes[i]);
        children[made + 1] = slide_code(&after->slide[1], codes[i]);
        parents[made] = parents[made + 1] = (uint8_t)i;
        if (UNLIKELY(after->count == MOVES - 1)) {
            children[made + 2] = slide_code(&after->slide[2], codes[i]);
            parents[made + 2] = (uint8_t)i;
        }
        made += after->count;
    }
    return made;
}
