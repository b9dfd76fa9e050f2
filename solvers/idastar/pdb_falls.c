#include "idastar/pdb_falls.h"
#include "heuristics/max.h"
#include "idastar/round.h"

enum {
    MANY_ENTRIES = 1 << 26, /* tables that caches hold are read fast enough */
    FALLS_FROM = 4
};

/* The first group with the table of a group. */
static unsigned first_with_table(const struct pdb *pdb, unsigned group)
{
    unsigned first = 0;
    while (pdb->group[first].table != pdb->group[group].table)
        first++;
    return first;
}

/* How many entries there are to be made; 0: there can be none. */
static uint64_t entries_of(const struct pdb *pdb)
{
    uint64_t entries = 0;
    if (pdb->group_count > FALLS_GROUPS)
        return 0;
    for (unsigned i = 0; i < pdb->group_count; i++) {
        if (!pattern_falls_fit(pdb->group[i].table))
            return 0;
        if (first_with_table(pdb, i) == i)
            entries += pdb->group[i].table->entries;
    }
    return entries;
}

static bool goes_on(void *context)
{
    return search_may_go_on(context);
}

/* Takes memory for all `count` entries. NULL when the budget does not allow it. */
static struct pdb_falls *take(struct arena *arena, const struct pdb *pdb, uint64_t count)
{
    struct pdb_falls *falls = arena_take(arena, sizeof *falls);
    uint32_t *entries = falls == NULL ? NULL : arena_take(arena, count * sizeof *entries);
    if (entries == NULL) {
        arena_release(arena, falls);
        return NULL;
    }
    for (unsigned i = 0; i < pdb->group_count; i++) {
        const unsigned first = first_with_table(pdb, i);
        falls->entries[i] = first < i ? falls->entries[first] : entries;
        if (first == i)
            entries += pdb->group[i].table->entries;
    }
    return falls;
}

static void release(struct arena *arena, struct pdb_falls *falls)
{
    arena_release(arena, falls->entries[0]);
    arena_release(arena, falls);
}

/* Makes all entries. False when the search is over. */
static bool make(struct search *search, const struct pdb *pdb, const struct pdb_falls *falls)
{
    const double checkpoint_at = search->checkpoint_at;
    bool fine = true;
    search->checkpoint_at = 0; /* there is no place here to go on from */
    for (unsigned i = 0; fine && i < pdb->group_count; i++)
        if (first_with_table(pdb, i) == i)
            fine = pattern_falls_make(pdb->group[i].table, falls->entries[i], goes_on, search);
    search->checkpoint_at = checkpoint_at;
    return fine;
}

bool pdb_falls_read(struct round *round)
{
    struct search *search = round->search;
    struct arena *arena = &search->arena;
    const struct pdb *pdb = pdb_of(search->heuristic);
    const uint64_t entries = entries_of(pdb);
    struct pdb_falls *falls = entries == 0 ? NULL : take(arena, pdb, entries);
    if (falls == NULL)
        return true;
    const struct subtree_counter counter = subtree_counter_start(search, arena, falls);
    if (counter.kind == NULL) {
        release(arena, falls);
        return true;
    }
    if (!make(search, pdb, falls))
        return false;
    subtree_counter_end(&round->subtrees, arena);
    round->subtrees = counter;
    round->falls = falls;
    return true;
}

bool pdb_falls_look(struct round *round)
{
    const struct search *search = round->search;
    const struct pdb *pdb = pdb_of(search->heuristic);
    if (pdb == NULL || round->falls != NULL || round->table != NULL || search->observer != NULL)
        return true;
    const uint64_t entries = entries_of(pdb);
    return entries < MANY_ENTRIES || search->statistics.generated / FALLS_FROM < entries ||
           pdb_falls_read(round);
}
