#include "base/arena.h"
#include <assert.h>
#include <stdlib.h>

/* Stands before each block; the ring of blocks is what arena_end walks. */
struct block {
    _Alignas(max_align_t) struct block *previous;
    struct block *next;
    size_t bytes;
};

void arena_start(struct arena *arena, uint64_t budget)
{
    *arena = (struct arena){.budget = budget};
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

/* Whether a block that grows from `before` to `bytes` is more than the budget or the address space
 * allows. */
static int too_much(const struct arena *arena, size_t before, size_t bytes)
{
    return bytes > SIZE_MAX - sizeof(struct block) ||
           (bytes > before && bytes - before > arena->budget - arena->used);
}

void *arena_take(struct arena *arena, size_t bytes)
{
    assert(arena->used <= arena->budget);
    if (too_much(arena, 0, bytes))
        return NULL;
    struct block *block = calloc(1, sizeof *block + bytes);
    if (block == NULL)
        return NULL;
    block->bytes = bytes;
    link_block(arena, block);
    count(arena, bytes);
    return block + 1;
}

void *arena_resize(struct arena *arena, void *old, size_t bytes)
{
    if (old == NULL)
        return arena_take(arena, bytes);
    struct block *block = (struct block *)old - 1;
    size_t before = block->bytes;
    if (too_much(arena, before, bytes))
        return NULL;
    unlink_block(arena, block);
    struct block *resized = realloc(block, sizeof *block + bytes);
    if (resized == NULL) {
        link_block(arena, block);
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
    free(block);
}

void arena_end(struct arena *arena)
{
    while (arena->blocks != NULL)
        arena_release(arena, arena->blocks + 1);
    assert(arena->used == 0);
}
