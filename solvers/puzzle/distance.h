/* The exact distance of every board from a goal, by breadth-first search over a perfect ranking. */
#ifndef PUZZLE_DISTANCE_H
#define PUZZLE_DISTANCE_H

#include "puzzle/rank.h"

/* Tables are made for boards of up to 10 cells: 3x3 takes 181,440 bytes, 2x5 1,814,400. */
enum { MAX_TABLE_CELLS = 10 };

struct distances {
    struct ranking ranking;
    uint8_t *depth;      /* by rank; owned */
    uint8_t deepest;     /* the largest distance */
    uint32_t states[64]; /* how many boards lie at each distance */
};

/* Builds the table of a goal; false when its shape has more than MAX_TABLE_CELLS cells. */
bool distances_make(const struct board *goal, struct distances *distances);

/* The exact distance of a board from the goal, or -1 when it cannot reach it. */
int distances_of(const struct distances *distances, const struct board *board);

void distances_end(struct distances *distances);

#endif
