#include "search/stacks.h"

/* As many words again while there are few, an eighth more when there are many. */
enum { FIRST = 64 * STACKS_CHUNK, MANY = 1 << 17 };

/* Rows of another depth in the place of the old ones, whose stacks they keep. */
static bool set_depth(struct stacks *stacks, uint64_t depth)
{
    uint64_t *rows = arena_take(stacks->arena, STACKS_ROWS * depth * sizeof *rows);
    if (rows == NULL)
        return false;
    for (unsigned r = 0; r < STACKS_ROWS; r++) {
        for (uint64_t g = 0; g < depth; g++)
            rows[r * depth + g] = g < stacks->depth ? stacks->row[r][g] : EMPTY_STACK;
        stacks->row[r] = rows + r * depth;
    }
    arena_release(stacks->arena, stacks->rows);
    stacks->rows = rows;
    stacks->depth = depth;
    return true;
}

bool stacks_start(struct stacks *stacks, struct arena *arena, uint64_t depth)
{
    *stacks = (struct stacks){.arena = arena, .used = STACKS_CHUNK};
    return set_depth(stacks, depth);
}

void stacks_end(struct stacks *stacks)
{
    arena_release(stacks->arena, stacks->rows);
    arena_release(stacks->arena, stacks->words);
    *stacks = (struct stacks){.arena = stacks->arena};
}

bool stacks_next_row(struct stacks *stacks, uint64_t depth)
{
    uint64_t *empty = stacks->row[0];
    for (unsigned r = 0; r + 1 < STACKS_ROWS; r++)
        stacks->row[r] = stacks->row[r + 1];
    stacks->row[STACKS_ROWS - 1] = empty;
    return depth <= stacks->depth || set_depth(stacks, depth + depth / 2);
}

bool stacks_grow(struct stacks *stacks)
{
    struct arena *arena = stacks->arena;
    uint64_t left = (arena->budget - arena->used) / sizeof *stacks->words;
    uint64_t more = stacks->capacity == 0     ? FIRST
                    : stacks->capacity < MANY ? stacks->capacity
                                              : stacks->capacity / 8;
    if (more > left)
        more = left;
    more -= more % STACKS_CHUNK;
    uint64_t capacity = stacks->capacity + more;
    uint64_t *words = more < (MOVES + 1) * STACKS_CHUNK
                          ? NULL
                          : arena_resize(arena, stacks->words, capacity * sizeof *words);
    if (words == NULL)
        return false;
    stacks->words = words;
    stacks->capacity = capacity;
    return true;
}
