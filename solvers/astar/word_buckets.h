/* The open list of A* with a consistent heuristic: a bucket of live nodes for each f and g (buckets
 * in place of a heap: Dial, "Algorithm 360: shortest-path forest with topological ordering",
 * Communications of the ACM 12, 1969).
 *
 * The f of live nodes lies between the minimum, F, and F + 2 (astar/compact_astar.h says why). So
 * there are three rows of buckets, row r for f = F + r, with a bucket for each g. A bucket is a
 * stack: its newest word is taken first.
 *
 * A word is a live node or some; the search decides what it means. A bucket is a chain of chunks of
 * 64 words: the first holds the index of the last word of the chunk before, the others hold nodes.
 * A bucket is represented by the index of its last word in use, or EMPTY_BUCKET. Chunks that become
 * empty are used again. */
#ifndef ASTAR_WORD_BUCKETS_H
#define ASTAR_WORD_BUCKETS_H

#include "astar/compact_width.h"

enum { BUCKET_ROWS = 3, BUCKET_CHUNK = 64, EMPTY_BUCKET = BUCKET_CHUNK - 1 };

struct word_buckets {
    struct arena *arena;
    uint64_t *rows;             /* the block of memory that holds the rows */
    uint64_t *row[BUCKET_ROWS]; /* buckets by g */
    uint64_t depth;             /* buckets in a row */
    open_word *words;           /* chunk 0 is never used */
    uint64_t capacity;          /* of words */
    uint64_t used;              /* words from here on were never used */
    uint64_t spare;             /* the first of a chain of empty chunks; 0: none */
    uint64_t spares;            /* chunks in that chain */
};

/* Makes empty buckets for g < depth; if that is 0, the search has buckets of its own. False when
 * the budget is spent. */
bool word_buckets_start(struct word_buckets *open, struct arena *arena, uint64_t depth);

void word_buckets_end(struct word_buckets *open);

/* Raises F by 1: row 0, which must be empty, becomes row 2. There are buckets for g < depth then.
 * False when the budget is spent. */
bool word_buckets_next_row(struct word_buckets *open, uint64_t depth);

/* Whether all successors of a node can be pushed. */
KERNEL bool word_buckets_has_room(const struct word_buckets *open)
{
    return open->spares + (open->capacity - open->used) / BUCKET_CHUNK >= MOVES;
}

/* Makes that room. False when the budget is spent. */
bool word_buckets_grow(struct word_buckets *open);

/* Pushes a word on a bucket; there must be room. */
KERNEL void bucket_push(struct word_buckets *open, uint64_t *bucket, open_word word)
{
    uint64_t top = *bucket;
    if (UNLIKELY(top % BUCKET_CHUNK == BUCKET_CHUNK - 1)) {
        uint64_t chunk = open->spare;
        if (chunk != 0) {
            open->spare = word_index(open->words[chunk]);
            open->spares--;
        } else {
            chunk = open->used;
            open->used += BUCKET_CHUNK;
        }
        open->words[chunk] = word_of_index(top);
        top = chunk;
    }
    open->words[++top] = word;
    *bucket = top;
}

/* Removes the newest word of a bucket that is not empty. */
KERNEL void bucket_pop(struct word_buckets *open, uint64_t *bucket)
{
    uint64_t top = *bucket - 1;
    if (UNLIKELY(top % BUCKET_CHUNK == 0)) {
        const uint64_t chunk = top;
        top = word_index(open->words[chunk]);
        open->words[chunk] = word_of_index(open->spare);
        open->spare = chunk;
        open->spares++;
    }
    *bucket = top;
}

/* Pushes a word for nodes of f = F + row and this g; there must be room. */
KERNEL void word_buckets_push(struct word_buckets *open, unsigned row, uint64_t g, open_word word)
{
    bucket_push(open, &open->row[row][g], word);
}

/* The newest word of f = F and this g; there must be one. */
KERNEL open_word *word_buckets_top(const struct word_buckets *open, uint64_t g)
{
    return &open->words[open->row[0][g]];
}

/* Removes it. */
KERNEL void word_buckets_pop(struct word_buckets *open, uint64_t g)
{
    bucket_pop(open, &open->row[0][g]);
}

#endif
