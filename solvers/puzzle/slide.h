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
 * and exchanging the two changes no other digit. So the change of the arrangement is looked up by
 * the value of these digits, and a slide is two multiplications and an addition. */
#ifndef PUZZLE_SLIDE_H
#define PUZZLE_SLIDE_H

#include "base/compiler.h"
#include "puzzle/moves.h"
#include "puzzle/rank.h"

struct slide {
    const int32_t *change; /* of the arrangement, by the value of the digits */
    uint64_t part;         /* 2^64 / (unit * span), rounded up; 0 along the line */
    uint32_t span;         /* how many values the digits have; 0 along the line: change[0] is 0 */
    uint32_t low;          /* the low bits of the new code: the blank's new place and the move */
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
    int32_t change[2]
                  [MAX_CHANGES]; /* for a blank that moves forwards in the reading, and backwards */
    int32_t none;                /* the change along the line: 0 */
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

/* The code after a slide from an arrangement. */
KERNEL uint32_t slide_code(const struct slide *slide, uint32_t arrangement)
{
    /* The value of the digits is arrangement / unit % span: what is left of arrangement / (unit *
     * span), as a fraction of 1, times span (Lemire, Kaser and Kurz, "Faster remainder by direct
     * computation", 2019). The fraction in 32 bits, rounded up, is too large by less than 2^-31,
     * far from the next value at 1 / (unit * span) >= 1 / 11!. */
    const uint64_t fraction = (arrangement * slide->part >> 32) + 1;
    const uint64_t digits = fraction * slide->span >> 32;
    return (arrangement + (uint32_t)slide->change[digits]) << CODE_ARRANGEMENT | slide->low;
}

/* The code after a move that is legal there. */
static inline uint32_t slides_move(const struct slides *slides, uint32_t code, unsigned move)
{
    return slide_code(&slides->slide[code >> CODE_PLACE & 15][move], code >> CODE_ARRANGEMENT);
}

/* Codes are expanded in chunks of this size: all children are known before the first is looked up,
 * so that memory can be prefetched. */
enum { SLIDES_CHUNK = 32, SLIDES_CHILDREN = SLIDES_CHUNK * (MOVES - 1) };

/* The children of `count` codes, at most SLIDES_CHUNK, in operator order; parents[i] is the index
 * of child i's parent. Returns how many there are. */
static inline unsigned slides_expand(const struct slides *slides, const uint32_t *codes,
                                     unsigned count, uint32_t *children, uint32_t *parents)
{
    unsigned made = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct slides_after *after = &slides->after[codes[i] % (1 << CODE_ARRANGEMENT)];
        for (unsigned turn = 0; turn < after->count; turn++) {
            children[made] = slide_code(&after->slide[turn], codes[i] >> CODE_ARRANGEMENT);
            parents[made++] = i;
        }
    }
    return made;
}

#endif
