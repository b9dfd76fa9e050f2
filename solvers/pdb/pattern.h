/* What a table is of. A pattern: some tiles of a goal, given by their goal cells, and the goal's
 * blank.
 *
 * A pattern database holds, for each placement of these tiles, the minimum number of moves of these
 * tiles that brings them home, over all positions of the other tiles. Moves of other tiles cost
 * nothing, so the values of disjoint groups of tiles may be added (Korf and Felner, "Disjoint
 * pattern database heuristics", Artificial Intelligence 134, 2002; Felner, Korf and Hanan,
 * "Additive pattern database heuristics", JAIR 22, 2004). In an ordinary database the blank's
 * position is not stored: a value is the minimum over all its positions. A zero-aware one has a
 * value for each region of free cells that may hold the blank (Clausecker and Reinefeld,
 * "Zero-aware pattern databases with 1-bit compression for sliding tile puzzles", SoCS 2019), which
 * is the minimum over its cells and exact; pdb/pattern_sets.h says how its entries are numbered.
 *
 * In an ordinary database entries are numbered by rank. The tile of slot i is the one whose goal
 * cell is cell[i]. A placement with that tile on at[i] has as its rank its index in the
 * lexicographic order of (at[0], at[1], ..): the sum over the slots of digit x weight, where digit
 * = at[i] minus the number of j < i with at[j] < at[i], and weight[i] = the product of cells - j
 * over the slots j > i. So moving one tile to an adjacent cell changes the rank by a few weights
 * (heuristics/pdb.h). */
#pragma once

#include "puzzle/board.h"
#include "puzzle/costs.h"
#include <stdint.h>

enum {
    MAX_PATTERN = 8,
    NO_REGION = 255,
    UNREACHABLE = 255 /* the value of what cannot be brought home: half of the placements if the
                         pattern holds all tiles, some on 2x2; if it holds all but one, half of
                         those regions of which a placement has two; else nothing */
};

/* What is stored, as the files have it. */
enum pattern_kind {
    PATTERN_ADDITIVE,
    PATTERN_ZERO_AWARE,
    PATTERN_WALKING, /* no tiles, but the arrangements of all rows (pdb/arrangements.h), entries by
                        their numbers */
    PATTERN_PRICED   /* as additive ones, but what the moves cost by a model, 8 bytes a value */
};

struct pattern {
    struct shape shape;
    uint8_t blank;             /* a cell in the region of the goal's blank */
    uint8_t count;             /* tiles: 1 .. MAX_PATTERN */
    uint8_t cell[MAX_PATTERN]; /* their goal cells */
    uint8_t kind;              /* enum pattern_kind */
    uint8_t model;             /* of PATTERN_PRICED: enum cost_model; else 0 */
    uint8_t tile[MAX_PATTERN]; /* likewise: the tile of each slot, which says what its moves cost */
};

/* An additive pattern of a goal with the costs of a model. It is its own canonical one, as tiles
 * that are mirror images cost different amounts. */
struct pattern pattern_priced(const struct pattern *pattern, const struct board *goal,
                              enum cost_model model);

/* The number of placements: cells! / (cells - count)!; UINT64_MAX on overflow. If the pattern is
 * zero-aware, each counts once for each of its regions; above 2^32 placements, only once. Of
 * walking distance: its arrangements. */
uint64_t pattern_entries(const struct pattern *pattern);

/* The bytes of all values: one for each entry, eight if the pattern is priced. */
uint64_t pattern_bytes(const struct pattern *pattern);

/* The next larger set of as many cells (bit c: cell c). */
uint64_t pattern_next_set(uint64_t set);

/* The weight of each slot's digit in the rank. */
void pattern_weights(const struct pattern *pattern, uint32_t weight[MAX_PATTERN]);

/* The rank of the placement that has the tile of slot i on cell at[i]. */
uint32_t pattern_rank(const struct pattern *pattern, const uint8_t at[MAX_PATTERN]);

/* Whether the value of a placement is odd (0 or 1): the tile of slot i is on cell at[i]. */
unsigned pattern_parity(const struct pattern *pattern, const uint8_t at[MAX_PATTERN]);

/* The regions of the cells not in `occupied` (bit c: cell c): within a region the blank can move
 * freely without moving a tile of the pattern. Regions are numbered in the order of their first
 * cells; region[c] is that of cell c, NO_REGION if c is occupied. Returns the number of regions: at
 * most 8 if at most MAX_PATTERN cells are occupied. */
unsigned pattern_regions(struct shape shape, uint64_t occupied, uint8_t region[MAX_CELLS]);

/* The representative of all patterns that equal this one up to a symmetry of the rectangle and the
 * order of the slots; they share its table. map[c] is the cell of `canonical` that corresponds to
 * cell c, and slot[i] its slot that corresponds to slot i. `canonical` has its cells in increasing
 * order, and its blank is the first cell of the region; among the images it has the smallest blank,
 * then the lexicographically smallest cells. */
void pattern_canonical(const struct pattern *pattern, struct pattern *canonical,
                       uint8_t map[MAX_CELLS], uint8_t slot[MAX_PATTERN]);

/* The pattern whose table serves this one where moves cost what the model says: the canonical one,
 * or with other costs than 1 the priced one. */
struct pattern pattern_served(const struct pattern *pattern, const struct board *goal,
                              enum cost_model model);
