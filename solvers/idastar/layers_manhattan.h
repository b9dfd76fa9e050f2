/* What idastar/layers_body.h has to know of the Manhattan distance.
 *
 * A node is its tiles, four bits for each cell, and nothing else. Whether h falls when a tile
 * slides onto the blank's cell depends on the tile and the neighbour that it comes from: for each
 * cell there is a table, tile -> a bit for each neighbour, and one shuffle of bytes looks up all
 * tiles of a node in it. */
#pragma once

#include "idastar/layers_slide.h"

enum { NODE_WORDS = 1 };
#define NODE_LEAPS 0

struct nodes {
    vector word[NODE_WORDS];
};

struct tables {
    uint8_t code[CELLS][CELLS]; /* blank's cell, tile -> bit m: it comes nearer by the move m */
};

/* What is found out of nodes once for all their children. */
struct hints {
    struct codes codes;
};

KERNEL struct hints hints_of(const struct tables *tables, struct nodes nodes, unsigned cell)
{
    return (struct hints){vector_codes(nodes.word[0], tables->code[cell])};
}

/* The lanes in which h falls with a move that takes the blank to cell `from`. */
KERNEL unsigned nearer(struct hints hints, struct nodes nodes, unsigned from, unsigned move)
{
    (void)nodes;
    return vector_test(hints.codes, from, move);
}

KERNEL struct nodes children_of(struct nodes nodes, unsigned cell, unsigned from)
{
    return (struct nodes){{slid(nodes.word[0], cell, from)}};
}

static void enter_node(const struct tables *tables, const struct board *board,
                       word node[NODE_WORDS])
{
    (void)tables;
    node[0] = 0;
    for (unsigned cell = 0; cell < CELLS; cell++)
        node[0] |= (word)board->cell[cell] << TILE_BITS * cell;
}

static void tables_make(struct tables *tables, const struct heuristic *heuristic,
                        const struct falls *falls)
{
    (void)falls;
    for (unsigned cell = 0; cell < CELLS; cell++)
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned from = move_target(shape, cell, move);
            if (from == NO_CELL)
                continue;
            for (unsigned tile = 1; tile < CELLS; tile++)
                if (shape_distance(shape, cell, heuristic->home[tile]) <
                    shape_distance(shape, from, heuristic->home[tile]))
                    tables->code[cell][tile] |= (uint8_t)(1U << move);
        }
}

#define MAKE_FALLS NULL
