#include "subtree/subtree.h"

static const struct subtree_kind *const kinds[] = {
#define SUBTREE(heuristic, width, height)               &subtree_##heuristic##_##width##x##height,
#define SUBTREE_PDB(cells, groups, between)             &subtree_pdb_##cells##_##groups,
#define SUBTREE_ZERO_PDB(cells, groups, between)        &subtree_zero_pdb_##cells##_##groups,
#define SUBTREE_ONEBIT_PDB(cells, groups, between)      &subtree_onebit_pdb_##cells##_##groups,
#define SUBTREE_CATALOGUE(cells, groups, sums, between) &subtree_catalogue_##cells##_##groups,
#define SUBTREE_ZERO_CATALOGUE(cells, groups, sums, between)                                       \
    &subtree_zero_catalogue_##cells##_##groups,
#define SUBTREE_ONEBIT_CATALOGUE(cells, groups, sums, between)                                     \
    &subtree_onebit_catalogue_##cells##_##groups,
#include "subtree/subtree.def"
#undef SUBTREE
#undef SUBTREE_PDB
#undef SUBTREE_ZERO_PDB
#undef SUBTREE_ONEBIT_PDB
#undef SUBTREE_CATALOGUE
#undef SUBTREE_ZERO_CATALOGUE
#undef SUBTREE_ONEBIT_CATALOGUE
};

struct subtree_counter subtree_counter_start(struct search *search, struct arena *arena)
{
    struct subtree_counter counter = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && counter.kind == NULL; i++)
        if (kinds[i]->fits(search->heuristic))
            counter.kind = kinds[i];
    if (counter.kind == NULL)
        return counter;
    counter.data = arena_take(arena, counter.kind->bytes);
    if (counter.data == NULL)
        counter.kind = NULL;
    else
        counter.kind->prepare(counter.data, search);
    return counter;
}
