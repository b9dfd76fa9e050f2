/* A pattern: some tiles of a goal, told by the cells they belong on, and the goal's blank.
 *
 * A pattern database holds for each placement of these tiles, wherever the others may lie, the
 * least number of moves of these tiles that brings them home: the moves of other tiles cost
 * nothing, so that the values of groups of tiles that share none may be added (Korf and Felner,
 * "Disjoint pattern database heuristics", Artificial Intelligence 134, 2002; Felner, Korf and
 * Hanan, "Additive pattern database heuristics", JAIR 22, 2004). Nothing is kept of where the blank
 * lies: a value is the least over all places for it.
 *
 * The tile of slot i is the one whose goal cell is cell[i]. The placement that has it on at[i] has
 * the rank that lists all placements in the order of (at[0], at[1], ..): the sum over the slots of
 * digit x weight, digit = at[i] less the number of j < i with at[j] < at[i], weight[i] = the
 * product of cells - j over the slots j > i. So a move of one tile to a neighbouring cell changes
 * the rank by a few weights (pdb.h). */
#ifndef PDB_PATTERN_H
#define PDB_PATTERN_H

#include "puzzle/shape.h"
#include <stdint.h>

enum {
    MAX_PATTERN = 8,
    NO_REGION = 255,
    UNREACHABLE = 255 /* the value of a placement from which no move leads home: half of them where
                         the pattern holds all tiles, else none */
};

struct pattern {
    struct shape shape;
    uint8_t blank;             /* a cell of the region that the goal's blank lies in */
    uint8_t count;             /* tiles: 1 .. MAX_PATTERN */
    uint8_t cell[MAX_PATTERN]; /* their goal cells */
};

/* The number of placements: cells! / (cells - count)!; UINT64_MAX where that is more. */
uint64_t pattern_entries(const struct pattern *pattern);

/* What a digit of each slot counts for in the rank. */
void pattern_weights(const struct pattern *pattern, uint32_t weight[MAX_PATTERN]);

/* The rank of the placement that has the tile of slot i on cell at[i]. */
uint32_t pattern_rank(const struct pattern *pattern, const uint8_t at[MAX_PATTERN]);

/* The regions that `occupied` (bit c: cell c) leaves free: cells between which the blank can go
 * without moving a tile of the pattern. Numbered by their first cells; region[c] is the one of cell
 * c, NO_REGION where it is occupied. Returns how many there are: with at most MAX_PATTERN cells
 * occupied never more than 8. */
unsigned pattern_regions(struct shape shape, uint64_t occupied, uint8_t region[MAX_CELLS]);

/* The pattern that stands for all that are equal to this one but for a symmetry of the rectangle
 * and the order of the slots: its table is the table of all of them. map[c] is the cell of
 * `canonical` that cell c corresponds to, slot[i] the slot of `canonical` that slot i does.
 * `canonical` has its cells in rising order and as its blank the first cell of the region; of the
 * images it is the one with the least blank, then with the least cells. */
void pattern_canonical(const struct pattern *pattern, struct pattern *canonical,
                       uint8_t map[MAX_CELLS], uint8_t slot[MAX_PATTERN]);

#endif
