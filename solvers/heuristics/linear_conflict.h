/* Linear conflicts in one line, as looked up by the heuristic `linear_conflict` and its subtree
 * counter (idastar/linear_conflict_bits.h).
 *
 * Of the tiles in a line (a row or a column) that have their goal in it, those that never leave it
 * cannot pass each other: they must be in the sequence of their goals. So at least those outside
 * a longest increasing subsequence of the goals' places must leave. */
#pragma once

#include "heuristics/heuristic.h"

/* The code of a line of up to five cells: a digit for each cell, the first cell's lowest. The digit
 * is 1 + the place of the tile's goal in the line, or 0 if its goal is elsewhere or the cell is
 * blank. */
enum { TABLED_CELLS = 5, DIGIT_BITS = 3, LINE_CODES = 1 << TABLED_CELLS * DIGIT_BITS };

/* What a code means, in a byte: how many tiles must leave, and above that a bit for each cell, the
 * first cell's lowest: is it one fewer without the tile there? */
enum { LEAVERS_BITS = 3, LEAVERS = (1 << LEAVERS_BITS) - 1 };

/* The bytes of all codes that a row can have. `heuristic` is a linear_conflict prepared for boards
 * of at most TABLED_CELLS columns. Codes that no row can have, because a digit other than 0
 * repeats, have 0. */
const uint8_t *linear_conflict_codes(const struct heuristic *heuristic);
