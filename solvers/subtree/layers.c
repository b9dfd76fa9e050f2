#include "subtree/layers.h"
#include "heuristics/max.h"
#include "subtree/falls.h"
#include <limits.h>

extern const struct layers_form layers_plain;
#ifdef __x86_64__
extern const struct layers_form layers_avx2, layers_pdb_avx2;
extern const struct layers_form layers_avx512, layers_pdb_avx512;
#endif

static unsigned allowed = UINT_MAX;

void layers_allow(unsigned lanes)
{
    allowed = lanes;
}

/* The fastest form for manhattan, or for pdb; NULL: none. One node after the other, pdb is no
 * faster than in batches (subtree/subtree_pdb_body.h). */
static const struct layers_form *best_form(bool pdb)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (allowed >= layers_avx512.lanes && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw"))
        return pdb ? &layers_pdb_avx512 : &layers_avx512;
    if (allowed >= layers_avx2.lanes && __builtin_cpu_supports("avx2"))
        return pdb ? &layers_pdb_avx2 : &layers_avx2;
#endif
    return allowed == 0 || pdb ? NULL : &layers_plain;
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
