/* The open list of the compact forms of A*: buckets that link words, where those of the general
 * loop (search/node_buckets.h) link the numbers of stored nodes: a word holds its nodes whole, so
 * nothing else keeps them. (Buckets instead of a heap: Dial, "Algorithm 360: shortest-path forest
 * with topological ordering", Communications of the ACM 12, 1969.)
 *
 * The search decides what a word means, and which buckets there are. A bucket is a stack: its
 * newest word is taken first. It is a chain of chunks of 64 words: the first holds the index of the
 * last word of the chunk before, the others hold nodes. A bucket is represented by the index of its
 * last word in use, or EMPTY_BUCKET. Chunks that become empty are used again.
 *
 * The header of the board's width comes before. */
#pragma once

enum { BUCKET_ROWS = 3, BUCKET_CHUNK = 64, EMPTY_BUCKET = BUCKET_CHUNK - 1 };

struct word_buckets {
    struct arena *arena;
    uint64_t *rows;             /* the block of memory that holds the rows, if there are any */
    uint64_t *row[BUCKET_ROWS]; /* of buckets by g, row r for f = F + r */
    uint64_t depth;             /* buckets in a row */
    open_word *words;           /* chunk 0 is never used */
    uint64_t capacity;          /* of words */
    uint64_t used;              /* words from here on were never used */
    uint64_t spare;             /* the first of a chain of empty chunks; 0: none */
    uint64_t spares;            /* chunks in that chain */
};

/* Whether all successors of a node can be pushed. */
KERNEL bool word_buckets_has_room(const struct word_buckets *open)
{
    return open->spares + (open->capacity - open->used) / BUCKET_CHUNK >= MOVES;
}

/* Makes that room: twice the words while there are few, a 32nd more when there are many in the
 * lists of all sections. False when the budget is spent. */
static CALLED bool word_buckets_grow(struct word_buckets *open)
{
    enum { FIRST = 1024, MANY = 1 << 19, MIN_MANY = 1 << 14 };
    const uint64_t many = MANY / SECTIONS < MIN_MANY ? MIN_MANY : MANY / SECTIONS;
    struct arena *arena = open->arena;
    uint64_t left = (arena->budget - arena->used) / sizeof *open->words;
    uint64_t more = open->capacity == 0     ? FIRST
                    : open->capacity < many ? open->capacity
                                            : open->capacity / 32;
    if (more > left)
        more = left;
    more -= more % BUCKET_CHUNK;
    uint64_t capacity = open->capacity + more;
    open_word *words = more < (MOVES + 1) * BUCKET_CHUNK
                           ? NULL
                           : arena_resize(arena, open->words, capacity * sizeof *words);
    if (words == NULL)
        return false;
    open->words = words;
    open->capacity = capacity;
    return true;
}

/* Starts an empty list. False when the budget is spent. */
static bool word_buckets_start(struct word_buckets *open, struct arena *arena)
{
    *open = (struct word_buckets){.arena = arena, .used = BUCKET_CHUNK};
    return word_buckets_grow(open);
}

static void word_buckets_end(struct word_buckets *open)
{
    arena_release(open->arena, open->rows);
    arena_release(open->arena, open->words);
    *open = (struct word_buckets){.arena = open->arena};
}

/* Replaces the rows by rows of another depth; the buckets in them stay. False when the budget is
 * spent. */
static inline bool word_buckets_set_depth(struct word_buckets *open, uint64_t depth)
{
    uint64_t *rows = arena_take(open->arena, BUCKET_ROWS * depth * sizeof *rows);
    if (rows == NULL)
        return false;
    for (unsigned r = 0; r < BUCKET_ROWS; r++) {
        for (uint64_t g = 0; g < depth; g++)
            rows[r * depth + g] = g < open->depth ? open->row[r][g] : EMPTY_BUCKET;
        open->row[r] = rows + r * depth;
    }
    arena_release(open->arena, open->rows);
    open->rows = rows;
    open->depth = depth;
    return true;
}

/* Raises F by 1: row 0, which is empty, becomes row 2. There are buckets for g < depth then. False
 * when the budget is spent. */
static inline bool word_buckets_next_row(struct word_buckets *open, uint64_t depth)
{
    uint64_t *empty = open->row[0];
    for (unsigned r = 0; r + 1 < BUCKET_ROWS; r++)
        open->row[r] = open->row[r + 1];
    open->row[BUCKET_ROWS - 1] = empty;
    return depth <= open->depth || word_buckets_set_depth(open, depth + depth / 2);
}

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
