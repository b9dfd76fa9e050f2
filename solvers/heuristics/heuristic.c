#include "heuristics/heuristic.h"
#include "base/heap.h"
#include <string.h>

const struct heuristic_kind heuristic_kinds[] = {
#define HEURISTIC(name, properties, summary)                                                       \
    {#name, summary, properties, name##_options, name##_prepare, name##_evaluate, name##_step},
#include "heuristics/heuristics.def"
#undef HEURISTIC
};

const unsigned heuristic_count = sizeof heuristic_kinds / sizeof *heuristic_kinds;

const struct heuristic_kind *heuristic_find(const char *name)
{
    for (unsigned i = 0; i < heuristic_count; i++)
        if (strcmp(heuristic_kinds[i].name, name) == 0)
            return &heuristic_kinds[i];
    return NULL;
}

void heuristic_start(struct heuristic *heuristic, const struct heuristic_kind *kind,
                     const int64_t *options, const struct board *goal)
{
    *heuristic = (struct heuristic){.kind = kind, .goal = *goal};
    memcpy(heuristic->options, options, sizeof heuristic->options);
    for (unsigned i = 0; i < goal->shape.cells; i++)
        heuristic->home[goal->cell[i]] = (uint8_t)i;
    kind->prepare(heuristic);
}

void heuristic_end(struct heuristic *heuristic)
{
    free(heuristic->data);
    heuristic->data = NULL;
}

unsigned heuristic_properties(const struct heuristic *heuristic)
{
    return properties_kept(heuristic->kind->properties, heuristic->kind->options,
                           heuristic->options);
}
