#include "search/priced_heap.h"

static bool before(const struct priced_entry *a, const struct priced_entry *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return a->tie != b->tie ? a->tie < b->tie : a->age < b->age;
}

static bool grow(struct priced_heap *open)
{
    enum { FIRST = 256 };
    const uint64_t capacity =
        open->capacity == 0 ? FIRST : open->capacity + arena_more(open->capacity);
    struct priced_entry *entries =
        arena_resize(open->arena, open->entries, capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    open->entries = entries;
    open->capacity = capacity;
    return true;
}

bool priced_heap_push(struct priced_heap *open, struct priced_entry entry)
{
    if (open->count == open->capacity && !grow(open))
        return false;
    uint64_t at = open->count++;
    while (at > 0 && before(&entry, &open->entries[(at - 1) / HEAP_CHILDREN])) {
        open->entries[at] = open->entries[(at - 1) / HEAP_CHILDREN];
        at = (at - 1) / HEAP_CHILDREN;
    }
    open->entries[at] = entry;
    return true;
}

struct priced_entry priced_heap_pop(struct priced_heap *open)
{
    const struct priced_entry first = open->entries[0];
    const struct priced_entry moving = open->entries[--open->count];
    uint64_t at = 0;
    for (uint64_t child = 1; child < open->count; child = HEAP_CHILDREN * at + 1) {
        const uint64_t end =
            child + HEAP_CHILDREN < open->count ? child + HEAP_CHILDREN : open->count;
        for (uint64_t other = child + 1; other < end; other++)
            if (before(&open->entries[other], &open->entries[child]))
                child = other;
        if (!before(&open->entries[child], &moving))
            break;
        open->entries[at] = open->entries[child];
        at = child;
    }
    open->entries[at] = moving;
    return first;
}
