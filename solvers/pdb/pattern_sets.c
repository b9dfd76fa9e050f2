#include "pdb/pattern_sets.h"
#include "base/heap.h"
#include <xxhash.h>

uint32_t pattern_order(unsigned count, const uint8_t at[MAX_PATTERN])
{
    uint32_t order = 0;
    uint32_t weight = 1;
    for (unsigned i = 1; i < count; i++) {
        weight *= i;
        for (unsigned j = 0; j < i; j++)
            order += at[j] < at[i] ? weight : 0;
    }
    return order;
}

static uint32_t choose(unsigned all, unsigned count)
{
    uint64_t product = 1;
    for (unsigned i = 0; i < count; i++)
        product = product * (all - i) / (i + 1);
    return count > all ? 0 : (uint32_t)product;
}

/* Sets with the same other cells follow each other. */
static void numbers_make(struct pattern_sets *sets)
{
    uint32_t next[MAX_PATTERN + 1] = {0};
    for (uint32_t low = 0; low < UINT32_C(1) << sets->low_cells; low++) {
        const unsigned count = (unsigned)__builtin_popcount(low);
        if (count <= sets->count)
            sets->low[low] = next[count]++;
    }
    for (uint32_t high = 0; high < UINT32_C(1) << (sets->shape.cells - sets->low_cells); high++) {
        const unsigned count = (unsigned)__builtin_popcount(high);
        sets->high[high] = sets->sets;
        if (count <= sets->count)
            sets->sets += choose(sets->low_cells, sets->count - count);
    }
}

/* Finds lists by their contents, while they are made. */
struct finder {
    uint32_t *number; /* by hash, then in a row: number of the list + 1; 0: free */
    uint32_t room;    /* a power of two, more than twice the lists */
};

static uint32_t *place_of(const struct pattern_sets *sets, const struct finder *finder,
                          const uint8_t list[MAX_CELLS])
{
    uint64_t at = XXH3_64bits(list, MAX_CELLS);
    for (;; at++) {
        uint32_t *number = &finder->number[at & (finder->room - 1)];
        if (*number == 0 || memcmp(sets->region[*number - 1], list, MAX_CELLS) == 0)
            return number;
    }
}

/* The number of a list, which is added if it is new. */
static uint32_t list_number(struct pattern_sets *sets, struct finder *finder,
                            const uint8_t list[MAX_CELLS])
{
    if (2 * sets->lists >= finder->room) {
        free(finder->number);
        finder->room = finder->room == 0 ? 1024 : 2 * finder->room;
        finder->number = heap_take(finder->room, sizeof *finder->number);
        for (uint32_t i = 0; i < sets->lists; i++)
            *place_of(sets, finder, sets->region[i]) = i + 1;
    }
    uint32_t *number = place_of(sets, finder, list);
    if (*number == 0) {
        sets->region = heap_grow(sets->region, sets->lists, sizeof *sets->region);
        memcpy(sets->region[sets->lists], list, MAX_CELLS);
        *number = ++sets->lists;
    }
    return *number - 1;
}

/* Gives cells that are not free the number of the largest region, so that few lists differ. */
static void fill(uint8_t list[MAX_CELLS], unsigned regions)
{
    unsigned cells[MAX_CELLS] = {0};
    unsigned largest = 0;
    for (unsigned cell = 0; cell < MAX_CELLS; cell++)
        if (list[cell] != NO_REGION)
            cells[list[cell]]++;
    for (unsigned region = 1; region < regions; region++)
        if (cells[region] > cells[largest])
            largest = region;
    for (unsigned cell = 0; cell < MAX_CELLS; cell++)
        if (list[cell] == NO_REGION)
            list[cell] = (uint8_t)largest;
}

struct pattern_sets *pattern_sets_make(struct shape shape, unsigned count)
{
    struct pattern_sets *sets = heap_take(1, sizeof *sets);
    struct finder finder = {0};
    *sets = (struct pattern_sets){
        .shape = shape, .count = count, .orders = 1, .low_cells = shape.cells / 2U};
    for (unsigned i = 2; i <= count; i++)
        sets->orders *= i;
    sets->low = heap_take((size_t)1 << sets->low_cells, sizeof *sets->low);
    sets->high = heap_take((size_t)1 << (shape.cells - sets->low_cells), sizeof *sets->high);
    numbers_make(sets);
    sets->set = heap_take(sets->sets + (size_t)1, sizeof *sets->set);
    uint64_t cells = (UINT64_C(1) << count) - 1;
    for (uint32_t i = 0; i < sets->sets; i++, cells = pattern_next_set(cells)) {
        uint8_t list[MAX_CELLS];
        const unsigned regions = pattern_regions(shape, cells, list);
        fill(list, regions);
        sets->set[i] = (struct pattern_set){sets->regions, list_number(sets, &finder, list)};
        sets->regions += regions;
    }
    sets->set[sets->sets].first = sets->regions;
    free(finder.number);
    return sets;
}

void pattern_sets_end(struct pattern_sets *sets)
{
    if (sets == NULL)
        return;
    FREE(sets->low, sets->high, sets->set, sets->region, sets);
}
