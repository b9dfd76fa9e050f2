#include "idastar/transposition.h"
#include "puzzle/hash.h"

struct entered {
    uint32_t g;
    uint32_t round; /* 0: the slot is empty */
};

bool transposition_start(struct transposition *table, struct arena *arena, struct shape shape,
                         uint64_t bytes)
{
    const size_t state_bytes = packed_bytes(packing_of(shape));
    uint64_t count = bytes / (state_bytes + sizeof *table->entered);
    if (count > UINT32_MAX)
        count = UINT32_MAX;
    *table = (struct transposition){.packing = packing_of(shape), .count = count};
    if (count == 0)
        return true;
    table->states = arena_take(arena, count * state_bytes);
    if (table->states != NULL)
        table->entered = arena_take(arena, count * sizeof *table->entered);
    return table->entered != NULL;
}

KERNEL bool meets(struct transposition *table, enum packing packing, const struct board *board,
                  unsigned g, uint32_t round, unsigned *known_g)
{
    const union packed state = pack(packing, board);
    const uint32_t slot = (uint32_t)((uint128)packed_hash(packing, state) * table->count >> 64);
    struct entered *entered = &table->entered[slot];
    if (entered->round == round && entered->g <= g) {
        *known_g = entered->g;
        if (packed_equal(packing, packed_load(packing, table->states, slot), state))
            return true;
        if (entered->g < g)
            return false;
    }
    *entered = (struct entered){g, round};
    packed_store(packing, table->states, slot, state);
    return false;
}

bool transposition_meets(struct transposition *table, const struct board *board, unsigned g,
                         uint64_t round, unsigned *known_g)
{
    const uint32_t number = (uint32_t)round;
    switch (table->packing) {
    case PACK_64:
        return meets(table, PACK_64, board, g, number, known_g);
    case PACK_128:
        return meets(table, PACK_128, board, g, number, known_g);
    default:
        return meets(table, PACK_BYTES, board, g, number, known_g);
    }
}
