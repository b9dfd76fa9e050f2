/* What idastar/layers_body.h has to know of pattern databases with one sum, by the tables of
 * idastar/falls.h.
 *
 * A node is three words of four bits for each cell or tile: which tile is on each cell; on which
 * cell each tile is; and, of each tile, with which moves of the blank the value of its group falls.
 * So whether a child is kept follows from the node alone. The child has the parent's third word,
 * until it is entered: then its group's part is read from the table, for many nodes in a row, whose
 * reads overlap.
 *
 * A move may change a value by more than 1, and then the child's slack is not that of its list. As
 * it enters, it becomes a leaper. */
#pragma once

#include "idastar/layers_slide.h"

#include "idastar/falls_make.h"

enum { NODE_WORDS = 3 };
#define NODE_LEAPS 1
enum { ON_CELL, OF_TILE, FALLING };

struct nodes {
    vector word[NODE_WORDS];
};

struct tables {
    struct falls falls;
};

struct hints {
    unsigned none;
};

KERNEL struct hints hints_of(const struct tables *tables, struct nodes nodes, unsigned cell)
{
    (void)tables;
    (void)nodes;
    (void)cell;
    return (struct hints){0};
}

/* Four times the code of the tile on a cell: where its bits are. */
KERNEL vector place_of(vector on_cell, unsigned cell)
{
    return (cell == 0 ? on_cell << 2 : on_cell >> (TILE_BITS * cell - 2)) & 60;
}

/* The lanes in which h falls with a move that takes the blank to cell `from`. */
KERNEL unsigned nearer(struct hints hints, struct nodes nodes, unsigned from, unsigned move)
{
    (void)hints;
    return vector_bit(nodes.word[FALLING] >> place_of(nodes.word[ON_CELL], from), move);
}

KERNEL struct nodes children_of(struct nodes nodes, unsigned cell, unsigned from)
{
    const vector moved = (vector){0} + (word)(cell ^ from);
    return (struct nodes){{slid(nodes.word[ON_CELL], cell, from),
                           nodes.word[OF_TILE] ^ moved << place_of(nodes.word[ON_CELL], from),
                           nodes.word[FALLING]}};
}

/* The numbers of the entries to be read after a move of the tile on cell `cell`. */
KERNEL vector entry_numbers(const struct tables *tables, struct nodes nodes, unsigned cell)
{
    const vector tile = nodes.word[ON_CELL] >> TILE_BITS * cell & 15;
    const vector group = vector_choose(tables->falls.group, tile);
    return (nodes.word[OF_TILE] >> (group >> FALLS_PLACE & 63) & group & FALLS_MASK) +
           (group >> FALLS_FIRST);
}

/* Brings the third words of nodes up to date by these entries. Returns the lanes in which a value
 * of the group leaps with the move `back`, though perhaps with another tile. */
KERNEL unsigned read_falls(const struct tables *tables, struct nodes *nodes, vector numbers,
                           unsigned cell, unsigned back)
{
    const vector tile = nodes->word[ON_CELL] >> TILE_BITS * cell & 15;
    const vector group = vector_choose(tables->falls.group, tile);
    const vector mask = group & FALLS_MASK;
    const vector place = group >> FALLS_PLACE & 63;
    const vector entry = vector_gather(tables->falls.entries, numbers);
    nodes->word[FALLING] = (nodes->word[FALLING] & ~(mask << place)) | (entry & mask) << place;
    return vector_bit(entry, FALLS_LEAP + back);
}

/* How much more slack a node has than its list, as its group's value may have leapt when the tile
 * on cell `cell` came from cell `from`. */
KERNEL int leap_of(const struct tables *tables, const word node[NODE_WORDS], unsigned cell,
                   unsigned from)
{
    const struct falls *falls = &tables->falls;
    const unsigned tile = node[ON_CELL] >> TILE_BITS * cell & 15;
    const word before = node[OF_TILE] ^ (word)(cell ^ from) << TILE_BITS * tile;
    const unsigned fall = (falls_entry(falls, tile, before) >> FALLS_REST) -
                          (falls_entry(falls, tile, node[OF_TILE]) >> FALLS_REST);
    const int farther =
        (int)(fall & 15) <= FALLS_FARTHEST ? (int)(fall & 15) : (int)(fall & 15) - 16;
    return farther > 0 ? (farther - 1) / 2 : (farther + 1) / 2;
}

static void enter_node(const struct tables *tables, const struct board *board,
                       word node[NODE_WORDS])
{
    const struct falls *falls = &tables->falls;
    memset(node, 0, NODE_WORDS * sizeof *node);
    for (unsigned cell = 0; cell < CELLS; cell++) {
        const word code = falls->code[board->cell[cell]];
        if (cell == board->blank)
            continue;
        node[ON_CELL] |= code << TILE_BITS * cell;
        node[OF_TILE] |= (word)cell << TILE_BITS * code;
    }
    for (unsigned code = 0; code < CELLS - 1; code++) {
        const word group = falls->group[code];
        node[FALLING] |= (falls_entry(falls, code, node[OF_TILE]) & falls_mask(group))
                         << falls_place(group);
    }
}

static void tables_make(struct tables *tables, const struct heuristic *heuristic,
                        const struct falls *falls)
{
    (void)heuristic;
    tables->falls = *falls;
}

#define MAKE_FALLS falls_make
