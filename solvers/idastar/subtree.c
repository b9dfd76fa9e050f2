#include "idastar/subtree.h"

#define SUBTREE(name, ...) extern const struct subtree_kind name;
#include "idastar/subtree.def"
#undef SUBTREE

static const struct subtree_kind *const kinds[] = {
#define SUBTREE(name, ...) &name,
#include "idastar/subtree.def"
#undef SUBTREE
};

struct subtree_counter subtree_counter_start(struct search *search, struct arena *arena,
                                             const struct pdb_falls *falls)
{
    struct subtree_counter counter = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && counter.kind == NULL; i++)
        if (kinds[i]->falls == (falls != NULL) && kinds[i]->prunes == (search->pruning != NULL) &&
            kinds[i]->fits(search->heuristic))
            counter.kind = kinds[i];
    if (counter.kind == NULL)
        return counter;
    counter.data = arena_take(arena, counter.kind->bytes);
    if (counter.data == NULL)
        counter.kind = NULL;
    else
        counter.kind->prepare(counter.data, search, falls);
    return counter;
}

void subtree_counter_end(struct subtree_counter *counter, struct arena *arena)
{
    arena_release(arena, counter->data);
    *counter = (struct subtree_counter){0};
}
