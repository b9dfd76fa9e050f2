/* A perfect ranking of the boards that can reach a goal: numbers 0 .. cells!/2 - 1, each exactly
 * once.
 *
 * A board is read along its shorter side: row by row, or column by column where it is wider than
 * high, so that a slide passes over at most two other tiles (puzzle/slide.h). A place is a cell's
 * number in this reading order.
 *
 * rank = (place of the blank) * ((cells - 1)! / 2) + (arrangement) / 2, where the arrangement is
 * the lexicographic number of the tiles in reading order, blank left out. Halving is safe: two
 * neighbours 2k and 2k + 1 in lexicographic order differ by exchanging the last two tiles, and with
 * the blank in its place exactly one of the two can reach the goal. */
#ifndef PUZZLE_RANK_H
#define PUZZLE_RANK_H

#include "puzzle/board.h"

/* Boards of more than 12 cells have more than 2^32 solvable states; they are not ranked. */
enum { MAX_RANKED_CELLS = 12 };

struct ranking {
    struct board goal;
    uint32_t size;     /* cells! / 2 */
    uint32_t per_cell; /* (cells - 1)! / 2: the boards with the blank on a given cell */
    uint8_t cell[MAX_RANKED_CELLS]; /* the cell of each place */
};

/* False when the goal has more than MAX_RANKED_CELLS cells. */
bool ranking_make(const struct board *goal, struct ranking *ranking);

/* The arrangement of a board's tiles, below (cells - 1)!, and the place of its blank. */
uint32_t ranking_arrangement(const struct ranking *ranking, const struct board *board,
                             unsigned *blank);

/* The rank of a board that can reach the goal (not checked). */
uint32_t ranking_rank(const struct ranking *ranking, const struct board *board);

/* The board of a rank below ranking->size. */
void ranking_unrank(const struct ranking *ranking, uint32_t rank, struct board *board);

#endif
