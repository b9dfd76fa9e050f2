#include "puzzle/moves.h"
#include <ctype.h>
#include <string.h>

const char move_letters[MOVES + 1] = "UDLR";

enum move move_parse(char letter)
{
    const char *found = strchr(move_letters, toupper((unsigned char)letter));
    return letter == '\0' || found == NULL ? MOVE_NONE : (enum move)(found - move_letters);
}

enum move move_between(const struct board *from, const struct board *to)
{
    for (unsigned move = 0; move < MOVES; move++) {
        struct board next = *from;
        const uint8_t cell = move_target(from->shape, from->blank, move);
        if (cell == NO_CELL)
            continue;
        board_slide(&next, cell);
        if (board_equal(&next, to))
            return (enum move)move;
    }
    return MOVE_NONE;
}

bool order_parse(const char *text, char order[MOVES + 1])
{
    struct operators operators;
    if (!operators_make((struct shape){2, 2, 4}, text, &operators))
        return false;
    for (unsigned i = 0; i < MOVES; i++)
        order[i] = move_letters[operators.order[i]];
    order[MOVES] = '\0';
    return true;
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
                cell < shape.cells ? move_target(shape, cell, move) : NO_CELL;
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned without = 0; without < 2 * MOVES; without++) {
            struct exits *exits = &operators->exits[cell][without];
            exits->count = 0;
            for (unsigned i = 0; i < MOVES; i++) {
                const uint8_t move = operators->order[i];
                const uint8_t from = operators->target[cell][move];
                if (from != NO_CELL && move != without)
                    exits->exit[exits->count++] = (struct exit){move, from};
            }
        }
    return seen == (1U << MOVES) - 1;
}
