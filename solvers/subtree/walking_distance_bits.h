/* Walking distance on WIDTH x HEIGHT cells, as what a subtree counter for it is stamped from
 * (subtree/subtree_body.h): where the links of the arrangement of the rows are and those of the
 * columns' (heuristics/walking_distance.h). A move of the blank changes one of the two, to what one
 * link says, which also says whether h rises. A tile is four bits, the row and the column of its
 * goal cell: what a link is found by.
 *
 * Arrangements that are kept as numbers cost 32.3 instructions for each node where these pointers
 * cost 29.6 (by the line in subtree/subtree_body.h). The links of 4x4 are 400 KB for each
 * direction, one and the same where the goal's blank is on the diagonal. */
#ifndef SUBTREE_WALKING_DISTANCE_BITS_H
#define SUBTREE_WALKING_DISTANCE_BITS_H

#include "heuristics/walking_distance.h"
#include "puzzle/moves.h"
#include "puzzle/pack.h" /* its functions have parameters called shape */

enum { CELLS = WIDTH * HEIGHT, TILE_BITS = 4, LINE_BITS = 2 };

_Static_assert(WIDTH <= LINKED_LINES && HEIGHT <= LINKED_LINES, "a tile's goal cell in its bits");

typedef uint64_t word;

/* Whether a child has children is not known before it is called. */
enum { LOOKS_AHEAD = 0 };

/* g is a word of its own. */
enum { G_SHIFT = 0 };

/* The links of an arrangement, which stand for it. */
typedef const struct arrangement_links *arrangement;

#define POSITION_WORDS(WORD)                                                                       \
    WORD(word, tiles) WORD(arrangement, rows) WORD(arrangement, columns) WORD(word, g)

struct position {
    word tiles; /* the goal cell of the tile on each cell; 0 for the blank */
    arrangement rows;
    arrangement columns;
    word g;
};

/* All arrangements. */
struct slides {
    arrangement rows;
    arrangement columns;
};

static const struct shape shape = {WIDTH, HEIGHT, CELLS};

/* The link of a move of the blank from `cell`. */
KERNEL unsigned position_link(struct position position, unsigned cell, unsigned move)
{
    const bool vertical = move == MOVE_U || move == MOVE_D;
    const bool behind = move == MOVE_D || move == MOVE_R;
    const unsigned from = move_target(shape, cell, move);
    const word line =
        position.tiles >> (TILE_BITS * from + (vertical ? LINE_BITS : 0)) & ((1 << LINE_BITS) - 1);
    return (vertical ? position.rows : position.columns)->to[behind][line];
}

/* Whether h falls by a move of the blank from `cell`. */
KERNEL bool position_nearer(struct position position, unsigned cell, unsigned move)
{
    return (position_link(position, cell, move) & 1) == 0;
}

/* No move changes h otherwise. */
KERNEL bool position_contrary(const struct slides *slides, struct position position, unsigned cell,
                              unsigned move, bool nearer)
{
    (void)slides;
    (void)position;
    (void)cell;
    (void)move;
    (void)nearer;
    return false;
}

/* See LOOKS_AHEAD. */
KERNEL bool position_barren(struct position position, unsigned cell, unsigned move)
{
    (void)position;
    (void)cell;
    (void)move;
    return false;
}

KERNEL struct position position_after(const struct slides *slides, struct position position,
                                      unsigned cell, unsigned move)
{
    const unsigned from = move_target(shape, cell, move);
    const word tile = position.tiles >> TILE_BITS * from & ((1 << TILE_BITS) - 1);
    const unsigned next = position_link(position, cell, move) / 2;
    if (move == MOVE_U || move == MOVE_D)
        position.rows = slides->rows + next;
    else
        position.columns = slides->columns + next;
    position.g++;
    position.tiles ^= tile << TILE_BITS * from | tile << TILE_BITS * cell;
    return position;
}

/* The word that counts the moves made above G_SHIFT. */
KERNEL word position_count(struct position position)
{
    return position.g;
}

static struct position position_of(const struct slides *slides, const struct heuristic *heuristic,
                                   const struct board *board, unsigned g)
{
    const struct walking *walking = heuristic->data;
    struct position position = {.rows = slides->rows + walking_rows(walking, board),
                                .columns = slides->columns + walking_columns(walking, board),
                                .g = g};
    for (unsigned cell = 0; cell < CELLS; cell++) {
        const unsigned home = heuristic->home[board->cell[cell]];
        if (board->cell[cell] != 0)
            position.tiles |= (word)(home / WIDTH << LINE_BITS | home % WIDTH) << TILE_BITS * cell;
    }
    return position;
}

static void slides_make(struct slides *slides, const struct heuristic *heuristic)
{
    const struct walking *walking = heuristic->data;
    slides->rows = walking->rows->links;
    slides->columns = walking->columns->links;
}

#endif
