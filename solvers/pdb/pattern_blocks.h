/* The order in which a pattern database is filled while it is built, and how it is put in the order
 * of ranks at the end.
 *
 * A build finds placements row by row: a row holds all placements on one set of cells, and their
 * ranks lie all over the table, each on a cache line of its own. So the table is filled in another
 * order. A block holds the placements that have the first two slots on given cells, and lies where
 * the ranks have it. Within a block are the rows of the other slots, on sets of the cells that are
 * left; within such a row, the orders of the slots on the set. Permutations are numbered so that
 * the part of a row that lies in one block has consecutive numbers. At the end each block is put in
 * the order of ranks by itself; with eight tiles of the 15-puzzle a block takes 2 MB. */
#pragma once

#include "pdb/pattern.h"

enum { MAX_LEADS = 2, MAX_ROW_ORDERS = 720 /* 6! */ };

/* An order of a block's slots on the places of a set: what some of the places contribute to the
 * rank of a placement is the sum over them of (the cell there - smaller) x the slot's weight. */
struct row_order {
    uint8_t slot[MAX_PATTERN];
    uint8_t smaller[MAX_PATTERN]; /* how many earlier places have a smaller slot */
};

struct pattern_blocks {
    unsigned cells;
    unsigned count;        /* slots of the pattern */
    unsigned leads;        /* slots whose cells make a block */
    uint32_t permutations; /* count! */
    uint32_t rows;         /* of the pattern: sets of `count` cells */
    uint32_t blocks;
    uint32_t block_rows;
    uint32_t row_orders;          /* (count - leads)! */
    uint32_t weight[MAX_PATTERN]; /* of a block's slots */
    uint32_t choose[MAX_CELLS][MAX_PATTERN + 1];
    /* The number of an order is: order of its first places * lasts + order of its last places. */
    unsigned first_places;
    uint32_t lasts;
    uint32_t last_orders; /* of any slots on the last places */
    struct row_order first_order[MAX_ROW_ORDERS];
    struct row_order last_order[MAX_ROW_ORDERS];
    uint16_t last_of[MAX_ROW_ORDERS]; /* by order of the first places: the first of the last orders
                                         that go with it */
};

/* What a thread needs to sort blocks. Starts as zeros, but for `copy`. */
struct block_sorter {
    uint8_t *copy;       /* room for a block: block_rows * row_orders bytes */
    uint64_t last_cells; /* the cells of the last places for which last_part is */
    uint32_t last_part[MAX_ROW_ORDERS];
};

/* The pattern has at most 2^32 placements. */
void blocks_make(const struct pattern *pattern, struct pattern_blocks *blocks);

/* The number of a set among those of its size, in increasing order. */
uint32_t blocks_set_number(const struct pattern_blocks *blocks, uint64_t set);

/* The number, below `permutations`, of the permutation that has slots[i] on place i; and back. */
uint32_t blocks_permutation(const struct pattern_blocks *blocks, const uint8_t slots[MAX_PATTERN]);
void blocks_slots(const struct pattern_blocks *blocks, uint32_t permutation,
                  uint8_t slots[MAX_PATTERN]);

/* Where in the table the permutations number * row_orders, number * row_orders + 1, .. of a set of
 * cells lie, row_orders of them. */
uint64_t blocks_row(const struct pattern_blocks *blocks, uint64_t set, uint32_t number);

/* Puts a block of the table in the order of ranks. */
void blocks_sort(const struct pattern_blocks *blocks, uint8_t *table, uint32_t number,
                 struct block_sorter *sorter);
