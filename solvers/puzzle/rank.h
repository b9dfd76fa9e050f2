/* A perfect ranking of the boards that can reach a goal: numbers 0 .. cells!/2 - 1, each used
 * exactly once.
 *
 * A board is read along its shorter side, row by row or, if it is wider than high, column by
 * column. So a slide passes at most two other tiles (puzzle/slide.h). A place is the number of a
 * cell in this reading.
 *
 * rank = (place of the blank) * ((cells - 1)! / 2) + (arrangement) / 2, where the arrangement is
 * the lexicographic number of the tiles as read, without the blank. Halving loses nothing: of two
 * neighbours 2k and 2k + 1 in lexicographic order, which differ by an exchange of the last two
 * tiles, exactly one can reach the goal with the blank in that place. */
#pragma once

#include "puzzle/board.h"

/* Boards of more than 12 cells are not ranked: the next ones have more than 2^32 states. */
enum { MAX_RANKED_CELLS = 12 };

struct ranking {
    struct board goal;
    uint32_t size;     /* cells! / 2 */
    uint32_t per_cell; /* (cells - 1)! / 2: the boards with the blank on a given cell */
    uint8_t cell[MAX_RANKED_CELLS]; /* the cell of each place */
};

/* False when the goal has more than MAX_RANKED_CELLS cells. */
bool ranking_make(const struct board *goal, struct ranking *ranking);

/* The arrangement of a board's tiles, below (cells - 1)!; *blank receives the place of the blank.
 */
uint32_t ranking_arrangement(const struct ranking *ranking, const struct board *board,
                             unsigned *blank);

/* The rank of a board that can reach the goal (not checked). */
uint32_t ranking_rank(const struct ranking *ranking, const struct board *board);

/* The board of a rank below ranking->size. */
void ranking_unrank(const struct ranking *ranking, uint32_t rank, struct board *board);
