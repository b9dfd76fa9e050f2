#include "base/additions.h"
#include "base/heap.h"

void additions_add(struct additions *additions, const void *row)
{
    additions->rows = heap_grow(additions->rows, additions->count, sizeof *additions->rows);
    additions->rows[additions->count++] = row;
}

void additions_remove(struct additions *additions, const void *row)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < additions->count; i++)
        if (additions->rows[i] != row)
            additions->rows[kept++] = additions->rows[i];
    additions->count = kept;
    if (kept > 0)
        return;
    free(additions->rows);
    additions->rows = NULL;
}

const void *additions_at(const struct additions *additions, const void *table, unsigned count,
                         unsigned long size, unsigned number)
{
    if (number < count)
        return (const char *)table + number * size;
    return number - count < additions->count ? additions->rows[number - count] : NULL;
}
