/* Walking distance on WIDTH x HEIGHT cells for a subtree counter (idastar/subtree_body.h): pointers
 * to the links of the arrangement of the rows and to those of the columns
 * (heuristics/walking_distance.h). A move of the blank changes one of the two as one link says, and
 * the link also says whether h rises. A tile is four bits, the row and the column of its goal cell,
 * by which a link is found.
 *
 * Numbers of arrangements instead of pointers cost a tenth more instructions. The links of 4x4
 * take 400 KB for each direction; both directions share them if the goal's blank is on the
 * diagonal. Larger shapes have no links: idastar/walking_distance_large.h. */
#pragma once

#if WIDTH > 4 || HEIGHT > 4
#include "idastar/walking_distance_large.h"
#else

#include "heuristics/walking_distance.h"
#include "puzzle/moves.h"
#include "puzzle/pack.h" /* its functions have parameters called shape */

enum { CELLS = WIDTH * HEIGHT, TILE_BITS = 4, LINE_BITS = 2 };

_Static_assert(WIDTH <= LINKED_LINES && HEIGHT <= LINKED_LINES, "a tile's goal cell in its bits");

typedef uint64_t word;

/* Whether a child has children within the threshold is not known before it is called. */
#define LOOKS_AHEAD 0

/* g has a word of its own. */
enum { G_SHIFT = 0 };

/* An arrangement, represented by its links. */
typedef const struct arrangement_links *arrangement;

#define POSITION_WORDS(WORD)                                                                       \
    WORD(word, tiles) WORD(arrangement, rows) WORD(arrangement, columns) WORD(word, g)

struct position {
    word tiles; /* the goal cell of the tile on each cell; 0 for the blank */
    arrangement rows;
    arrangement columns;
    word g;
};

/* The links of all arrangements. */
struct tables {
    arrangement rows;
    arrangement columns;
};

static const struct shape shape = {WIDTH, HEIGHT, CELLS};

/* The link that a move of the blank from `cell` follows. */
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

KERNEL struct position position_after(const struct tables *tables, struct position position,
                                      unsigned cell, unsigned move)
{
    const unsigned from = move_target(shape, cell, move);
    const word tile = position.tiles >> TILE_BITS * from & ((1 << TILE_BITS) - 1);
    const unsigned next = position_link(position, cell, move) / 2;
    if (move == MOVE_U || move == MOVE_D)
        position.rows = tables->rows + next;
    else
        position.columns = tables->columns + next;
    position.g++;
    position.tiles ^= tile << TILE_BITS * from | tile << TILE_BITS * cell;
    return position;
}

/* The word that counts the moves made above G_SHIFT. */
KERNEL word position_count(struct position position)
{
    return position.g;
}

static struct position position_of(const struct tables *tables, const struct heuristic *heuristic,
                                   const struct board *board, unsigned g)
{
    const struct walking *walking = heuristic->data;
    struct position position = {.rows = tables->rows + walking_number(&walking->rows, board),
                                .columns =
                                    tables->columns + walking_number(&walking->columns, board),
                                .g = g};
    for (unsigned cell = 0; cell < CELLS; cell++) {
        const unsigned home = heuristic->home[board->cell[cell]];
        if (board->cell[cell] != 0)
            position.tiles |= (word)(home / WIDTH << LINE_BITS | home % WIDTH) << TILE_BITS * cell;
    }
    return position;
}

static void tables_make(struct tables *tables, const struct heuristic *heuristic)
{
    const struct walking *walking = heuristic->data;
    tables->rows = walking->rows.links;
    tables->columns = walking->columns.links;
}

#endif
