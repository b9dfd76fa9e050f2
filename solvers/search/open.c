#include "search/open.h"
#include "base/heap.h"
#include <string.h>

bool open_grow(struct open *open)
{
    uint64_t capacity = open->capacity == 0 ? 256 : 2 * open->capacity;
    uint64_t *entries = arena_resize(open->arena, open->entries, capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    open->entries = entries;
    open->capacity = capacity;
    return true;
}

struct open open_copy(const struct open *open)
{
    struct open copy = *open;
    copy.entries = heap_take(open->count + 1, sizeof *copy.entries);
    memcpy(copy.entries, open->entries, open->count * sizeof *copy.entries);
    return copy;
}
