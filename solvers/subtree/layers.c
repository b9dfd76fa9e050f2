#include "subtree/layers.h"
#include "heuristics/heuristic.h"
#include <limits.h>

extern const struct layers_form layers_plain;
#ifdef __x86_64__
extern const struct layers_form layers_avx2;
extern const struct layers_form layers_avx512;
#endif

static unsigned allowed = UINT_MAX;

void layers_allow(unsigned lanes)
{
    allowed = lanes;
}

static const struct layers_form *best_form(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (allowed >= layers_avx512.lanes && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw"))
        return &layers_avx512;
    if (allowed >= layers_avx2.lanes && __builtin_cpu_supports("avx2"))
        return &layers_avx2;
#endif
    return allowed == 0 ? NULL : &layers_plain;
}

bool layers_fit(const struct heuristic *heuristic)
{
    return heuristic->kind->evaluate == manhattan_evaluate &&
           heuristic->kind->step == manhattan_step && heuristic->goal.shape.width == 4 &&
           heuristic->goal.shape.height == 4 && best_form() != NULL;
}

struct layers_counter layers_start(struct search *search, struct arena *arena)
{
    struct layers_counter counter = {.form = best_form()};
    counter.layers = arena_take(arena, counter.form->bytes);
    if (counter.layers == NULL)
        counter.form = NULL;
    else
        counter.form->prepare(counter.layers, search);
    return counter;
}
