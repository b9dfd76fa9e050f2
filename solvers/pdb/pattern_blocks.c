/* Sorting a block takes no search for ranks: the rank of a placement is the sum of a number that
 * depends on the first places and one that depends on the last four. Tables of the second are made
 * for the last cells of a set, and serve many sets. */
#include "pdb/pattern_blocks.h"
#include <assert.h>
#include <string.h>

enum { MAX_LAST = 4 };

static uint32_t factorial(unsigned number)
{
    uint32_t product = 1;
    for (unsigned i = 2; i <= number; i++)
        product *= i;
    return product;
}

uint32_t blocks_set_number(const struct pattern_blocks *blocks, uint64_t set)
{
    uint32_t number = 0;
    for (unsigned i = 1; set != 0; set &= set - 1, i++)
        number += blocks->choose[__builtin_ctzll(set)][i];
    return number;
}

/* Takes a cell out of the board: those after it move up. */
static uint64_t without(uint64_t set, unsigned cell)
{
    const uint64_t before = (UINT64_C(1) << cell) - 1;
    return (set & before) | (set >> 1 & ~before);
}

/* The number of an order of `count` different numbers, among all orders of them. */
static uint32_t order_number(const uint8_t *numbers, unsigned count)
{
    uint32_t order = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned later = 0;
        for (unsigned j = i + 1; j < count; j++)
            later += numbers[j] < numbers[i];
        order = order * (count - i) + later;
    }
    return order;
}

/* The order of 0 .. count - 1 with this number. */
static void order_of(uint32_t order, unsigned count, uint8_t *numbers)
{
    for (unsigned i = count; i-- > 0;) {
        numbers[i] = (uint8_t)(order % (count - i));
        order /= count - i;
        for (unsigned j = i + 1; j < count; j++)
            numbers[j] = (uint8_t)(numbers[j] + (numbers[j] >= numbers[i]));
    }
}

/* A permutation's number has a digit for the place of each of the first slots, among the places
 * that are left, and then the order of the other slots. */
uint32_t blocks_permutation(const struct pattern_blocks *blocks, const uint8_t slots[MAX_PATTERN])
{
    uint8_t others[MAX_PATTERN];
    unsigned count = blocks->count;
    uint32_t number = 0;
    memcpy(others, slots, sizeof others);
    for (unsigned slot = 0; slot < blocks->leads; slot++) {
        unsigned place = 0;
        while (others[place] != slot)
            place++;
        number = number * count-- + place;
        memmove(others + place, others + place + 1, count - place);
    }
    return number * blocks->row_orders + order_number(others, count);
}

void blocks_slots(const struct pattern_blocks *blocks, uint32_t permutation,
                  uint8_t slots[MAX_PATTERN])
{
    unsigned count = blocks->count - blocks->leads;
    uint32_t number = permutation / blocks->row_orders;
    order_of(permutation % blocks->row_orders, count, slots);
    for (unsigned i = 0; i < count; i++)
        slots[i] = (uint8_t)(slots[i] + blocks->leads);
    for (unsigned slot = blocks->leads; slot-- > 0;) {
        const unsigned place = number % (count + 1);
        number /= count + 1;
        memmove(slots + place + 1, slots + place, count - place);
        slots[place] = (uint8_t)slot;
        count++;
    }
}

uint64_t blocks_row(const struct pattern_blocks *blocks, uint64_t set, uint32_t number)
{
    uint32_t block = 0;
    uint32_t digits = blocks->permutations / blocks->row_orders; /* values of those to come */
    for (unsigned slot = 0; slot < blocks->leads; slot++) {
        const unsigned places = blocks->count - slot;
        uint64_t rest = set;
        digits /= places;
        for (unsigned place = number / digits % places; place > 0; place--)
            rest &= rest - 1;
        const unsigned cell = (unsigned)__builtin_ctzll(rest);
        block = block * (blocks->cells - slot) + cell;
        set = without(set ^ (rest & -rest), cell);
    }
    return ((uint64_t)block * blocks->block_rows + blocks_set_number(blocks, set)) *
           blocks->row_orders;
}

/* What the places from `place` on contribute to the rank; `cells` are theirs, and others after
 * them. */
static uint32_t part_of(const struct pattern_blocks *blocks, const struct row_order *order,
                        uint64_t cells, unsigned place, unsigned end)
{
    uint32_t part = 0;
    for (; place < end; place++, cells &= cells - 1)
        part += ((uint32_t)__builtin_ctzll(cells) - order->smaller[place]) *
                blocks->weight[order->slot[place]];
    return part;
}

static void sort_row(const struct pattern_blocks *blocks, uint64_t set,
                     const uint8_t *restrict values, uint8_t *restrict block,
                     struct block_sorter *sorter)
{
    const uint32_t lasts = blocks->lasts;
    uint64_t last_cells = set;
    for (unsigned i = 0; i < blocks->first_places; i++)
        last_cells &= last_cells - 1;
    if (last_cells != sorter->last_cells)
        for (uint32_t i = 0; i < blocks->last_orders; i++)
            sorter->last_part[i] = part_of(blocks, &blocks->last_order[i], last_cells,
                                           blocks->first_places, blocks->count - blocks->leads);
    sorter->last_cells = last_cells;
    for (uint32_t first = 0; first < blocks->row_orders / lasts; first++, values += lasts) {
        const uint32_t *restrict last_part = sorter->last_part + blocks->last_of[first];
        uint8_t *const at =
            block + part_of(blocks, &blocks->first_order[first], set, 0, blocks->first_places);
        for (uint32_t i = 0; i < lasts; i++)
            at[last_part[i]] = values[i];
    }
}

/* A block's ranks are those on a board without the cells of the first slots: the digits of later
 * slots leave out the cells of earlier ones. */
void blocks_sort(const struct pattern_blocks *blocks, uint8_t *table, uint32_t number,
                 struct block_sorter *sorter)
{
    const size_t bytes = (size_t)blocks->block_rows * blocks->row_orders;
    uint8_t *const block = table + number * bytes;
    uint64_t set = (UINT64_C(1) << (blocks->count - blocks->leads)) - 1;
    memcpy(sorter->copy, block, bytes);
    for (uint32_t row = 0; row < blocks->block_rows; row++) {
        sort_row(blocks, set, sorter->copy + (size_t)row * blocks->row_orders, block, sorter);
        set = pattern_next_set(set);
    }
}

static void row_order_make(uint32_t number, unsigned count, struct row_order *order)
{
    order_of(number, count, order->slot);
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            order->smaller[i] = (uint8_t)(order->smaller[i] + (order->slot[j] < order->slot[i]));
}

/* Orders that have the same slots on their first places, in whatever order, have the same last
 * orders. */
static void row_orders_make(struct pattern_blocks *blocks)
{
    const unsigned count = blocks->count - blocks->leads;
    const unsigned last_places = count < MAX_LAST ? count : MAX_LAST;
    uint16_t known[1 << MAX_PATTERN]; /* by set of slots on the first places */
    memset(known, 255, sizeof known);
    blocks->first_places = count - last_places;
    blocks->lasts = factorial(last_places);
    for (uint32_t i = 0; i < blocks->row_orders / blocks->lasts; i++) {
        struct row_order *first = &blocks->first_order[i];
        unsigned slots = 0;
        row_order_make(i * blocks->lasts, count, first);
        for (unsigned place = 0; place < blocks->first_places; place++)
            slots |= 1U << first->slot[place];
        if (known[slots] == UINT16_MAX) {
            known[slots] = (uint16_t)blocks->last_orders;
            for (uint32_t j = 0; j < blocks->lasts; j++)
                row_order_make(i * blocks->lasts + j, count,
                               &blocks->last_order[blocks->last_orders++]);
        }
        blocks->last_of[i] = known[slots];
    }
}

void blocks_make(const struct pattern *pattern, struct pattern_blocks *blocks)
{
    const unsigned count = pattern->count;
    const uint64_t entries = pattern_entries(pattern);
    uint32_t weight[MAX_PATTERN];
    *blocks = (struct pattern_blocks){.cells = pattern->shape.cells, .count = count, .blocks = 1};
    blocks->leads = count > MAX_LEADS ? MAX_LEADS : count - 1;
    blocks->permutations = factorial(count);
    blocks->row_orders = factorial(count - blocks->leads);
    assert(blocks->row_orders <= MAX_ROW_ORDERS);
    for (unsigned slot = 0; slot < blocks->leads; slot++)
        blocks->blocks *= blocks->cells - slot;
    blocks->rows = (uint32_t)(entries / blocks->permutations);
    blocks->block_rows = (uint32_t)(entries / blocks->blocks / blocks->row_orders);
    for (unsigned cell = 0; cell < blocks->cells; cell++) {
        blocks->choose[cell][0] = 1;
        for (unsigned i = 1; i <= count && cell > 0; i++)
            blocks->choose[cell][i] = blocks->choose[cell - 1][i] + blocks->choose[cell - 1][i - 1];
    }
    pattern_weights(pattern, weight);
    memcpy(blocks->weight, weight + blocks->leads, (count - blocks->leads) * sizeof *weight);
    row_orders_make(blocks);
}
