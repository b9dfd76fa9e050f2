/* The memory of one search: budgeted, counted and freed all at once.
 *
 * An arena hands out blocks until the bytes held would exceed its budget; then it returns NULL and
 * the search ends with `memory_limit`, its counters intact. Only the bytes requested are counted,
 * so that `peak` is the same on every machine; the arena's own header of a few words per block is
 * not counted, and searches hold few, large blocks. If the budget allows a block but the system has
 * no memory for it, the caller gets NULL as well; `starved` distinguishes the two cases.
 *
 * Blocks of more than 2 MiB ask the system for huge pages: random reads from a large table then
 * need far fewer page-table lookups. Up to 16 MiB of pages that are free again are kept by each
 * thread for its next blocks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block;

/* Blocks start on a cache line, so that each bucket of a table can be one line. */
enum { ARENA_ALIGNMENT = 64 };

struct arena {
    uint64_t budget; /* bytes */
    uint64_t used;   /* bytes held now */
    uint64_t shared; /* of these, bytes that are not its own: arena_count */
    uint64_t peak;   /* the maximum held at once */
    bool starved;    /* the last refusal came from the system, not from the budget */
    struct block *blocks;
};

/* Starts an empty arena that holds at most `budget` bytes. */
void arena_start(struct arena *arena, uint64_t budget);

/* Returns `bytes` of zeroed memory, aligned to ARENA_ALIGNMENT, or NULL if the budget does not
 * allow them or the system has none; arena->starved says which. */
void *arena_take(struct arena *arena, size_t bytes);

/* Resizes `block` (from arena_take, or NULL) to `bytes` and returns it, moved or not. Its contents
 * are kept; new bytes are not zeroed. Returns NULL as arena_take does; the old block is then
 * unchanged. A block that grows is never counted twice: the system moves the pages of blocks of
 * 64 KiB and more instead of copying them. */
void *arena_resize(struct arena *arena, void *block, size_t bytes);

/* By how many cells an array that has `count` of them, at least one, is to grow: twice as many
 * while there are few, a quarter more where there are many. Between 8,192 and a million, where a
 * block mostly grows in its place, in four equal steps from a power of two to the next. */
static inline uint64_t arena_more(uint64_t count)
{
    enum { FEW = 1 << 13, MANY = 1 << 20 };
    if (count < FEW)
        return count;
    if (count >= MANY)
        return count / 4;
    uint64_t power = FEW;
    while (2 * power <= count)
        power *= 2;
    return power / 4;
}

/* Frees one block; NULL is allowed. */
void arena_release(struct arena *arena, void *block);

/* Counts bytes that the search uses but that stay when it ends, because other searches will use
 * them. False if the budget does not allow them. */
bool arena_count(struct arena *arena, uint64_t bytes);

/* They are not used any more. */
void arena_discount(struct arena *arena, uint64_t bytes);

/* Memory for a search's answer, which outlives the arena: `old` (from here, or NULL) resized to
 * `bytes`; free(). It is not counted: an answer is not part of the search. If the system has none,
 * returns NULL, sets `starved` and leaves `old` unchanged. */
void *arena_keep(struct arena *arena, void *old, size_t bytes);

/* Frees every block; `peak` remains valid. */
void arena_end(struct arena *arena);
