/* The memory of one search: budgeted, counted, freed whole.
 *
 * An arena hands out blocks until the bytes held would pass its budget; then it answers NULL and
 * the search ends with `memory_limit`, its counters intact. What is counted is what was asked for,
 * so that `peak` is the same on every machine; the arena's own header of a few words per block is
 * not counted, and searches hold few, large blocks. A block that cannot be had from the system
 * although the budget allows it is refused just so; `starved` tells the two apart.
 *
 * Blocks of 2 MiB and more ask the system for huge pages: tables that are read all over are then
 * found with far fewer looks into the processor's page tables. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block;

/* Where blocks begin: with a cache line, so that a table's buckets can be lines. */
enum { ARENA_ALIGNMENT = 64 };

struct arena {
    uint64_t budget; /* bytes */
    uint64_t used;   /* bytes held now */
    uint64_t peak;   /* the most bytes held at once */
    bool starved;    /* the last block that was refused was so by the system, not by the budget */
    struct block *blocks;
};

/* An empty arena that will hold at most `budget` bytes. */
void arena_start(struct arena *arena, uint64_t budget);

/* `bytes` of zeroed memory, aligned to ARENA_ALIGNMENT, or NULL when the budget does not allow
 * them or the system has none; arena->starved says which. */
void *arena_take(struct arena *arena, size_t bytes);

/* `block` (from arena_take, or NULL) with room for `bytes`, moved or not, its contents kept; what
 * is new is not zeroed. NULL as for arena_take: the old block stays as it was then. A
 * block is counted once while it grows: large ones are moved by the system page by page, not
 * copied. */
void *arena_resize(struct arena *arena, void *block, size_t bytes);

/* Gives one block back; NULL is allowed. */
void arena_release(struct arena *arena, void *block);

/* Frees every block; `peak` stays readable. */
void arena_end(struct arena *arena);

#endif
