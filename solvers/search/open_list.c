/* The open lists of search/lists.h: heaps that know where each node is. */
#include "search/lists.h"

/* The key of a node that is to be put at a place. */
static uint64_t key_of(const struct lists *lists, uint32_t id)
{
    return lists->key == NULL ? 0 : lists->key(lists, id);
}

static uint64_t key_at(const struct lists *lists, uint64_t at)
{
    return lists->keys == NULL ? 0 : lists->keys[at];
}

/* Whether node a goes before node b. */
static bool precedes(const struct lists *lists, const struct open_list *list, uint64_t key_a,
                     uint32_t a, uint64_t key_b, uint32_t b)
{
    return key_a != key_b ? key_a < key_b : list->before(lists, a, b);
}

static void settle(struct lists *lists, struct open_list *list, uint32_t at, uint64_t key,
                   uint32_t id)
{
    list->entries[at] = id;
    if (lists->keys != NULL)
        lists->keys[at] = key;
    lists->columns[list->column][id] = at + 1;
}

/* Puts a node at a place that is empty, or above it. */
static void rise(struct lists *lists, struct open_list *list, uint32_t at, uint64_t key,
                 uint32_t id)
{
    for (uint32_t above; at > 0; at = above) {
        above = (at - 1) / HEAP_CHILDREN;
        if (!precedes(lists, list, key, id, key_at(lists, above), list->entries[above]))
            break;
        settle(lists, list, at, key_at(lists, above), list->entries[above]);
    }
    settle(lists, list, at, key, id);
}

/* Puts a node at a place that is empty, or below it. */
static void sink(struct lists *lists, struct open_list *list, uint32_t at, uint64_t key,
                 uint32_t id)
{
    for (uint64_t child; (child = HEAP_CHILDREN * (uint64_t)at + 1) < list->count;) {
        uint64_t first = child;
        while (++child < list->count && child <= HEAP_CHILDREN * (uint64_t)at + HEAP_CHILDREN)
            if (precedes(lists, list, key_at(lists, child), list->entries[child],
                         key_at(lists, first), list->entries[first]))
                first = child;
        if (!precedes(lists, list, key_at(lists, first), list->entries[first], key, id))
            break;
        settle(lists, list, at, key_at(lists, first), list->entries[first]);
        at = (uint32_t)first;
    }
    settle(lists, list, at, key, id);
}

/* Makes room for more nodes on a list. False when memory is spent. */
static bool enlarge(struct lists *lists, struct open_list *list)
{
    struct arena *arena = lists->store.arena;
    const uint64_t capacity =
        list->capacity + (list->capacity == 0 ? 64 : arena_more(list->capacity));
    uint32_t *entries = arena_resize(arena, list->entries, capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    list->entries = entries;
    if (lists->key != NULL) {
        uint64_t *keys = arena_resize(arena, lists->keys, capacity * sizeof *keys);
        if (keys == NULL)
            return false;
        lists->keys = keys;
    }
    list->capacity = (uint32_t)capacity;
    return true;
}

bool lists_put(struct lists *lists, struct open_list *list, uint32_t id)
{
    if (lists->columns[list->column][id] != 0)
        return true;
    if (list->count == list->capacity && !enlarge(lists, list))
        return false;
    rise(lists, list, list->count++, key_of(lists, id), id);
    return true;
}

void lists_remove(struct lists *lists, struct open_list *list, uint32_t id)
{
    uint32_t *const place = &lists->columns[list->column][id];
    if (*place == 0)
        return;
    const uint32_t at = *place - 1;
    const uint32_t last = list->entries[--list->count];
    const uint64_t key = key_at(lists, list->count);
    *place = 0;
    if (last == id)
        return;
    const uint32_t above = at > 0 ? (at - 1) / HEAP_CHILDREN : 0;
    if (at > 0 && precedes(lists, list, key, last, key_at(lists, above), list->entries[above]))
        rise(lists, list, at, key, last);
    else
        sink(lists, list, at, key, last);
}

void lists_remake(struct lists *lists, struct open_list *list)
{
    assert(lists->key == NULL);
    if (list->count < 2)
        return;
    for (uint32_t at = (list->count - 2) / HEAP_CHILDREN + 1; at-- > 0;)
        sink(lists, list, at, 0, list->entries[at]);
}

uint32_t lists_first_inside(struct lists *lists, struct open_list *inside,
                            struct open_list *outside,
                            bool (*is_in)(const struct lists *, uint32_t id))
{
    uint32_t id;
    while ((id = list_first(outside)) != NO_NODE && is_in(lists, id)) {
        lists_remove(lists, outside, id);
        if (!lists_put(lists, inside, id)) {
            lists->search->status = STATUS_memory_limit;
            return NO_NODE;
        }
    }
    while ((id = list_first(inside)) != NO_NODE && !is_in(lists, id)) {
        lists_remove(lists, inside, id);
        if (!lists_put(lists, outside, id)) {
            lists->search->status = STATUS_memory_limit;
            return NO_NODE;
        }
    }
    return id;
}
