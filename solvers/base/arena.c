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

/* Each block of LARGE bytes or more is a mapping of its own that consists of whole huge pages: it
 * grows without a copy, and a part of a huge page would be filled with small pages, and would stay
 * so when the block grows. Smaller blocks come from the C library. */
#define HUGE_PAGE ((size_t)2 << 20)
#define LARGE     ((size_t)64 << 10)

/* Mappings of one huge page that no block needs any more wait here for the next ones, so that a
 * process that makes one search after the other need not have all its pages made anew each time. */
enum { SPARE = 8 };
static _Thread_local struct {
    void *space[SPARE];
    unsigned count;
} spare;

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

/* With huge pages one page-table entry covers 2 MiB instead of 4 KiB. Without them the search is
 * only slower. A mapping of one alone may hold much less, and gets as many small pages as it needs.
 * All of a mapping must be of one kind, or it cannot be resized. */
static void *with_huge_pages(void *space, size_t length)
{
    if (length > HUGE_PAGE)
        (void)madvise(space, length, MADV_HUGEPAGE);
    return space;
}

static void *map(size_t length)
{
    void *space = reserve(length);
    if (space == NULL)
        return NULL;
    if (mmap(space, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0) == MAP_FAILED) {
        munmap(space, length);
        return NULL;
    }
    return with_huge_pages(space, length);
}

/* Resizes a mapping, in place or by moving its pages; nothing is copied. */
static void *map_again(void *old, size_t before, size_t length)
{
    if (length == before)
        return old;
    void *resized = mremap(old, before, length, 0);
    if (resized == MAP_FAILED) {
        void *space = reserve(length);
        if (space == NULL)
            return NULL;
        resized = mremap(old, before, length, MREMAP_MAYMOVE | MREMAP_FIXED, space);
        if (resized == MAP_FAILED) {
            munmap(space, length);
            return NULL;
        }
    }
    resized = with_huge_pages(resized, length);
#ifdef MADV_COLLAPSE
    if (before == HUGE_PAGE && length > HUGE_PAGE)
        (void)madvise(resized, HUGE_PAGE, MADV_COLLAPSE);
#endif
    return resized;
}

/* Takes a block, zeroed if `zeroed`; NULL if the system has no memory. */
static struct block *block_take(size_t bytes, bool zeroed)
{
    struct block *block = NULL;
    if (bytes >= LARGE && spare.count > 0) {
        void *space = spare.space[spare.count - 1];
        block = map_again(space, HUGE_PAGE, mapped_bytes(bytes));
        if (block != NULL)
            spare.count--;
    } else if (bytes >= LARGE) {
        return map(mapped_bytes(bytes));
    } else {
        block = aligned_alloc(ARENA_ALIGNMENT,
                              rounded_up(sizeof(struct block) + bytes, ARENA_ALIGNMENT));
    }
    if (block != NULL && zeroed)
        memset(block + 1, 0, bytes < HUGE_PAGE ? bytes : HUGE_PAGE);
    return block;
}

static void block_give_back(struct block *block)
{
    if (block->bytes < LARGE) {
        free(block);
        return;
    }
    const size_t length = mapped_bytes(block->bytes);
    const size_t stays = spare.count < SPARE ? HUGE_PAGE : 0;
    if (stays > 0)
        spare.space[spare.count++] = block;
    if (length > stays)
        munmap((char *)block + stays, length - stays);
}

/* Gives back the mappings that wait. False if there are none. */
static bool let_go(void)
{
    const bool some = spare.count > 0;
    while (spare.count > 0)
        munmap(spare.space[--spare.count], HUGE_PAGE);
    return some;
}

/* Resizes a block, moving it if need be; NULL if the system has no memory, and the block is then
 * unchanged. */
static struct block *block_resize(struct block *block, size_t bytes)
{
    if (block->bytes >= LARGE && bytes >= LARGE)
        return map_again(block, mapped_bytes(block->bytes), mapped_bytes(bytes));
    struct block *resized = block_take(bytes, false);
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
    struct block *block = block_take(bytes, true);
    if (block == NULL && let_go())
        block = block_take(bytes, true);
    if (block == NULL) {
        arena->starved = true;
        return NULL;
    }
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
    if (resized == NULL && let_go())
        resized = block_resize(block, bytes);
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
