/* A perfect ranking of the boards that can reach a goal: numbers 0 .. cells!/2 - 1, each exactly
 * once.
 *
 * rank = (cell of the blank) * ((cells - 1)! / 2) + (lexicographic rank of the tiles in reading
 * order, blank left out) / 2. Halving is safe: two neighbours 2k and 2k + 1 in lexicographic order
 * differ by exchanging the last two tiles, and with the blank in its place exactly one of the two
 * can reach the goal. */
#ifndef PUZZLE_RANK_H
#define PUZZLE_RANK_H

#include "puzzle/board.h"

/* Boards of more than 12 cells have more than 2^32 solvable states; they are not ranked. */
enum { MAX_RANKED_CELLS = 12 };

struct ranking {
    struct board goal;
    uint32_t size;     /* cells! / 2 */
    uint32_t per_cell; /* (cells - 1)! / 2: the boards with the blank on a given cell */
};

/* False when the goal has more than MAX_RANKED_CELLS cells. */
bool ranking_make(const struct board *goal, struct ranking *ranking);

/* The rank of a board that can reach the goal (not checked). */
uint32_t ranking_rank(const struct ranking *ranking, const struct board *board);

/* The board of a rank below ranking->size. */
void ranking_unrank(const struct ranking *ranking, uint32_t rank, struct board *board);

#endif
