/* Walking distance for a subtree counter (idastar/subtree_body.h) on shapes whose arrangements are
 * too many for links: on 5x5, links would take 1.3 GB.
 *
 * A position has for each direction the number of its arrangement (pdb/arrangements.h), the codes
 * of its lines and the states between them. A move changes two neighbouring lines and the state
 * between them, so two steps are looked up instead of the old ones: these tables fit the caches of
 * a processor, and the number leads to one look-up in the distances. A child's distance in the
 * direction is its parent's + 1 or - 1. */
#pragma once

#include "heuristics/walking_distance.h"
#include "puzzle/moves.h"
#include "puzzle/pack.h" /* its functions have parameters called shape */

enum { CELLS = WIDTH * HEIGHT, TILE_BITS = 5, CODE_BITS = 8, STATE_BITS = 16 };

_Static_assert(CELLS <= 25 && WIDTH <= 5 && HEIGHT <= 5, "tiles and states in their bits");

typedef uint64_t word;

/* Whether a child has children within the threshold is not known before it is called. */
#define LOOKS_AHEAD 0

/* g has a word of its own. */
enum { G_SHIFT = 0 };

#define POSITION_WORDS(WORD)                                                                       \
    WORD(uint128, tiles)                                                                           \
    WORD(word, row_codes)                                                                          \
    WORD(word, row_states)                                                                         \
    WORD(word, column_codes)                                                                       \
    WORD(word, column_states) WORD(uint32_t, row_number) WORD(uint32_t, column_number) WORD(word, g)

struct position {
    uint128 tiles;   /* the goal cell of the tile on each cell; any for the blank */
    word row_codes;  /* of each row of the board */
    word row_states; /* between row i and row i + 1 of the board, for each i */
    word column_codes;
    word column_states;
    uint32_t row_number;
    uint32_t column_number;
    word g;
};

/* One direction. */
struct direction {
    const struct arrangement_step *step; /* by state and code */
    const uint8_t *distance;
    unsigned codes;
    bool reversed;                    /* lines are numbered from the last one of the board back */
    uint8_t change[MAX_CODES][CELLS]; /* by code and the tile's goal cell (pdb/arrangements.h) */
};

struct tables {
    struct direction rows;
    struct direction columns;
};

static const struct shape shape = {WIDTH, HEIGHT, CELLS};

/* An arrangement of one direction in a position. */
struct arranged {
    word codes;
    word states;
    uint32_t number;
};

KERNEL unsigned code_at(word codes, unsigned line)
{
    return (unsigned)(codes >> CODE_BITS * line) & ((1U << CODE_BITS) - 1);
}

/* The state between two lines of the board, `line` and the next; beyond the first and the last one
 * (as 0 - 1) it is the first state, 0. */
KERNEL unsigned state_behind(word states, unsigned line, unsigned lines)
{
    return line >= lines - 1 ? 0
                             : (unsigned)(states >> STATE_BITS * line) & ((1U << STATE_BITS) - 1);
}

/* The arrangement after a tile came from line `from` into line `to`, where the blank was. `lines`
 * and both are constants. */
KERNEL struct arranged arranged_after(const struct direction *direction, struct arranged at,
                                      unsigned tile, unsigned from, unsigned to, unsigned lines)
{
    const unsigned top = from < to ? from : to;
    const unsigned given = direction->change[code_at(at.codes, to)][tile];
    const unsigned taken = direction->change[code_at(at.codes, from)][tile];
    const unsigned above = to < from ? given : taken; /* the new code of line `top`, .. */
    const unsigned below = to < from ? taken : given; /* .. and of the one below it */
    const unsigned before = direction->reversed ? state_behind(at.states, top + 1, lines)
                                                : state_behind(at.states, top - 1, lines);
    const unsigned between = state_behind(at.states, top, lines);
    const unsigned first = direction->reversed ? top + 1 : top;
    const unsigned second = direction->reversed ? top : top + 1;
    const struct arrangement_step *step = direction->step;
    const unsigned codes = direction->codes;
    const struct arrangement_step middle =
        step[before * codes + (direction->reversed ? below : above)];
    const uint32_t added =
        middle.before + step[middle.next * codes + (direction->reversed ? above : below)].before;
    const uint32_t removed = step[before * codes + code_at(at.codes, first)].before +
                             step[between * codes + code_at(at.codes, second)].before;
    const word new_codes = (word)above | (word)below << CODE_BITS;
    at.number += added - removed;
    at.codes &= ~((((word)1 << 2 * CODE_BITS) - 1) << CODE_BITS * top);
    at.codes |= new_codes << CODE_BITS * top;
    at.states &= ~((((word)1 << STATE_BITS) - 1) << STATE_BITS * top);
    at.states |= (word)middle.next << STATE_BITS * top;
    return at;
}

KERNEL bool is_vertical(unsigned move)
{
    return move == MOVE_U || move == MOVE_D;
}

KERNEL struct arranged arranged_in(struct position position, bool vertical)
{
    return vertical
               ? (struct arranged){position.row_codes, position.row_states, position.row_number}
               : (struct arranged){position.column_codes, position.column_states,
                                   position.column_number};
}

/* The tile, by its goal cell, that a move of the blank from `cell` slides onto it. */
KERNEL unsigned tile_moved(struct position position, unsigned cell, unsigned move)
{
    return (unsigned)(position.tiles >> TILE_BITS * move_target(shape, cell, move)) &
           ((1U << TILE_BITS) - 1);
}

/* The arrangement that a move changes, after it. */
KERNEL struct arranged arranged_by(const struct tables *tables, struct position position,
                                   unsigned cell, unsigned move)
{
    const bool vertical = is_vertical(move);
    const unsigned from = move_target(shape, cell, move);
    return arranged_after(vertical ? &tables->rows : &tables->columns,
                          arranged_in(position, vertical), tile_moved(position, cell, move),
                          vertical ? from / WIDTH : from % WIDTH,
                          vertical ? cell / WIDTH : cell % WIDTH, vertical ? HEIGHT : WIDTH);
}

/* h is taken to fall, .. */
KERNEL bool position_nearer(struct position position, unsigned cell, unsigned move)
{
    (void)position;
    (void)cell;
    (void)move;
    return true;
}

#define HAS_CONTRARY

/* .. unless the distance in the move's direction rises. */
KERNEL bool position_contrary(const struct tables *tables, struct position position, unsigned cell,
                              unsigned move, bool nearer)
{
    const uint8_t *distance = is_vertical(move) ? tables->rows.distance : tables->columns.distance;
    (void)nearer;
    return distance[arranged_by(tables, position, cell, move).number] >
           distance[arranged_in(position, is_vertical(move)).number];
}

KERNEL struct position position_after(const struct tables *tables, struct position position,
                                      unsigned cell, unsigned move)
{
    const unsigned from = move_target(shape, cell, move);
    const struct arranged after = arranged_by(tables, position, cell, move);
    const uint128 tile = tile_moved(position, cell, move);
    if (is_vertical(move)) {
        position.row_codes = after.codes;
        position.row_states = after.states;
        position.row_number = after.number;
    } else {
        position.column_codes = after.codes;
        position.column_states = after.states;
        position.column_number = after.number;
    }
    position.g++;
    position.tiles ^= tile << TILE_BITS * from | tile << TILE_BITS * cell;
    return position;
}

/* The word that counts the moves made above G_SHIFT. */
KERNEL word position_count(struct position position)
{
    return position.g;
}

static struct arranged arranged_of(const struct walking_lines *lines, const struct board *board)
{
    const unsigned last = lines->numbering->lines - 1;
    struct arranged arranged = {.number = walking_number(lines, board)};
    struct arrangement at = {0};
    arrangement_at(lines->numbering, arranged.number, &at);
    for (unsigned i = 0; i <= last; i++) {
        const unsigned line = lines->reversed ? last - i : i;
        arranged.codes |= (word)at.code[i] << CODE_BITS * line;
        if (i < last) /* the state after numbered line i */
            arranged.states |= (word)at.state[i + 1]
                               << STATE_BITS * (lines->reversed ? line - 1 : line);
    }
    return arranged;
}

static struct position position_of(const struct tables *tables, const struct heuristic *heuristic,
                                   const struct board *board, unsigned g)
{
    const struct walking *walking = heuristic->data;
    const struct arranged rows = arranged_of(&walking->rows, board);
    const struct arranged columns = arranged_of(&walking->columns, board);
    struct position position = {.row_codes = rows.codes,
                                .row_states = rows.states,
                                .column_codes = columns.codes,
                                .column_states = columns.states,
                                .row_number = rows.number,
                                .column_number = columns.number,
                                .g = g};
    (void)tables;
    for (unsigned cell = 0; cell < CELLS; cell++)
        if (board->cell[cell] != 0)
            position.tiles |= (uint128)heuristic->home[board->cell[cell]] << TILE_BITS * cell;
    return position;
}

/* `by_row`: lines are rows. */
static void direction_make(struct direction *direction, const struct walking_lines *lines,
                           bool by_row)
{
    const struct numbering *numbering = lines->numbering;
    direction->step = numbering->step;
    direction->distance = lines->distance;
    direction->codes = numbering->codes;
    direction->reversed = lines->reversed;
    for (unsigned code = 0; code < numbering->codes; code++)
        for (unsigned cell = 0; cell < CELLS; cell++) {
            const unsigned line = by_row ? cell / WIDTH : cell % WIDTH;
            direction->change[code][cell] =
                numbering->change[code][lines->reversed ? numbering->lines - 1 - line : line];
        }
}

static void tables_make(struct tables *tables, const struct heuristic *heuristic)
{
    const struct walking *walking = heuristic->data;
    direction_make(&tables->rows, &walking->rows, true);
    direction_make(&tables->columns, &walking->columns, false);
}
