#include "base/processors.h"
#include "base/heap.h"
#include <sched.h>

/* Whether a processor is the first of its core, as far as the system tells. */
static bool leads_core(unsigned processor)
{
    char path[96];
    unsigned first = processor;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list",
             processor);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%u", &first) != 1)
            first = processor;
        fclose(file);
    }
    return first == processor;
}

unsigned processors_count(void)
{
    cpu_set_t allowed;
    const int count = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
    return count < 1 ? 1 : (unsigned)count;
}

unsigned *processors_list(size_t *count)
{
    cpu_set_t allowed;
    unsigned *list = heap_take(CPU_SETSIZE, sizeof *list);
    *count = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return list;
    for (int leading = 1; leading >= 0; leading--)
        for (unsigned i = 0; i < CPU_SETSIZE; i++)
            if (CPU_ISSET(i, &allowed) && leads_core(i) == (leading == 1))
                list[(*count)++] = i;
    return list;
}
