#include "pdb/pattern_bits.h"
#include "puzzle/moves.h"
#include <string.h>

/* A placement while it descends. */
struct placed {
    uint8_t at[MAX_PATTERN];
    uint64_t set; /* the cells of the tiles */
    unsigned blank;
    uint32_t order;
};

void pattern_bits_enter(uint8_t *bits, uint64_t first, const uint8_t *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        bits[(first + i) / 8] |= (uint8_t)(values[i] / 2 % 2 << (first + i) % 8);
}

static struct placed place(unsigned count, const uint8_t at[MAX_PATTERN], unsigned blank)
{
    struct placed placed = {.blank = blank};
    for (unsigned i = 0; i < count; i++) {
        placed.at[i] = at[i];
        placed.set |= UINT64_C(1) << at[i];
    }
    placed.order = pattern_order(count, placed.at);
    return placed;
}

static uint32_t entry_of(const struct pattern_sets *sets, const struct placed *placed)
{
    return pattern_sets_entry(sets, placed->set, placed->blank) + placed->order;
}

/* Makes the first move that leads to an entry with this bit, and sets *entry to that; false if
 * there is none. */
static bool descend(const uint8_t *bits, const struct pattern_sets *sets, struct placed *placed,
                    unsigned bit, uint32_t *entry)
{
    const uint8_t *region = sets->region[pattern_sets_at(sets, placed->set)->list];
    for (unsigned i = 0; i < sets->count; i++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned cell = placed->at[i];
            const unsigned to = move_target(sets->shape, cell, move);
            if (to == NO_CELL || (placed->set >> to & 1) != 0 ||
                region[to] != region[placed->blank])
                continue;
            const uint64_t set = placed->set ^ (UINT64_C(1) << cell | UINT64_C(1) << to);
            uint32_t order = placed->order;
            placed->at[i] = (uint8_t)to;
            if (to != cell + 1 && to + 1 != cell) /* it may pass others */
                order = pattern_order(sets->count, placed->at);
            *entry = pattern_sets_entry(sets, set, cell) + order;
            if (pattern_bits_at(bits, *entry) == bit) {
                placed->set = set;
                placed->order = order;
                placed->blank = cell;
                return true;
            }
            placed->at[i] = (uint8_t)cell;
        }
    return false;
}

/* All values that can be reached from one that is UNREACHABLE are, so their bits are alike: the
 * descent ends there at once or after a move. */
unsigned pattern_bits_value(const uint8_t *bits, const struct pattern_sets *sets,
                            const struct pattern *pattern, const uint8_t at[MAX_PATTERN],
                            unsigned blank)
{
    const struct placed home = place(pattern->count, pattern->cell, pattern->blank);
    const uint32_t goal = entry_of(sets, &home);
    struct placed placed = place(pattern->count, at, blank);
    uint32_t entry = entry_of(sets, &placed);
    unsigned rest = 2 * pattern_bits_at(bits, entry) + pattern_parity(pattern, at); /* mod 4 */
    unsigned steps = 0;
    for (; entry != goal; steps++) {
        rest = (rest + 3) % 4;
        if (!descend(bits, sets, &placed, rest / 2, &entry))
            return UNREACHABLE;
    }
    return steps;
}
