#include "search/open.h"

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
