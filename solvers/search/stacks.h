/* The open list of A* with a consistent heuristic: a stack of live nodes for each f and g.
 *
 * The f of live nodes lies between the least, F, and F + 2 (algorithms/astar.h says why), so there
 * are three rows of stacks, row r for f = F + r, and in each a stack for every g. The newest node
 * of the deepest g is a stack's top.
 *
 * A live node is one word, whose meaning is the search's. A stack is a chain of chunks of 16 words:
 * the first is the number of the word where the chunk before ends, nodes are in the others. A stack
 * is known by the number of its last word in use, EMPTY_STACK when there is none. Chunks that
 * become empty are used again. */
#ifndef SEARCH_STACKS_H
#define SEARCH_STACKS_H

#include "search/search.h"

enum { STACKS_ROWS = 3, STACKS_CHUNK = 16, EMPTY_STACK = STACKS_CHUNK - 1 };

struct stacks {
    struct arena *arena;
    uint64_t *rows;             /* the block in which the rows lie */
    uint64_t *row[STACKS_ROWS]; /* stacks by g */
    uint64_t depth;             /* stacks in a row */
    uint64_t *words;            /* chunk 0 is never used */
    uint64_t capacity;          /* of words */
    uint64_t used;              /* the words from here on were never used */
    uint64_t spare;             /* the first of a chain of chunks to be used again; 0: none */
    uint64_t spares;            /* chunks in that chain */
};

/* Rows for g < depth, all empty; false when the budget is spent. */
bool stacks_start(struct stacks *stacks, struct arena *arena, uint64_t depth);

void stacks_end(struct stacks *stacks);

/* Raises F by 1: row 0, which must be empty, becomes row 2. The stacks get room for g < depth.
 * False when the budget is spent. */
bool stacks_next_row(struct stacks *stacks, uint64_t depth);

/* Whether a node's successors can be pushed. */
KERNEL bool stacks_have_room(const struct stacks *stacks)
{
    return stacks->spares + (stacks->capacity - stacks->used) / STACKS_CHUNK >= MOVES;
}

/* Makes that room; false when the budget is spent. */
bool stacks_grow(struct stacks *stacks);

KERNEL void stacks_push(struct stacks *stacks, unsigned row, uint64_t g, uint64_t node)
{
    uint64_t top = stacks->row[row][g];
    if (UNLIKELY(top % STACKS_CHUNK == STACKS_CHUNK - 1)) {
        uint64_t chunk = stacks->spare;
        if (chunk != 0) {
            stacks->spare = stacks->words[chunk];
            stacks->spares--;
        } else {
            chunk = stacks->used;
            stacks->used += STACKS_CHUNK;
        }
        stacks->words[chunk] = top;
        top = chunk;
    }
    stacks->words[++top] = node;
    stacks->row[row][g] = top;
}

/* Takes the top of a stack of row 0 that is not empty. */
KERNEL uint64_t stacks_pop(struct stacks *stacks, uint64_t g)
{
    uint64_t top = stacks->row[0][g];
    uint64_t node = stacks->words[top--];
    if (UNLIKELY(top % STACKS_CHUNK == 0)) {
        uint64_t chunk = top;
        top = stacks->words[chunk];
        stacks->words[chunk] = stacks->spare;
        stacks->spare = chunk;
        stacks->spares++;
    }
    stacks->row[0][g] = top;
    return node;
}

#endif
