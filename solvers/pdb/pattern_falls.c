#include "pdb/pattern_falls.h"
#include <string.h>

bool pattern_falls_fit(const struct pattern_table *table)
{
    const struct pattern *pattern = &table->pattern;
    return pattern->kind == PATTERN_ADDITIVE && pattern->count <= FALLS_SLOTS;
}

/* Values side by side. */
enum { LANES = 16, LINE = (MAX_CELLS + LANES - 1) / LANES * LANES };
typedef int8_t lanes __attribute__((vector_size(LANES)));

/* All placements that differ only in the last tile follow each other: they are a line. */
struct line {
    const struct pattern_table *table;
    uint32_t *entries;
    bool (*goes_on)(void *context);
    void *context;
    uint32_t weight[MAX_PATTERN];
    uint8_t at[MAX_PATTERN]; /* the cells of the tiles but the last */
    uint64_t used;           /* these cells */
    uint32_t rank;           /* of the first placement */
    unsigned length;
    uint8_t cell[MAX_CELLS];   /* of the last tile, by placement */
    uint8_t before[MAX_CELLS]; /* how many free cells lie before a cell */
    int8_t value[LINE];
    uint8_t falls[FALLS_SLOTS][LINE]; /* by slot and placement, a bit for each move */
};

static lanes all(unsigned byte)
{
    return (lanes){0} + (int8_t)byte;
}

/* The values of LANES entries; 0 where there is none. No value of a board that can be brought home
 * is above 127. */
static lanes values_from(const struct pattern_table *table, int64_t first)
{
    const int64_t entries = (int64_t)table->entries;
    lanes values = {0};
    if (first >= 0 && first + LANES <= entries)
        memcpy(&values, table->values + first, sizeof values);
    else
        for (int64_t i = 0; i < LANES; i++)
            if (first + i >= 0 && first + i < entries)
                values[i] = (int8_t)table->values[first + i];
    return values;
}

/* The rank of the line after the tile of a slot but the last has moved from cell a to cell b
 * (heuristics/pdb.h). */
static uint32_t rank_after(const struct line *line, unsigned slot, unsigned a, unsigned b)
{
    const unsigned low = a < b ? a : b;
    const unsigned high = a < b ? b : a;
    uint32_t change = (high - low) * line->weight[slot];
    for (unsigned i = 0; high - low > 1 && i + 1 < line->table->pattern.count; i++)
        if (line->at[i] > low && line->at[i] < high)
            change += i < slot ? -line->weight[slot] : line->weight[i];
    return a < b ? line->rank + change : line->rank - change;
}

/* Says where the values fall with a move of the tile of a slot but the last. If the last tile lies
 * between the two cells, one free cell more or less lies before it then. */
static void move_tile(struct line *line, unsigned slot, unsigned move)
{
    const lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const unsigned a = line->at[slot];
    const unsigned b = move_target(line->table->pattern.shape, a, move);
    if (b == NO_CELL || (line->used >> b & 1) != 0)
        return;
    const int64_t rank = rank_after(line, slot, a, b);
    const unsigned taken = line->before[b]; /* by the tile that moves */
    const unsigned first = a < b ? line->before[a] : taken + 1;
    const unsigned end = a < b ? taken : line->before[a];
    for (unsigned i = 0; i < line->length; i += LANES) {
        const lanes number = numbers + (int8_t)i;
        const lanes between = (number >= all(first)) & (number < all(end));
        lanes before, falls;
        memcpy(&before, line->value + i, sizeof before);
        const lanes there = values_from(line->table, rank + i);
        lanes shifted = there;
        if (first < end)
            shifted = values_from(line->table, rank + i + (a < b ? 1 : -1));
        const lanes after = (shifted & between) | (there & ~between);
        memcpy(&falls, line->falls[slot] + i, sizeof falls);
        falls |= (after < before) & (number != all(taken)) & all(1U << move);
        memcpy(line->falls[slot] + i, &falls, sizeof falls);
    }
}

static void move_last(struct line *line)
{
    uint8_t *falls = line->falls[line->table->pattern.count - 1];
    for (unsigned i = 0; i < line->length; i++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = move_target(line->table->pattern.shape, line->cell[i], move);
            if (to != NO_CELL && (line->used >> to & 1) == 0)
                falls[i] |= (uint8_t)((line->value[line->before[to]] < line->value[i]) << move);
        }
}

static void make_line(struct line *line)
{
    const unsigned count = line->table->pattern.count;
    line->length = 0;
    for (unsigned cell = 0; cell < line->table->pattern.shape.cells; cell++) {
        line->before[cell] = (uint8_t)line->length;
        if ((line->used >> cell & 1) == 0)
            line->cell[line->length++] = (uint8_t)cell;
    }
    memcpy(line->value, line->table->values + line->rank, line->length);
    memset(line->falls, 0, sizeof line->falls);
    for (unsigned slot = 0; slot + 1 < count; slot++)
        for (unsigned move = 0; move < MOVES; move++)
            move_tile(line, slot, move);
    move_last(line);
    for (unsigned i = 0; i < line->length; i++) {
        uint32_t entry = (uint32_t)(uint8_t)line->value[i] << FALLS_VALUE;
        for (unsigned slot = 0; slot < FALLS_SLOTS; slot++)
            entry |= (uint32_t)line->falls[slot][i] << pattern_falls_bit(slot, 0);
        line->entries[line->rank + i] = entry;
    }
    line->rank += line->length;
}

/* Makes all lines with the tiles of the slots before `slot` where they are. */
static bool make_lines(struct line *line, unsigned slot)
{
    enum { ASKED = 2 }; /* for each placement of so many tiles */
    bool fine = slot != ASKED || line->goes_on(line->context);
    if (slot + 1U == line->table->pattern.count) {
        make_line(line);
        return fine;
    }
    for (unsigned cell = 0; fine && cell < line->table->pattern.shape.cells; cell++) {
        if ((line->used >> cell & 1) != 0)
            continue;
        line->at[slot] = (uint8_t)cell;
        line->used |= UINT64_C(1) << cell;
        fine = make_lines(line, slot + 1);
        line->used &= ~(UINT64_C(1) << cell);
    }
    return fine;
}

bool pattern_falls_make(const struct pattern_table *table, uint32_t *entries,
                        bool (*goes_on)(void *context), void *context)
{
    struct line line = {.table = table, .entries = entries, .goes_on = goes_on, .context = context};
    pattern_weights(&table->pattern, line.weight);
    return make_lines(&line, 0);
}
