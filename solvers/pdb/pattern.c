#include "pdb/pattern.h"
#include "base/compiler.h"
#include "pdb/arrangements.h"
#include <string.h>

enum { SYMMETRIES = 8 };

/* Gosper's hack. */
uint64_t pattern_next_set(uint64_t set)
{
    const uint64_t carried = set + (set & -set);
    return carried | ((carried ^ set) >> 2) / (set & -set);
}

void pattern_weights(const struct pattern *pattern, uint32_t weight[MAX_PATTERN])
{
    uint32_t product = 1;
    for (unsigned i = pattern->count; i-- > 0;) {
        weight[i] = product;
        product *= pattern->shape.cells - i;
    }
}

uint32_t pattern_rank(const struct pattern *pattern, const uint8_t at[MAX_PATTERN])
{
    uint32_t rank = 0;
    for (unsigned i = 0; i < pattern->count; i++) {
        uint32_t digit = at[i];
        for (unsigned j = 0; j < i; j++)
            digit -= at[j] < at[i];
        rank = rank * (pattern->shape.cells - i) + digit;
    }
    return rank;
}

unsigned pattern_parity(const struct pattern *pattern, const uint8_t at[MAX_PATTERN])
{
    unsigned distance = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        distance += shape_distance(pattern->shape, at[i], pattern->cell[i]);
    return distance % 2;
}

/* The cells of `open` that are connected to a cell of `from`. */
static uint64_t flood(struct shape shape, uint64_t from, uint64_t open)
{
    uint64_t first_column = 0;
    for (unsigned row = 0; row < shape.height; row++)
        first_column |= UINT64_C(1) << row * shape.width;
    const uint64_t last_column = first_column << (shape.width - 1);
    for (uint64_t before = 0; before != from;) {
        before = from;
        from |= (from & ~last_column) << 1 | (from & ~first_column) >> 1 | from << shape.width |
                from >> shape.width;
        from &= open;
    }
    return from;
}

unsigned pattern_regions(struct shape shape, uint64_t occupied, uint8_t region[MAX_CELLS])
{
    uint64_t left = ((UINT64_C(1) << shape.cells) - 1) & ~occupied;
    unsigned count = 0;
    memset(region, NO_REGION, MAX_CELLS);
    for (; left != 0; count++) {
        const uint64_t found = flood(shape, left & -left, left);
        for (uint64_t rest = found; rest != 0; rest &= rest - 1)
            region[__builtin_ctzll(rest)] = (uint8_t)count;
        left &= ~found;
    }
    return count;
}

/* The image of a cell under a symmetry: bit 0 swaps left and right, bit 1 top and bottom, bit 2
 * (squares only) columns and rows. */
static unsigned image_of(struct shape shape, unsigned cell, unsigned symmetry)
{
    unsigned column = cell % shape.width;
    unsigned row = cell / shape.width;
    if ((symmetry & 1) != 0)
        column = shape.width - 1U - column;
    if ((symmetry & 2) != 0)
        row = shape.height - 1U - row;
    return (symmetry & 4) != 0 ? column * shape.width + row : row * shape.width + column;
}

/* The image under a symmetry: its cells in increasing order, its blank the first cell of the
 * region. */
static void image_make(const struct pattern *pattern, unsigned symmetry, struct pattern *image,
                       uint8_t slot[MAX_PATTERN])
{
    uint8_t region[MAX_CELLS];
    uint64_t occupied = 0;
    const unsigned count = pattern->count;
    ASSUME(count <= MAX_PATTERN); /* else gcc warns */
    *image =
        (struct pattern){.shape = pattern->shape, .count = pattern->count, .kind = pattern->kind};
    for (unsigned i = 0; i < count; i++)
        occupied |= UINT64_C(1) << image_of(pattern->shape, pattern->cell[i], symmetry);
    for (unsigned i = 0; i < count; i++) {
        const unsigned cell = image_of(pattern->shape, pattern->cell[i], symmetry);
        slot[i] = (uint8_t)__builtin_popcountll(occupied & ((UINT64_C(1) << cell) - 1));
        image->cell[slot[i]] = (uint8_t)cell;
    }
    pattern_regions(pattern->shape, occupied, region);
    const unsigned blank = image_of(pattern->shape, pattern->blank, symmetry);
    while (region[image->blank] != region[blank])
        image->blank++;
}

/* Compares by blank, then by cells. */
static int compare(const struct pattern *a, const struct pattern *b)
{
    return a->blank != b->blank ? a->blank - b->blank : memcmp(a->cell, b->cell, sizeof a->cell);
}

/* The regions of all sets of `count` cells together. Counted once for each shape and count. */
static uint64_t regions_of_all_sets(struct shape shape, unsigned count)
{
    static uint32_t known[MAX_SIDE + 1][MAX_SIDE + 1][MAX_PATTERN + 1];
    uint32_t *regions = &known[shape.width][shape.height][count];
    for (uint64_t set = (UINT64_C(1) << count) - 1; *regions == 0;) {
        uint8_t region[MAX_CELLS];
        uint32_t sum = 0;
        for (; set >> shape.cells == 0; set = pattern_next_set(set))
            sum += pattern_regions(shape, set, region);
        *regions = sum;
    }
    return *regions;
}

uint64_t pattern_entries(const struct pattern *pattern)
{
    uint64_t entries = 1;
    uint64_t orders = 1;
    if (pattern->kind == PATTERN_WALKING)
        return numbering_hold(pattern->shape, pattern->blank / pattern->shape.width)->count;
    for (unsigned i = 0; i < pattern->count; i++) {
        orders *= i + 1;
        if (__builtin_mul_overflow(entries, (uint64_t)(pattern->shape.cells - i), &entries))
            return UINT64_MAX;
    }
    if (pattern->kind != PATTERN_ZERO_AWARE || entries > UINT32_MAX)
        return entries;
    return orders * regions_of_all_sets(pattern->shape, pattern->count);
}

uint64_t pattern_bytes(const struct pattern *pattern)
{
    return pattern_entries(pattern) * (pattern->kind == PATTERN_PRICED ? sizeof(uint64_t) : 1);
}

struct pattern pattern_priced(const struct pattern *pattern, const struct board *goal,
                              enum cost_model model)
{
    struct pattern priced = *pattern;
    priced.kind = PATTERN_PRICED;
    priced.model = (uint8_t)model;
    for (unsigned slot = 0; slot < pattern->count; slot++)
        priced.tile[slot] = goal->cell[pattern->cell[slot]];
    return priced;
}

void pattern_canonical(const struct pattern *pattern, struct pattern *canonical,
                       uint8_t map[MAX_CELLS], uint8_t slot[MAX_PATTERN])
{
    const unsigned symmetries =
        pattern->shape.width == pattern->shape.height ? SYMMETRIES : SYMMETRIES / 2;
    unsigned best = 0;
    image_make(pattern, 0, canonical, slot);
    for (unsigned symmetry = 1; symmetry < symmetries; symmetry++) {
        struct pattern image;
        uint8_t image_slot[MAX_PATTERN];
        image_make(pattern, symmetry, &image, image_slot);
        if (compare(&image, canonical) < 0) {
            *canonical = image;
            memcpy(slot, image_slot, sizeof image_slot);
            best = symmetry;
        }
    }
    for (unsigned cell = 0; cell < pattern->shape.cells; cell++)
        map[cell] = (uint8_t)image_of(pattern->shape, cell, best);
}

struct pattern pattern_served(const struct pattern *pattern, const struct board *goal,
                              enum cost_model model)
{
    struct pattern canonical;
    uint8_t map[MAX_CELLS];
    uint8_t slot[MAX_PATTERN];
    if (model != COST_unit)
        return pattern_priced(pattern, goal, model);
    pattern_canonical(pattern, &canonical, map, slot);
    return canonical;
}
