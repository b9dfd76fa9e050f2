/* Linear conflicts in one line, as the heuristic `linear_conflict` and its subtree counter
 * (subtree/linear_conflict_bits.h) look them up.
 *
 * Of the tiles in a line (a row or a column) that also have their goal in it, those that stay in it
 * all the way cannot pass each other: they stand in the order of their goals. So at least as many
 * must leave as lie outside a longest increasing subsequence of the goals' places. */
#ifndef HEURISTICS_LINEAR_CONFLICT_H
#define HEURISTICS_LINEAR_CONFLICT_H

#include "heuristics/heuristic.h"

/* A line of up to five cells is a code: for each cell a digit, 1 + the goal's place of the tile
 * there, or 0 if its goal is not in the line (or it is the blank); the first cell's digit lowest.
 */
enum { TABLED_CELLS = 5, DIGIT_BITS = 3, LINE_CODES = 1 << TABLED_CELLS * DIGIT_BITS };

/* What a line's code says, in a byte: how many tiles must leave, and above that a bit for each
 * cell, first cell lowest: is it one fewer without the tile there? */
enum { LEAVERS_BITS = 3, LEAVERS = (1 << LEAVERS_BITS) - 1 };

/* The bytes of all codes that a row can have, of a linear_conflict that is ready for boards of at
 * most TABLED_CELLS columns; 0 for codes that no row can have, as a digit but 0 is there twice. */
const uint8_t *linear_conflict_codes(const struct heuristic *heuristic);

#endif
