#include "astar/word_buckets.h"

/* Twice the words while there are few, a 32nd more when there are many. */
enum { FIRST = 1024, MANY = 1 << 19 };

/* Replaces the rows by rows of another depth; the buckets in them stay. */
static bool set_depth(struct word_buckets *open, uint64_t depth)
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

bool word_buckets_start(struct word_buckets *open, struct arena *arena, uint64_t depth)
{
    *open = (struct word_buckets){.arena = arena, .used = BUCKET_CHUNK};
    return depth == 0 || set_depth(open, depth);
}

void word_buckets_end(struct word_buckets *open)
{
    arena_release(open->arena, open->rows);
    arena_release(open->arena, open->words);
    *open = (struct word_buckets){.arena = open->arena};
}

bool word_buckets_next_row(struct word_buckets *open, uint64_t depth)
{
    uint64_t *empty = open->row[0];
    for (unsigned r = 0; r + 1 < BUCKET_ROWS; r++)
        open->row[r] = open->row[r + 1];
    open->row[BUCKET_ROWS - 1] = empty;
    return depth <= open->depth || set_depth(open, depth + depth / 2);
}

bool word_buckets_grow(struct word_buckets *open)
{
    struct arena *arena = open->arena;
    uint64_t left = (arena->budget - arena->used) / sizeof *open->words;
    uint64_t more = open->capacity == 0     ? FIRST
                    : open->capacity < MANY ? open->capacity
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
