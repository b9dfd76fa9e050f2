#include "base/arena.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The header in front of each block. arena_end walks the list of blocks. */
struct block {
    _Alignas(ARENA_ALIGNMENT) struct block *previous;
    struct block *next;
    size_t bytes;
};

/* Each block of LARGE bytes or more is a mapping of its own that consists of whole huge pages: a
 * part of one would be filled with small pages, and would stay so when the block grows. Smaller
 * blocks come from the C library. */
#define HUGE_PAGE ((size_t)2 << 20)
#define LARGE     HUGE_PAGE

void arena_start(struct arena *arena, uint64_t budget)
{
    *arena = (struct arena){.budget = budget};
}

static size_t rounded_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static size_t mapped_bytes(size_t bytes)
{
    return rounded_up(sizeof(struct block) + bytes, HUGE_PAGE);
}

/* Reserves address space aligned to a huge page; NULL if there is none. */
static void *reserve(size_t length)
{
    char *space = mmap(NULL, length + HUGE_PAGE, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
        return NULL;
    size_t before = rounded_up((uintptr_t)space, HUGE_PAGE) - (uintptr_t)space;
    if (before > 0)
        munmap(space, before);
    munmap(space + before + length, HUGE_PAGE - before);
    return space + before;
}

static struct block *map(size_t bytes)
{
    size_t length = mapped_bytes(bytes);
    void *space = reserve(length);
    if (space == NULL)
        return NULL;
    if (mmap(space, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0) == MAP_FAILED) {
        munmap(space, length);
        return NULL;
    }
    /* With huge pages one page-table entry covers 2 MiB instead of 4 KiB. Without them the search
     * is only slower. */
    (void)madvise(space, length, MADV_HUGEPAGE);
    return space;
}

/* Resizes a mapping, in place or by moving its pages; nothing is copied. */
static struct block *map_again(struct block *block, size_t bytes)
{
    size_t before = mapped_bytes(block->bytes);
    size_t length = mapped_bytes(bytes);
    void *resized = mremap(block, before, length, 0);
    if (resized != MAP_FAILED)
        return resized;
    void *space = reserve(length);
    if (space == NULL)
        return NULL;
    resized = mremap(block, before, length, MREMAP_MAYMOVE | MREMAP_FIXED, space);
    if (resized == MAP_FAILED) {
        munmap(space, length);
        return NULL;
    }
    return resized;
}

/* Takes a block, zeroed only if it is large; NULL if the system has no memory. */
static struct block *block_take(size_t bytes)
{
    if (bytes >= LARGE)
        return map(bytes);
    return aligned_alloc(ARENA_ALIGNMENT,
                         rounded_up(sizeof(struct block) + bytes, ARENA_ALIGNMENT));
}

static void block_give_back(struct block *block)
{
    if (block->bytes >= LARGE)
        munmap(block, mapped_bytes(block->bytes));
    else
        free(block);
}

/* Resizes a block, moving it if need be; NULL if the system has no memory, and the block is then
 * unchanged. */
static struct block *block_resize(struct block *block, size_t bytes)
{
    if (block->bytes >= LARGE && bytes >= LARGE)
        return map_again(block, bytes);
    struct block *resized = block_take(bytes);
    if (resized == NULL)
        return NULL;
    memcpy(resized + 1, block + 1, block->bytes < bytes ? block->bytes : bytes);
    block_give_back(block);
    return resized;
}

static void link_block(struct arena *arena, struct block *block)
{
    block->previous = NULL;
    block->next = arena->blocks;
    if (block->next != NULL)
        block->next->previous = block;
    arena->blocks = block;
}

static void unlink_block(struct arena *arena, const struct block *block)
{
    if (block->previous != NULL)
        block->previous->next = block->next;
    else
        arena->blocks = block->next;
    if (block->next != NULL)
        block->next->previous = block->previous;
}

static void count(struct arena *arena, size_t bytes)
{
    arena->used += bytes;
    if (arena->used > arena->peak)
        arena->peak = arena->used;
}

/* Whether the budget allows a block to grow from `before` to `bytes` and its size does not
 * overflow. */
static bool allowed(struct arena *arena, size_t before, size_t bytes)
{
    const bool fine = bytes <= SIZE_MAX - sizeof(struct block) - 2 * HUGE_PAGE &&
                      (bytes <= before || bytes - before <= arena->budget - arena->used);
    if (!fine)
        arena->starved = false;
    return fine;
}

void *arena_take(struct arena *arena, size_t bytes)
{
    assert(arena->used <= arena->budget);
    if (!allowed(arena, 0, bytes))
        return NULL;
    struct block *block = block_take(bytes);
    if (block == NULL) {
        arena->starved = true;
        return NULL;
    }
    if (bytes < LARGE)
        memset(block + 1, 0, bytes);
    block->bytes = bytes;
    link_block(arena, block);
    count(arena, bytes);
    return block + 1;
}

bool arena_count(struct arena *arena, uint64_t bytes)
{
    if (!allowed(arena, 0, bytes))
        return false;
    count(arena, bytes);
    arena->shared += bytes;
    return true;
}

void arena_discount(struct arena *arena, uint64_t bytes)
{
    arena->used -= bytes;
    arena->shared -= bytes;
}

void *arena_resize(struct arena *arena, void *old, size_t bytes)
{
    if (old == NULL)
        return arena_take(arena, bytes);
    struct block *block = (struct block *)old - 1;
    size_t before = block->bytes;
    if (!allowed(arena, before, bytes))
        return NULL;
    unlink_block(arena, block);
    struct block *resized = block_resize(block, bytes);
    if (resized == NULL) {
        link_block(arena, block);
        arena->starved = true;
        return NULL;
    }
    link_block(arena, resized);
    resized->bytes = bytes;
    arena->used -= before;
    count(arena, bytes);
    return resized + 1;
}

void arena_release(struct arena *arena, void *old)
{
    if (old == NULL)
        return;
    struct block *block = (struct block *)old - 1;
    unlink_block(arena, block);
    arena->used -= block->bytes;
    block_give_back(block);
}

void *arena_keep(struct arena *arena, void *old, size_t bytes)
{
    void *kept = realloc(old, bytes);
    if (kept == NULL)
        arena->starved = true;
    return kept;
}

void arena_end(struct arena *arena)
{
    while (arena->blocks != NULL)
        arena_release(arena, arena->blocks + 1);
    arena_discount(arena, arena->shared);
    assert(arena->used == 0);
}
