#include "idastar/layers.h"
#include "heuristics/max.h"
#include "idastar/falls.h"
#include <limits.h>

DECLARE_HEURISTIC(manhattan);

#define LAYERS(name, ...) extern const struct layers_form name;
#include "idastar/layers.def"
#undef LAYERS

static const struct layers_form *const forms[] = {
#define LAYERS(name, ...) &name,
#include "idastar/layers.def"
#undef LAYERS
};

static unsigned allowed = UINT_MAX;

void layers_allow(unsigned lanes)
{
    allowed = lanes;
}

/* Whether the processor works on so many nodes at once. */
static bool runs(unsigned lanes)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (lanes == 8)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    if (lanes == 4)
        return __builtin_cpu_supports("avx2");
#endif
    return lanes == 1;
}

/* The fastest form for manhattan, or for pdb; NULL: none. */
static const struct layers_form *best_form(bool pdb)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if ((forms[i]->make_falls != NULL) == pdb && forms[i]->lanes <= allowed &&
            runs(forms[i]->lanes))
            return forms[i];
    return NULL;
}

static bool is_manhattan(const struct heuristic *heuristic)
{
    return heuristic->kind->evaluate == manhattan_evaluate &&
           heuristic->kind->step == manhattan_step && heuristic->goal.shape.width == 4 &&
           heuristic->goal.shape.height == 4;
}

bool layers_fit(const struct heuristic *heuristic)
{
    const struct pdb *pdb = pdb_of(heuristic);
    return (is_manhattan(heuristic) && best_form(false) != NULL) ||
           (pdb != NULL && falls_fit(pdb) && best_form(true) != NULL);
}

/* The tables of pattern databases; NULL if the budget does not allow them. */
static struct falls *make_falls(const struct layers_form *form, struct search *search,
                                struct arena *arena)
{
    struct falls *falls = arena_take(arena, sizeof *falls);
    if (falls != NULL && falls_start(falls, pdb_of(search->heuristic), form->make_falls, arena))
        return falls;
    arena_release(arena, falls);
    return NULL;
}

struct layers_counter layers_start(struct search *search, struct arena *arena,
                                   const struct layers_counter *other)
{
    const bool by_falls = !is_manhattan(search->heuristic);
    struct layers_counter counter = {.form = best_form(by_falls), .owner = other == NULL};
    if (by_falls)
        counter.falls = other != NULL ? other->falls : make_falls(counter.form, search, arena);
    if (!by_falls || counter.falls != NULL)
        counter.layers = arena_take(arena, counter.form->bytes);
    if (counter.layers == NULL)
        layers_end(&counter, arena);
    else
        counter.form->prepare(counter.layers, search, counter.falls);
    return counter;
}

void layers_end(struct layers_counter *counter, struct arena *arena)
{
    if (counter->owner && counter->falls != NULL) {
        falls_end(counter->falls, arena);
        arena_release(arena, counter->falls);
    }
    arena_release(arena, counter->layers);
    *counter = (struct layers_counter){.form = NULL};
}
