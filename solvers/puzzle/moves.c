#include "puzzle/moves.h"
#include <ctype.h>
#include <string.h>

const char move_letters[MOVES + 1] = "UDLR";

enum move move_parse(char letter)
{
    const char *found = strchr(move_letters, toupper((unsigned char)letter));
    return letter == '\0' || found == NULL ? MOVE_NONE : (enum move)(found - move_letters);
}

static uint8_t target(struct shape shape, unsigned cell, enum move move)
{
    unsigned column = cell % shape.width;
    unsigned row = cell / shape.width;
    switch (move) {
    case MOVE_U:
        return row == 0 ? NO_CELL : (uint8_t)(cell - shape.width);
    case MOVE_D:
        return row + 1U == shape.height ? NO_CELL : (uint8_t)(cell + shape.width);
    case MOVE_L:
        return column == 0 ? NO_CELL : (uint8_t)(cell - 1);
    case MOVE_R:
        return column + 1U == shape.width ? NO_CELL : (uint8_t)(cell + 1);
    default:
        return NO_CELL;
    }
}

bool operators_make(struct shape shape, const char *order, struct operators *operators)
{
    unsigned seen = 0;
    if (strlen(order) != MOVES)
        return false;
    for (unsigned i = 0; i < MOVES; i++) {
        enum move move = move_parse(order[i]);
        if (move == MOVE_NONE)
            return false;
        operators->order[i] = (uint8_t)move;
        seen |= 1U << move;
    }
    for (unsigned cell = 0; cell < MAX_CELLS; cell++)
        for (unsigned move = 0; move < MOVES; move++)
            operators->target[cell][move] =
                cell < shape.cells ? target(shape, cell, (enum move)move) : NO_CELL;
    return seen == (1U << MOVES) - 1;
}
