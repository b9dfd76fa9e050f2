/* The exact distance of every board from a goal, found by breadth-first search over a perfect
 * ranking. */
#pragma once

#include "puzzle/rank.h"

/* Tables are made wherever they help up to this size: 3x3 takes 181,440 bytes, 2x5 1,814,400. The
 * next larger shapes, of 12 cells, take 240 million bytes (twice that while the table is made) and
 * seconds. */
enum { MAX_TABLE_CELLS = 10 };

enum { MAX_DISTANCES = 128 }; /* the farthest board of 2x6 lies 80 moves away */

struct distances {
    struct ranking ranking;
    uint8_t *depth;                 /* by rank; owned */
    uint8_t deepest;                /* the largest distance */
    uint32_t states[MAX_DISTANCES]; /* how many boards lie at each distance */
};

/* Builds the table of a goal; distances_end frees it. False if the goal has more than
 * MAX_RANKED_CELLS cells. */
bool distances_make(const struct board *goal, struct distances *distances);

/* The distance of a board from the goal in moves, or -1 if it cannot reach it. */
int distances_of(const struct distances *distances, const struct board *board);

void distances_end(struct distances *distances);
