#include "base/pages.h"
#include <stdint.h>
#include <sys/mman.h>

void *pages_take(size_t bytes)
{
    void *taken = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (taken == MAP_FAILED)
        return NULL;
    madvise(taken, bytes, MADV_HUGEPAGE);
    return taken;
}

void pages_freeze(void *memory, size_t bytes)
{
    mprotect(memory, bytes, PROT_READ);
}

void pages_end(const void *memory, size_t bytes)
{
    if (memory != NULL)
        munmap((void *)(uintptr_t)memory, bytes);
}
