/* What is one way for both widths of boards: part of astar/board_64.h and astar/board_128.h, which
 * define the words, TILE_BITS and struct way. */
#pragma once

/* Sets the cells of a board whose shape and blank are set already. */
KERNEL void compact_unpack(compact_board packed, struct board *board)
{
    unpack(COMPACT_PACKING, (union packed){.COMPACT_WORD = packed}, board);
}

static inline compact_board compact_pack(const struct board *board)
{
    return pack(COMPACT_PACKING, board).COMPACT_WORD;
}

KERNEL unsigned way_cell(const struct way *way)
{
    return way->cell;
}

KERNEL unsigned way_tile(const struct way *way, compact_board parent)
{
    return (unsigned)(parent >> way->from) & ((1U << TILE_BITS) - 1);
}

KERNEL compact_board way_board(const struct way *way, compact_board parent, unsigned tile)
{
    return parent ^ tile * way->slide;
}
