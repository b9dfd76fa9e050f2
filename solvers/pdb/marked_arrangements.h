/* Arrangements (pdb/arrangements.h) in which some tiles are marked: told from the others of their
 * goal line, by the line that each is in. So walking distance can ask for a certain tile.
 *
 * An entry is the arrangement's number and the lines of the marked tiles, as digits below it. Some
 * entries are of no arrangement: a marked tile is in a line that has no tile of its goal line. */
#ifndef PDB_MARKED_ARRANGEMENTS_H
#define PDB_MARKED_ARRANGEMENTS_H

#include "pdb/arrangements.h"

enum { MAX_MARKED = 2 };

/* Marked tiles, by goal line and by the line that each is in. */
struct marked_tiles {
    unsigned count;
    uint8_t goal_line[MAX_MARKED];
    uint8_t line[MAX_MARKED];
};

/* How many entries there are with so many marked tiles. */
uint64_t marked_entries(const struct numbering *numbering, unsigned marks);

/* The entry of an arrangement's number and the lines of the marked tiles. */
static inline uint32_t marked_entry(const struct numbering *numbering, uint32_t number,
                                    const struct marked_tiles *marks)
{
    for (unsigned i = 0; i < marks->count; i++)
        number = number * numbering->lines + marks->line[i];
    return number;
}

/* The fewest moves of each from one of them, by entry: breadth-first search. Heap memory; 255 where
 * there is none. The entries must fit 32 bits. */
uint8_t *marked_build(const struct numbering *numbering, uint32_t number,
                      const struct marked_tiles *marks);

#endif
