/* A board, unpacked: which tile lies on each cell. 0 is the blank. */
#pragma once

#include "puzzle/shape.h"
#include <stddef.h>

struct board {
    struct shape shape;
    uint8_t blank;           /* the cell of the blank */
    uint8_t cell[MAX_CELLS]; /* the tile on each cell; 0 beyond shape.cells */
};

/* Makes a board from `shape.cells` tiles. False unless they are a permutation of 0 .. cells - 1. */
bool board_make(struct shape shape, const uint8_t *tiles, struct board *board);

bool board_equal(const struct board *a, const struct board *b);

/* Whether a sequence of moves leads from one board to the other: their shapes are equal, and the
 * parity of the permutation between them is the parity of the distance between their blanks
 * (Johnson and Story, "Notes on the 15 puzzle", American Journal of Mathematics 2, 1879). True of
 * every shape with both sides at least 2. */
bool board_connected(const struct board *start, const struct board *goal);

/* The sum of the tiles' distances to their goal cells. */
unsigned board_manhattan(const struct board *board, const struct board *goal);

/* Two tiles of a board that cannot reach the goal; with these exchanged, as with any two, it can.
 * If there are such tiles, each lies on the other's goal cell; else they are neighbours in a row.
 */
void board_exchange(const struct board *start, const struct board *goal, uint8_t tiles[2]);

/* Moves the blank to the neighbouring cell `to`; the tile there takes the blank's place. */
static inline void board_slide(struct board *board, unsigned to)
{
    board->cell[board->blank] = board->cell[to];
    board->cell[to] = 0;
    board->blank = (uint8_t)to;
}

/* The size of the longest text of board_line, its zero byte included. */
enum { BOARD_LINE = 3 * MAX_CELLS };

/* Writes the tiles on one line, separated by spaces: "1 2 3 4 5 6 7 8 0". */
void board_line(const struct board *board, char text[BOARD_LINE]);
