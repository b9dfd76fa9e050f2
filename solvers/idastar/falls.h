/* Which moves let the value of a group fall: pattern databases on 4x4 turned inside out, for the
 * counter of layers (idastar/layers_pdb.h).
 *
 * A table of values must be read for each child, to find out whether it is kept. Here an entry says
 * of a placement, for each tile of the group and each move of the blank with which the tile may
 * change places, whether the group's value falls; else it rises. As long as a group stays where it
 * is, its entry serves. So an entry is read for each node that is kept, and no value at all.
 *
 * Tiles are numbered anew, group by group: their codes. A placement is the cells of the group's
 * tiles, four bits for each, and that is the entry's number: nothing is ranked. Two tiles are never
 * on one cell, so a half of the entries is not used.
 *
 * Most moves change a value by 1, one in seventy by 3, 5 or 7, as the values leave open where the
 * blank lies. So an entry also says for each move whether some tile of the group would change the
 * value by more than 1 (FALLS_LEAP), and its value mod 16, which tells by how much. */
#pragma once

#include "base/arena.h"
#include "heuristics/pdb.h"

enum {
    FALLS_CELLS = 16,
    FALLS_TILES = 5,    /* of a group, at most: 2^20 entries */
    FALLS_BITS = 4,     /* of a cell, and of the moves of a tile */
    FALLS_LEAP = 24,    /* an entry's bits from here on: by move, whether a value leaps */
    FALLS_REST = 28,    /* and from here on the value mod 16 */
    FALLS_FARTHEST = 7, /* no leap is farther */
    FALLS_MARGIN = 64,  /* entries that are made together, at most */
};

/* Where the group of a tile lies, in one word: the mask of its placements, the place of its first
 * tile << FALLS_PLACE, the number of its first entry << FALLS_FIRST. */
enum { FALLS_PLACE = 24, FALLS_FIRST = 32, FALLS_MASK = (1 << FALLS_PLACE) - 1 };

struct falls {
    uint8_t code[FALLS_CELLS];   /* of each tile */
    uint64_t group[FALLS_CELLS]; /* by code; of those that no tile has, as of 0 */
    const uint32_t *entries;
    uint64_t bytes; /* of the entries */
};

static inline uint64_t falls_mask(uint64_t group)
{
    return group & FALLS_MASK;
}

static inline unsigned falls_place(uint64_t group)
{
    return group >> FALLS_PLACE & 63;
}

/* The entry of the group that the tile of a code belongs to. `cells`: that of each tile by code,
 * FALLS_BITS each. */
static inline uint32_t falls_entry(const struct falls *falls, unsigned code, uint64_t cells)
{
    const uint64_t group = falls->group[code];
    return falls
        ->entries[(cells >> falls_place(group) & falls_mask(group)) + (group >> FALLS_FIRST)];
}

/* How many entries a group has: those of a line at least, which are made together. */
static inline unsigned falls_numbers(const struct pdb_group *group)
{
    const unsigned numbers = 1U << FALLS_BITS * group->count;
    return numbers < FALLS_MARGIN ? FALLS_MARGIN : numbers;
}

/* Whether there can be such entries: ordinary tables, one sum, groups of at most FALLS_TILES. */
bool falls_fit(const struct pdb *pdb);

/* Makes the entries of one group in zeroed memory; `values` has room for all its entries and
 * FALLS_MARGIN bytes more before and after. False if a leap is too far. */
typedef bool falls_maker(uint32_t *entries, int8_t *values, const struct pdb_group *group);

/* The tables for `pdb`. Their entries are kept when the search ends, for the next one of this
 * process with the same groups, but are counted in its arena as if they had been made in it. False
 * if the budget does not allow them, or a leap is too far. Not thread-safe. */
bool falls_start(struct falls *falls, const struct pdb *pdb, falls_maker *make,
                 struct arena *arena);
void falls_end(const struct falls *falls, struct arena *arena);
