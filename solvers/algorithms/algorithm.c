#include "algorithms/algorithm.h"
#include "base/heap.h"
#include <string.h>

#define ALGORITHM(name, informed, properties, memory, tested, summary) DECLARE_ALGORITHM(name);
#include "algorithms/algorithms.def"
#undef ALGORITHM

const struct algorithm algorithms[] = {
#define EVERY_BOARD                                                                                \
    {                                                                                              \
        MAX_TESTED_DISTANCE, false                                                                 \
    }
#define BOARDS_UP_TO(distance)                                                                     \
    {                                                                                              \
        distance, false                                                                            \
    }
#define SAMPLE_UP_TO(distance)                                                                     \
    {                                                                                              \
        distance, true                                                                             \
    }
#define ALGORITHM(name, informed, properties, memory, tested, summary)                             \
    {#name, summary, informed, properties, memory, tested, name##_options, name##_run},
#include "algorithms/algorithms.def"
#undef ALGORITHM
};

const unsigned algorithm_count = sizeof algorithms / sizeof *algorithms;

static const struct algorithm **added;
static unsigned added_count;

void algorithm_add(const struct algorithm *algorithm)
{
    added = heap_grow(added, added_count, sizeof *added);
    added[added_count++] = algorithm;
}

void algorithm_remove(const struct algorithm *algorithm)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < added_count; i++)
        if (added[i] != algorithm)
            added[kept++] = added[i];
    added_count = kept;
    if (kept > 0)
        return;
    free(added);
    added = NULL;
}

const struct algorithm *algorithm_at(unsigned number)
{
    if (number < algorithm_count)
        return &algorithms[number];
    return number - algorithm_count < added_count ? added[number - algorithm_count] : NULL;
}

const struct algorithm *algorithm_find(const char *name)
{
    const struct algorithm *algorithm;
    for (unsigned i = 0; (algorithm = algorithm_at(i)) != NULL; i++)
        if (strcmp(algorithm->name, name) == 0)
            return algorithm;
    return NULL;
}
