/* Where the values of a pattern database fall: its table turned inside out.
 *
 * A table of values must be read for each child of a node, to find out whether it is kept. Here an
 * entry says of a placement, for each tile and each of its moves, whether the value falls; and the
 * value. As long as the tiles stay where they are, their entry serves. So a search reads one for
 * each node that it keeps, and none for the children that it drops.
 *
 * Entries have the numbers that they have in the table. A move may change a value by 3 and more, as
 * values leave open where the blank lies: one that does not fall rises by 1 at least. */
#pragma once

#include "pdb/pattern_store.h"
#include "puzzle/moves.h"

enum {
    FALLS_SLOTS = 6, /* tiles of a pattern, at most */
    FALLS_VALUE = 24 /* an entry's bits from here on: the value */
};

/* The bit of an entry that says whether the value falls when the tile of a slot makes a move, among
 * cells of the table. */
static inline unsigned pattern_falls_bit(unsigned slot, unsigned move)
{
    return MOVES * slot + move;
}

/* Whether a table can have such entries: ordinary ones of at most FALLS_SLOTS tiles. */
bool pattern_falls_fit(const struct pattern_table *table);

/* Fills `entries`, of which there are table->entries. Asks goes_on(context) now and then.
 * False, and it ends early, when that says so. */
bool pattern_falls_make(const struct pattern_table *table, uint32_t *entries,
                        bool (*goes_on)(void *context), void *context);
