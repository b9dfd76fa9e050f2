#include "algorithms/algorithm.h"

const struct algorithm algorithms[] = {
#define ALGORITHM(name, informed, properties, memory, summary)                                     \
    {#name, summary, informed, properties, memory, name##_options, name##_run},
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
