#include "search/node_heap.h"

bool node_heap_grow(struct node_heap *open)
{
    uint64_t capacity = open->capacity == 0 ? 256 : 2 * open->capacity;
    uint64_t *entries = arena_resize(open->arena, open->entries, capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    open->entries = entries;
    open->capacity = capacity;
    return true;
}
