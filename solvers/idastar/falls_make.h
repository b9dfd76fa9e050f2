/* Making the tables of idastar/falls.h: part of each form of the counter that reads them, so that
 * it is done with the form's vectors, too. */
#pragma once

#include "idastar/falls.h"

/* A line is the values of all cells of a group's first tile and of a row of its second one. No
 * value is above 127. */
enum { LINE = CELLS * WIDTH, NO_VALUE = -1 };

/* So many values at once. */
typedef int8_t bytes __attribute__((vector_size(BYTES)));
_Static_assert(LINE % BYTES == 0 && (int)LINE == (int)FALLS_MARGIN, "a line is made in parts");

/* Copies the values of a table, which lie in the order of their ranks, to where the numbers of the
 * placements say; `back`: the table's cell -> the board's. Returns where the next values lie. */
static const uint8_t *unrank(int8_t *to, const uint8_t *values, unsigned tiles, unsigned used,
                             unsigned number, const uint8_t back[CELLS])
{
    for (unsigned cell = 0; cell < CELLS; cell++) {
        const unsigned taken = used >> cell & 1;
        const unsigned placed = number << FALLS_BITS | back[cell];
        if (tiles == 1) {
            to[placed] = (int8_t)(*values | -taken); /* NO_VALUE */
            values += 1 - taken;
        } else if (taken == 0) {
            values = unrank(to, values, tiles - 1, used | 1U << cell, placed, back);
        }
    }
    return values;
}

KERNEL bytes load(const int8_t *values)
{
    bytes found;
    memcpy(&found, values, sizeof found);
    return found;
}

KERNEL bytes all(int byte)
{
    return (bytes){0} + (int8_t)byte;
}

/* What is said of some placements: of each pair of tiles, with which moves their values fall; with
 * which moves a value leaps; and what has a bit above 15 if it leaps too far. */
struct said {
    bytes falls[3], leaps, far;
};

/* Adds what the moves of a tile say. after[move]: where they lead; on_board[move]: whether. */
KERNEL void say(struct said *said, bytes before, const int8_t *const after[MOVES],
                const int8_t *const on_board[MOVES], unsigned tile)
{
    for (unsigned move = 0; move < MOVES; move++) {
        const bytes then = load(after[move]);
        const bytes rise = then - before;
        const bytes valid = (then >= 0) & load(on_board[move]);
        said->falls[tile / 2] |= (then < before) & all(1 << (FALLS_BITS * (tile % 2) + move));
        said->leaps |= (((rise + 1) & ~2) != 0) & valid & all(1 << move);
        said->far |= (rise + FALLS_FARTHEST) & valid;
    }
}

/* Makes BYTES entries; `values` has LINE bytes more before and after. on_board: for a tile that
 * is the first, the second or another one, and for moves that do not exist. What is found where the
 * first or the second tile would leave the board is of another placement; it is said only of
 * moves that there are not, and is no leap. False if a leap is too far. */
static bool make_entries(uint32_t *entries, const int8_t *values, unsigned number, unsigned tiles,
                         int8_t on_board[4][MOVES][LINE])
{
    const unsigned part = number % LINE;
    const bytes before = load(values + number);
    struct said said = {0};
    for (unsigned tile = 0; tile < FALLS_TILES && tile < tiles; tile++) {
        const unsigned cell = tile == 0   ? 5
                              : tile == 1 ? (number / LINE) % WIDTH * WIDTH + 1
                                          : number >> FALLS_BITS * tile & (CELLS - 1);
        const int8_t *after[MOVES];
        const int8_t *fine[MOVES];
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned to = move_target(shape, cell, move_undo(move));
            const int step = to == NO_CELL ? 0 : (int)to - (int)cell;
            after[move] = values + number + step * (1 << FALLS_BITS * tile);
            fine[move] = on_board[to == NO_CELL ? 3 : tile < 2 ? tile : 2][move] + part;
        }
        say(&said, before, after, fine, tile);
    }
    uint8_t byte[4][BYTES], far[BYTES];
    unsigned too_far = 0;
    said.leaps |= before << FALLS_BITS;
    said.far &= before >= 0;
    memcpy(byte, said.falls, sizeof said.falls);
    memcpy(byte[3], &said.leaps, sizeof said.leaps);
    memcpy(far, &said.far, sizeof said.far);
    for (unsigned i = 0; i < BYTES; i++) {
        entries[number + i] = byte[0][i] | (uint32_t)byte[1][i] << 8 | (uint32_t)byte[2][i] << 16 |
                              (uint32_t)byte[3][i] << 24;
        too_far |= far[i];
    }
    return too_far < 2 * FALLS_FARTHEST + 2;
}

/* Whether no two tiles from the third on are on one cell. */
static bool can_be(unsigned number, unsigned tiles)
{
    unsigned used = 0;
    for (unsigned tile = 2; tile < tiles; tile++) {
        const unsigned cell = 1U << (number >> FALLS_BITS * tile & (CELLS - 1));
        if ((used & cell) != 0)
            return false;
        used |= cell;
    }
    return true;
}

static bool falls_make(uint32_t *entries, int8_t *values, const struct pdb_group *group)
{
    uint8_t back[CELLS];
    int8_t on_board[4][MOVES][LINE];
    bool fine = true;
    memset(on_board[2], -1, sizeof on_board[2]);
    memset(on_board[3], 0, sizeof on_board[3]);
    for (unsigned cell = 0; cell < CELLS; cell++)
        back[group->map[cell]] = (uint8_t)cell;
    for (unsigned move = 0; move < MOVES; move++)
        for (unsigned i = 0; i < LINE; i++) {
            const unsigned first = i % CELLS;
            const unsigned second = WIDTH + i / CELLS;
            on_board[0][move][i] = move_target(shape, first, move_undo(move)) == NO_CELL ? 0 : -1;
            on_board[1][move][i] = move_target(shape, second, move_undo(move)) == NO_CELL ? 0 : -1;
        }
    memset(values - LINE, NO_VALUE, falls_numbers(group) + 2 * LINE);
    unrank(values, group->values, group->count, 0, 0, back);
    for (unsigned number = 0; number < falls_numbers(group); number += BYTES)
        if (can_be(number, group->count))
            fine &= make_entries(entries, values, number, group->count, on_board);
    return fine;
}
