/* Moves, and the order in which successors are generated.
 *
 * A move is the direction in which the *blank* goes. Moves are coded so that the one that undoes a
 * move is move ^ 1. */
#ifndef PUZZLE_MOVES_H
#define PUZZLE_MOVES_H

#include "base/compiler.h"
#include "puzzle/shape.h"

enum move { MOVE_U, MOVE_D, MOVE_L, MOVE_R, MOVES, MOVE_NONE = MOVES };

enum { NO_CELL = 255 };

/* The operators of a task: where each move takes the blank, and the order in which they are tried.
 */
struct operators {
    uint8_t order[MOVES]; /* a permutation of the four moves */
    uint8_t target[MAX_CELLS]
                  [MOVES]; /* the blank's new cell, or NO_CELL where the edge is in the way */
};

extern const char move_letters[MOVES + 1]; /* "UDLR", indexed by enum move */

/* The order used unless another is asked for: ULRD, as in Korf's programs. */
#define DEFAULT_ORDER "ULRD"

/* The move that takes back `move`; MOVE_NONE stays what it is not: it equals no move. */
static inline unsigned move_undo(unsigned move)
{
    return move ^ 1U;
}

/* The cell to which a move takes the blank, or NO_CELL where the edge is in the way. Inlined, so
 * that with constants it is one. */
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

/* The move of a letter (either case), or MOVE_NONE. */
enum move move_parse(char letter);

/* Fills the table for a shape and an order text such as "ULRD"; false when the text is not a
 * permutation of the four letters. */
bool operators_make(struct shape shape, const char *order, struct operators *operators);

#endif
