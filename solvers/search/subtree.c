#include "search/subtree.h"

static const struct subtree_kind *const kinds[] = {
#define SUBTREE(heuristic, shape) &subtree_##heuristic##_##shape,
#include "search/subtree.def"
#undef SUBTREE
};

static bool fits(const struct subtree_kind *kind, const struct heuristic *heuristic)
{
    return kind->evaluate == heuristic->kind->evaluate && kind->step == heuristic->kind->step &&
           shape_equal(kind->shape, heuristic->goal.shape);
}

struct subtree_counter subtree_counter_start(struct search *search)
{
    struct subtree_counter counter = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fits(kinds[i], search->heuristic))
            counter.kind = kinds[i];
    if (counter.kind == NULL)
        return counter;
    counter.data = arena_take(&search->arena, counter.kind->bytes);
    if (counter.data == NULL)
        counter.kind = NULL;
    else
        counter.kind->prepare(counter.data, search);
    return counter;
}
