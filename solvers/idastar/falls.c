#include "idastar/falls.h"
#include "base/pages.h"
#include <string.h>

/* What the entries of a group depend on, but for their place. */
struct key {
    struct pattern pattern;
    uint8_t map[FALLS_CELLS];
};

/* The entries made last. */
static struct {
    struct key key[FALLS_CELLS];
    unsigned count;
    uint32_t *entries; /* NULL: none */
    uint64_t bytes;
} kept;

bool falls_fit(const struct pdb *pdb)
{
    const struct shape shape = pdb->goal.shape;
    if (pdb->sums != 1 || pdb->zero || pdb->onebit || shape.width != 4 || shape.height != 4)
        return false;
    for (unsigned i = 0; i < pdb->group_count; i++)
        if (pdb->group[i].count > FALLS_TILES)
            return false;
    return true;
}

static struct key key_of(const struct pdb_group *group)
{
    struct key key;
    memset(&key, 0, sizeof key); /* it is compared byte by byte */
    memcpy(&key.pattern, &group->table->pattern, sizeof key.pattern);
    memcpy(key.map, group->map, sizeof key.map);
    return key;
}

static bool are_kept(const struct pdb *pdb)
{
    if (kept.entries == NULL || kept.count != pdb->group_count)
        return false;
    for (unsigned i = 0; i < pdb->group_count; i++) {
        const struct key key = key_of(&pdb->group[i]);
        if (memcmp(&key, &kept.key[i], sizeof key) != 0)
            return false;
    }
    return true;
}

static void forget(void)
{
    pages_end(kept.entries, kept.bytes);
    kept.entries = NULL;
}

/* Says where the entries of each group lie. Returns how many the largest group has. */
static unsigned lay_out(struct falls *falls, const struct pdb *pdb)
{
    uint64_t entries = 0;
    unsigned largest = 0;
    unsigned code = 0;
    for (unsigned i = 0; i < pdb->group_count; i++) {
        const struct pdb_group *group = &pdb->group[i];
        const uint64_t mask = (UINT64_C(1) << FALLS_BITS * group->count) - 1;
        const uint64_t place = FALLS_BITS * code;
        const unsigned numbers = falls_numbers(group);
        for (unsigned slot = group->count; slot-- > 0; code++) {
            falls->code[group->tile[slot]] = (uint8_t)code;
            falls->group[code] = mask | place << FALLS_PLACE | entries << FALLS_FIRST;
        }
        entries += numbers;
        largest = numbers > largest ? numbers : largest;
    }
    for (; code < FALLS_CELLS; code++)
        falls->group[code] = falls->group[0];
    falls->bytes = entries * sizeof *falls->entries;
    return largest;
}

/* Makes the entries anew, and keeps them. */
static bool make_all(const struct falls *falls, const struct pdb *pdb, falls_maker *make,
                     int8_t *values)
{
    forget();
    kept.entries = pages_take(falls->bytes);
    kept.bytes = falls->bytes;
    kept.count = pdb->group_count;
    bool fine = kept.entries != NULL;
    for (unsigned i = 0; fine && i < pdb->group_count; i++) {
        const struct pdb_group *group = &pdb->group[i];
        const uint64_t first = falls->group[falls->code[group->tile[0]]] >> FALLS_FIRST;
        kept.key[i] = key_of(group);
        fine = make(kept.entries + first, values, group);
    }
    if (!fine)
        forget();
    return fine;
}

bool falls_start(struct falls *falls, const struct pdb *pdb, falls_maker *make, struct arena *arena)
{
    const unsigned largest = lay_out(falls, pdb);
    int8_t *values = arena_take(arena, largest + 2 * FALLS_MARGIN);
    if (values == NULL)
        return false;
    bool fine = arena_count(arena, falls->bytes);
    if (fine && !are_kept(pdb) && !make_all(falls, pdb, make, values + FALLS_MARGIN)) {
        arena_discount(arena, falls->bytes);
        fine = false;
    }
    arena_release(arena, values);
    falls->entries = kept.entries;
    return fine;
}

void falls_end(const struct falls *falls, struct arena *arena)
{
    arena_discount(arena, falls->bytes);
}
