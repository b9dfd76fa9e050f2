#include "algorithms/algorithm.h"
#include "base/additions.h"

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

static struct additions added;

void algorithm_add(const struct algorithm *algorithm)
{
    additions_add(&added, algorithm);
}

void algorithm_remove(const struct algorithm *algorithm)
{
    additions_remove(&added, algorithm);
}

const struct algorithm *algorithm_at(unsigned number)
{
    return additions_at(&added, algorithms, algorithm_count, sizeof *algorithms, number);
}

const struct algorithm *algorithm_find(const char *name)
{
    const struct algorithm *algorithm;
    for (unsigned i = 0; (algorithm = algorithm_at(i)) != NULL; i++)
        if (strcmp(algorithm->name, name) == 0)
            return algorithm;
    return NULL;
}
