/* What the forms of A* share in which f may rise and fall by any number (astar/reopening_body.h,
 * astar/distributed_body.h): a bucket of the open list for each f and g, and the ways from every
 * cell. */
#pragma once

#include "astar/compact.h"

enum { DEPTHS = 254, COSTS = 512 }; /* g and f are below these */

#include "astar/compact_body.h"

/* Buckets by f and g. */
struct rows {
    uint64_t *row[COSTS];    /* by f: the buckets, by g; NULL if there was none yet */
    uint16_t deepest[COSTS]; /* by f: buckets are empty from this g on */
    unsigned lowest;         /* rows are empty below this f; at first COSTS */
};

/* The bucket of largest g among those of lowest f; NULL if all are empty. */
KERNEL uint64_t *rows_first(struct rows *rows)
{
    for (; rows->lowest < COSTS; rows->lowest++) {
        uint64_t *row = rows->row[rows->lowest];
        uint16_t *deepest = &rows->deepest[rows->lowest];
        while (*deepest > 0 && row[*deepest - 1] == EMPTY_BUCKET)
            --*deepest;
        if (*deepest > 0)
            return &row[*deepest - 1];
    }
    return NULL;
}

/* The g of that bucket. */
KERNEL unsigned rows_first_g(const struct rows *rows)
{
    return rows->deepest[rows->lowest] - 1U;
}

/* Makes the buckets of an f. False when memory is spent. */
static SELDOM bool rows_make(struct rows *rows, struct arena *arena, unsigned f)
{
    uint64_t *row = arena_take(arena, DEPTHS * sizeof *row);
    for (unsigned g = 0; row != NULL && g < DEPTHS; g++)
        row[g] = EMPTY_BUCKET;
    rows->row[f] = row;
    return row != NULL;
}

/* Pushes a word on the bucket of an f and a g; the list must have room. False when memory is spent.
 */
KERNEL bool rows_push(struct rows *rows, struct word_buckets *open, unsigned f, unsigned g,
                      open_word word)
{
    if (UNLIKELY(rows->row[f] == NULL) && !rows_make(rows, open->arena, f))
        return false;
    bucket_push(open, &rows->row[f][g], word);
    if (rows->deepest[f] <= g)
        rows->deepest[f] = (uint16_t)(g + 1);
    if (rows->lowest > f)
        rows->lowest = f;
    return true;
}

static inline void rows_end(struct rows *rows, struct arena *arena)
{
    for (unsigned f = 0; f < COSTS; f++)
        arena_release(arena, rows->row[f]);
}

/* The ways of the blank from every cell, in operator order. */
struct ways {
    uint8_t bits[COMPACT_CELLS]; /* those that there are, as bits */
    struct way way[COMPACT_CELLS][MOVES];
};

static void ways_make(struct ways *ways, const struct search *search, const struct board_code *code)
{
    uint8_t number[MOVES]; /* of a move in operator order */
    for (unsigned i = 0; i < MOVES; i++)
        number[search->operators.order[i]] = (uint8_t)i;
    for (unsigned blank = 0; blank < search->task->start.shape.cells; blank++)
        for (unsigned i = 0; i < MOVES; i++) {
            const unsigned move = search->operators.order[i];
            struct way *way = &ways->way[blank][i];
            if (!compact_way(search, code, blank, move, way))
                continue;
            way->next = (uint8_t)(1U << number[move_undo(move)]);
            ways->bits[blank] |= (uint8_t)(1U << i);
        }
}

/* A node's child by a way. */
KERNEL struct kept_board child_of(const struct board_code *code, const struct kept_board *node,
                                  const struct way *way)
{
    const unsigned tile = way_tile(way, node->board);
    const compact_board board = way_board(way, node->board, tile);
    return keep_board(board, way_key(code, way, node, tile, board));
}
