/* The sets of cells that a pattern's tiles may occupy, and the regions of free cells of each.
 *
 * They number the entries of zero-aware tables: an entry belongs to a set, to one of its regions,
 * which holds the blank, and to an order of the slots on the set. Its number is
 * (the set's first region + the region) x orders + the number of the order.
 *
 * The number of an order is the sum over the slots of (how many earlier slots lie on earlier cells)
 * x (the slot's index)!. So a tile that moves without passing another one leaves it as it is, and
 * for each tile that it passes it changes by one weight, as a rank does (heuristics/pdb.h). */
#pragma once

#include "pdb/pattern.h"

struct pattern_set {
    uint32_t first; /* the number of its first region, over all sets */
    uint32_t list;  /* of its regions: row of pattern_sets.region */
};

/* For a shape and a number of tiles. */
struct pattern_sets {
    struct shape shape;
    unsigned count;   /* tiles */
    uint32_t orders;  /* count! */
    uint32_t regions; /* of all sets */
    uint32_t sets;
    /* The number of a set is low[its first `low_cells` cells] + high[its other cells], its index
     * among the sets of `count` cells in increasing order. */
    unsigned low_cells;
    uint32_t *low;
    uint32_t *high;
    struct pattern_set *set; /* by number; one more at the end */
    /* By list: the region of each free cell. Sets with the same regions share a list, and so do
     * others that fit, as what it says of their own cells means nothing. */
    uint8_t (*region)[MAX_CELLS];
    uint32_t lists;
};

/* In heap memory; pattern_sets_end. */
struct pattern_sets *pattern_sets_make(struct shape shape, unsigned count);

/* `sets` may be NULL. */
void pattern_sets_end(struct pattern_sets *sets);

static inline const struct pattern_set *pattern_sets_at(const struct pattern_sets *sets,
                                                        uint64_t cells)
{
    const uint64_t low = cells & ((UINT64_C(1) << sets->low_cells) - 1);
    return &sets->set[sets->low[low] + sets->high[cells >> sets->low_cells]];
}

/* The number of the first entry of a set with the blank on a free cell. */
static inline uint32_t pattern_set_entry(const struct pattern_sets *sets,
                                         const struct pattern_set *set, unsigned blank)
{
    return (set->first + sets->region[set->list][blank]) * sets->orders;
}

/* The same, of the set of these cells. */
static inline uint32_t pattern_sets_entry(const struct pattern_sets *sets, uint64_t cells,
                                          unsigned blank)
{
    return pattern_set_entry(sets, pattern_sets_at(sets, cells), blank);
}

/* The number of the order in which the slots lie; at[i]: the cell, or place, of slot i. */
uint32_t pattern_order(unsigned count, const uint8_t at[MAX_PATTERN]);
