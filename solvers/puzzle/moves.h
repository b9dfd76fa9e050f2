/* Moves, and the operator order: the order in which successors are generated.
 *
 * A move is the direction in which the *blank* goes. The codes are such that move ^ 1 undoes a
 * move. */
#pragma once

#include "base/compiler.h"
#include "puzzle/board.h"

enum move { MOVE_U, MOVE_D, MOVE_L, MOVE_R, MOVES, MOVE_NONE = MOVES };

enum { NO_CELL = 255 };

/* The moves that a blank can make, in operator order. */
struct exits {
    _Alignas(16) uint8_t count; /* sixteen bytes, so that they are found by a shift */
    struct exit {
        uint8_t move;
        uint8_t from; /* the tile's cell, which is the blank's new cell */
    } exit[MOVES];
};

/* The operators of a task: where each move takes the blank, and the operator order. */
struct operators {
    uint8_t order[MOVES]; /* a permutation of the four moves */
    uint8_t target[MAX_CELLS]
                  [MOVES]; /* the blank's new cell, or NO_CELL where the edge is in the way */
    struct exits exits[MAX_CELLS]
                      [2 * MOVES]; /* from a cell, without one of the moves, or with all */
};

extern const char move_letters[MOVES + 1]; /* "UDLR", indexed by enum move */

/* The default operator order, as in Korf's programs. */
#define DEFAULT_ORDER "ULRD"

/* The move that undoes `move`. For MOVE_NONE, a value that equals no move. */
static inline unsigned move_undo(unsigned move)
{
    return move ^ 1U;
}

/* The cell to which a move takes the blank, or NO_CELL if the edge is in the way. Inlined, so that
 * it is a constant if its arguments are. */
KERNEL uint8_t move_target(struct shape shape, unsigned cell, unsigned move)
{
    switch (move) {
    case MOVE_U:
        return cell < shape.width ? NO_CELL : (uint8_t)(cell - shape.width);
    case MOVE_D:
        return cell + shape.width >= shape.cells ? NO_CELL : (uint8_t)(cell + shape.width);
    case MOVE_L:
        return cell % shape.width == 0 ? NO_CELL : (uint8_t)(cell - 1);
    case MOVE_R:
        return (cell + 1) % shape.width == 0 ? NO_CELL : (uint8_t)(cell + 1);
    default:
        return NO_CELL;
    }
}

/* The move that a letter of either case stands for, or MOVE_NONE. */
enum move move_parse(char letter);

/* The move that leads from one board to the other; MOVE_NONE if there is none. */
enum move move_between(const struct board *from, const struct board *to);

/* Reads an operator order, letters of either case, and writes it in capitals. False if the text is
 * not a permutation of the four letters. */
bool order_parse(const char *text, char order[MOVES + 1]);

/* Fills in the operators for a shape and an operator order such as "ULRD". False if the text is not
 * a permutation of the four letters. */
bool operators_make(struct shape shape, const char *order, struct operators *operators);
