#include "algorithms/algorithm.h"
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

const struct algorithm *algorithm_find(const char *name)
{
    for (unsigned i = 0; i < algorithm_count; i++)
        if (strcmp(algorithms[i].name, name) == 0)
            return &algorithms[i];
    return NULL;
}
